// Keeps the traders of a devnet from an order that a test has in the book.
import type { TestVenue } from '@openvenue/e2e/venue'
import { fromSteps, toSteps } from 'openvenue'
import type { Page } from 'playwright-core'
import { untilBlocks } from './polling.ts'

/** What was on its way when they were stopped is on the chain by then. */
const SETTLED_BLOCKS = 5
const PRICE_STEP = '0.01'
/**
 * Takers reach three levels, some 0.1 %, and a price moves by that much in two minutes: so far away
 * nobody trades, and the venue still takes the price.
 */
const AWAY_PERCENT = 3n

/** Stops the traders, or lets them go on. The chain, the prices and the keeper go on alone. */
export async function holdTraders({ devnet }: TestVenue, isHeld: boolean): Promise<void> {
  const { traders } = devnet.pids()
  if (traders === undefined) throw new Error('the traders are not running')
  process.kill(traders, isHeld ? 'SIGSTOP' : 'SIGCONT')
  if (isHeld) await untilBlocks(devnet.apiUrl, SETTLED_BLOCKS)
}

/** Types a price of ETH-PERP at which nobody trades while a test goes on, and returns it. */
export async function takeFarPrice(page: Page, side: 'buy' | 'sell' = 'buy'): Promise<string> {
  const best = page.locator(side === 'buy' ? '.bids tr' : '.asks tr').first()
  // While the page changes from the chain to the API there is none for a moment.
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
 * Halfway down the rows that are shown: in a minute a price moves by two or three rows, so that
 * nobody trades there, and it is still shown.
 */
export const DEEP_ROW = 11

/** Takes the price of a deep bid of the book into the form, and returns it as it is shown. */
export const takeDeepBid = (page: Page): Promise<string> =>
  page
    .locator('.bids tr')
    .nth(DEEP_ROW)
    // Read and clicked at once: prices move.
    .evaluate((row: HTMLElement) => {
      row.click()
      const price = row.querySelector('.price')
      return (/[\d,.]+$/.exec((price?.textContent ?? '').trim()) ?? [''])[0]
    })
