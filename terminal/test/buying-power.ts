// Reads the displayed buying power, and computes it from REST.
import type { Rest } from 'openvenue'
import type { Page } from 'playwright-core'

const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)
const CENT = ONE / 100n

type BuyingPower = Readonly<{ shown: string; exact: string }>

/**
 * Reads the buying power in the displayed perpetual market, where the account has chosen no
 * leverage.
 */
export async function readBuyingPower(page: Page, rest: Rest, name: string): Promise<BuyingPower> {
  const line = page
    .locator('.account .pairs > div')
    .filter({ hasText: /Buying power|Max\. position/ })
  const shown = (await line.locator('dd').textContent()) ?? ''
  const [account, market] = await Promise.all([
    rest.call('GET /account'),
    rest.call('GET /markets/{instrument_id}', { path: { instrument_id: name } }),
  ])
  const [free, times] = [raw(account.available_balance), raw(market.max_leverage)]
  // Each unit of value needs its margin and the taker fee.
  const perUnit = ONE / (times / ONE) + raw(market.taker_fee)
  const cents = (free * ONE) / perUnit / CENT
  const whole = String(cents / 100n).replace(/\B(?=(\d{3})+$)/g, ',')
  return { shown, exact: `${whole}.${String(cents % 100n).padStart(2, '0')} USDC` }
}

function raw(text: string | null | undefined): bigint {
  const [whole = '0', part = ''] = (text ?? '').split('.')
  return BigInt(whole + part.padEnd(DECIMALS, '0').slice(0, DECIMALS))
}
