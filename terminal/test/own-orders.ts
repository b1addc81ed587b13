// Orders of ETH-PERP on the trading page: one that fills immediately, one too deep to fill, and the
// events that follow.
import type { Page } from 'playwright-core'

const form = (page: Page) => page.locator('.order')
const choose = (page: Page, name: string) =>
  form(page).getByRole('button', { name, exact: true }).click()

/** Types an order that would rest. */
export async function draftOrder(page: Page, amount: string): Promise<void> {
  await choose(page, 'Buy')
  await choose(page, 'Limit')
  await page.locator('.bids tr').nth(14).click()
  await form(page).getByLabel(/^Size/).fill(amount)
  await page.locator('.order-preview:not(.checking)').waitFor()
}

/** Buys 0.1 at the market, and leaves a resting order. */
export async function haveBoth(page: Page): Promise<void> {
  await choose(page, 'Market')
  await form(page).getByLabel(/^Size/).fill('0.1')
  await page.locator('.order-preview:not(.checking)').waitFor()
  await page.locator('.place:enabled').click()
  await page.getByRole('button', { name: /^positions \(1\)/i }).waitFor()
  await draftOrder(page, '0.3')
  await page.locator('.place:enabled').click()
  await page.getByRole('button', { name: /^orders \(1\)/i }).waitFor()
}

/** Waits until the page counts a number of unread notifications. */
export const untilUnread = (page: Page, count: number): Promise<unknown> =>
  page.waitForFunction(
    (wanted) =>
      Number.parseInt(document.querySelector('.unread')?.textContent ?? '0', 10) === wanted,
    count,
  )
