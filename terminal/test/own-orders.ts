// Orders of ETH-PERP on the page to trade on: one that fills at once, one so deep that nobody
// trades with it, and what is waited for afterwards.
import type { Page } from 'playwright-core'

const form = (page: Page) => page.locator('.order')
const choose = (page: Page, name: string) =>
  form(page).getByRole('button', { name, exact: true }).click()

/** Types an order that would rest. */
export async function draftOrder(page: Page, amount: string): Promise<void> {
  await choose(page, 'Buy')
  await choose(page, 'Limit')
  await page.locator('.bids tr').nth(14).click()
  await form(page)
    .getByLabel(/^Amount/)
    .fill(amount)
  await page.locator('.order-preview:not(.checking)').waitFor()
}

/** Buys 0.1 at once, and leaves an order that rests. */
export async function haveBoth(page: Page): Promise<void> {
  await choose(page, 'Market')
  await form(page)
    .getByLabel(/^Amount/)
    .fill('0.1')
  await page.locator('.order-preview:not(.checking)').waitFor()
  await page.locator('.place:enabled').click()
  await page.getByRole('button', { name: /^positions \(1\)/i }).waitFor()
  await draftOrder(page, '0.3')
  await page.locator('.place:enabled').click()
  await page.getByRole('button', { name: /^orders \(1\)/i }).waitFor()
}

/** Waits until the page counts so many unread notifications. */
export const untilUnread = (page: Page, count: number): Promise<unknown> =>
  page.waitForFunction(
    (wanted) =>
      Number.parseInt(document.querySelector('.unread')?.textContent ?? '0', 10) === wanted,
    count,
  )
