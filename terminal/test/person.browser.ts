// A person's whole way in a real browser: money, an order that rests, one that fills, a stop, the
// end of the position and the money taken out, by the mouse.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startVenue, type TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { type Opened, openPage, startBrowser } from './browser.ts'
import { untilBook } from './shown-market.ts'

const MARKET = 'ETH-PERP'
/** What the chain does takes blocks, and a test wallet some twenty of them. */
const CHAIN_MS_MAX = 90_000

describe('a person', () => {
  let venue: TestVenue
  let browser: Browser
  let opened: Opened
  before(async () => {
    venue = await startVenue()
    browser = await startBrowser()
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await venue?.remove()
  })

  const open = async (): Promise<Page> => {
    await opened?.close()
    opened = await openPage(browser, `${venue.devnet.apiUrl}/?market=${MARKET}`)
    opened.page.setDefaultTimeout(CHAIN_MS_MAX)
    await untilBook(opened.page)
    return opened.page
  }

  test('trades from the first money to the last by the mouse', async () => {
    const page = await open()
    const order = page.locator('.order')
    const button = (name: string) => order.getByRole('button', { name, exact: true })
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.place:enabled').waitFor()
    await moveMoney(page, 'Deposit', '100')
    await page.locator('.bids tr').nth(6).click()
    await order.getByLabel(/^Amount/).fill('0.2')
    await place(page)
    await page.locator('.bids .own').waitFor()
    await button('Market').click()
    await order.getByLabel(/^Amount/).fill('0.1')
    await place(page)
    await tab(page, 'positions', 1)
    await button('Stop').click()
    await order.locator('.sides .sell').click()
    const price = await page.locator('.bids tr').nth(12).locator('.price').textContent()
    await order.getByLabel(/^Trigger/).fill(priceOf(price))
    await order.getByLabel(/^Amount/).fill('0.1')
    await place(page)
    await tab(page, 'orders', 2)
    await page.locator('.rows td', { hasText: 'held until its trigger' }).waitFor()
    await tab(page, 'positions', 1)
    await page.getByRole('button', { name: /^close / }).click()
    await agree(page)
    await tab(page, 'positions', 0)
    await page.getByRole('button', { name: /^Cancel all/ }).click()
    await agree(page)
    await tab(page, 'orders', 0)
    await moveMoney(page, 'Withdraw', '50')
    assert.deepEqual(opened.faults, [])
  })
})

const priceOf = (text: string | null): string => /[\d,.]+/.exec(text ?? '')?.[0] ?? ''

async function place(page: Page): Promise<void> {
  await page.locator('.order-preview').waitFor()
  await page.locator('.place:enabled').click()
}

/** Opens a table once it has so many rows. */
const tab = (page: Page, name: string, rows: number) =>
  page.getByRole('button', { name: new RegExp(`^${name} \\(${rows}\\)`, 'i') }).click()

/** Says yes where the page asks first. */
async function agree(page: Page): Promise<void> {
  const yes = page.locator('dialog[open] button.primary')
  await yes.click()
}

/** Waits until the wallet holds more, or less, than before `move`. */
async function untilMoved(page: Page, sign: 1 | -1, move: () => Promise<void>): Promise<void> {
  const held = () => {
    const text = document.querySelector('.account')?.textContent ?? ''
    return /In the wallet:? ([\d,.]+)/.exec(text)?.[1] ?? ''
  }
  await page.waitForFunction(held)
  const before = await page.evaluate(held)
  await move()
  await page.waitForFunction(
    ([text, way]) => {
      const shown = document.querySelector('.account')?.textContent ?? ''
      const now = /In the wallet:? ([\d,.]+)/.exec(shown)?.[1]
      const number = (digits: string) => Number(digits.replaceAll(',', ''))
      return now !== undefined && (number(now) - number(text)) * way > 0
    },
    [before, sign] as const,
  )
}

/** Opens what the money is moved with, types and presses, by the mouse. */
async function moveMoney(page: Page, way: 'Deposit' | 'Withdraw', amount: string): Promise<void> {
  const form = page.locator('.account details', { hasText: 'Deposit or withdraw' })
  if ((await form.getAttribute('open')) === null) await form.locator('summary').click()
  await untilMoved(page, way === 'Withdraw' ? 1 : -1, async () => {
    await form.getByLabel('Amount').fill(amount)
    await form.getByRole('button', { name: way, exact: true }).click()
  })
}
