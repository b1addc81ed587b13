// Keeps the traders of a devnet from filling an order that a test has in the book.
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { createChainClient } from '@openvenue/e2e/chain-client'
import type { TestVenue } from '@openvenue/e2e/venue'
import { fromSteps, Rest, toSteps } from 'openvenue'
import { loadVenue } from 'openvenue/signing'
import type { Page } from 'playwright-core'
import { encodeFunctionData } from 'viem'
import { engineAbi } from '../src/features/chain/worker/venue-abi.ts'
import { untilBlocks } from './polling.ts'

/** Blocks after which the traders' pending orders are on the chain. */
const SETTLED_BLOCKS = 5
const PRICE_STEP = '0.01'
const IOC = 1
const PLACE_GAS = 10_000_000
/**
 * Takers reach three levels, some 0.1 %, and a price moves by as much in two minutes: this far away
 * an order does not fill, and the venue still accepts its price.
 */
const AWAY_PERCENT = 3n

/** Stops the traders, or resumes them. The chain, the prices and the keeper keep running. */
export async function holdTraders({ devnet }: TestVenue, isHeld: boolean): Promise<void> {
  const { traders } = devnet.pids()
  if (traders === undefined) throw new Error('the traders are not running')
  process.kill(traders, isHeld ? 'SIGSTOP' : 'SIGCONT')
  if (isHeld) await untilBlocks(devnet.apiUrl, SETTLED_BLOCKS)
}

/** Makes a trader sell at a price of ETH-PERP; the unfilled part is cancelled. */
export async function sellAt(
  { devnet }: TestVenue,
  { price, amount }: Readonly<{ price: string; amount: string }>,
): Promise<void> {
  const { engine, number, market } = (await loadVenue(new Rest({ url: devnet.apiUrl }))).market(
    'ETH-PERP',
  )
  const request = {
    ...{ market: number, buy: false, tick: Number(toSteps(price, market.price_step)) },
    ...{ lots: toSteps(amount, market.amount_step), timeInForce: IOC },
    ...{ reduceOnly: false, goodTil: 0, maxFills: 0 },
  }
  const data = encodeFunctionData({ abi: engineAbi, functionName: 'place', args: [request] })
  const from = devnet.wallets[ROLES.traders[0]] ?? ''
  await createChainClient(rpcAt(devnet.rpcUrl)).send([{ from, to: engine, data, gas: PLACE_GAS }])
}

/** Types a price of ETH-PERP that does not fill during a test, and returns it. */
export async function takeFarPrice(page: Page, side: 'buy' | 'sell' = 'buy'): Promise<string> {
  const best = page.locator(side === 'buy' ? '.bids tr' : '.asks tr').first()
  // The book is empty for a moment while the page switches from the chain to the API.
  const text = await best.locator('.price').filter({ hasText: /\d/ }).textContent()
  const steps = toSteps(
    /[\d,.]+$/.exec(text?.trim() ?? '')?.[0].replaceAll(',', '') ?? '',
    PRICE_STEP,
  )
  const percent = side === 'buy' ? 100n - AWAY_PERCENT : 100n + AWAY_PERCENT
  const price = fromSteps((steps * percent) / 100n, PRICE_STEP)
  await page.locator('.order').getByRole('button', { name: 'Limit', exact: true }).click()
  await page
    .locator('.order')
    .getByLabel(/^Price/)
    .fill(price)
  return price
}

/**
 * Halfway down the displayed rows: a price moves by two or three rows in a minute, so that an order
 * there does not fill and is still displayed.
 */
const DEEP_ROW = 11

/** Takes the price of a deep bid of the book into the form, and returns it as displayed. */
export const takeDeepBid = (page: Page): Promise<string> =>
  page
    .locator('.bids tr')
    .nth(DEEP_ROW)
    // Read and clicked at once, because prices move.
    .evaluate((row: HTMLElement) => {
      row.click()
      const price = row.querySelector('.price')
      return (/[\d,.]+$/.exec((price?.textContent ?? '').trim()) ?? [''])[0]
    })
