// Reads what the page says that an account can buy for, and computes the same from REST.
import type { Rest } from 'openvenue'
import type { Page } from 'playwright-core'

const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)
const CENT = ONE / 100n

export type BuyingPower = Readonly<{ shown: string; exact: string }>

/** Of the perpetual market that the page shows; the account has chosen no leverage there. */
export async function readBuyingPower(page: Page, rest: Rest, name: string): Promise<BuyingPower> {
  const line = page.locator('.account .pairs > div').filter({ hasText: 'Buying power' })
  const shown = (await line.locator('dd').textContent()) ?? ''
  const [account, market] = await Promise.all([
    rest.call('GET /account'),
    rest.call('GET /markets/{instrument_id}', { path: { instrument_id: name } }),
  ])
  const [free, times] = [raw(account.available_balance), raw(market.max_leverage)]
  // Each unit of value takes its margin and the fee of a taker.
  const perUnit = ONE / (times / ONE) + raw(market.taker_fee)
  const cents = (free * ONE) / perUnit / CENT
  const whole = String(cents / 100n).replace(/\B(?=(\d{3})+$)/g, ',')
  return { shown, exact: `${whole}.${String(cents % 100n).padStart(2, '0')} USDC` }
}

function raw(text: string | null | undefined): bigint {
  const [whole = '0', part = ''] = (text ?? '').split('.')
  return BigInt(whole + part.padEnd(DECIMALS, '0').slice(0, DECIMALS))
}
