// A user's whole session in a real browser: deposit, a resting order, a filled one, a stop, closing
// the position, and withdrawal; once by mouse, and once by keyboard only.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import { useCommonVenue } from './common-venue.ts'
import { untilBook } from './shown-market.ts'

const MARKET = 'ETH-PERP'
/** Time for transactions to be included; a test wallet needs some twenty blocks. */
const CHAIN_MS_MAX = 90_000
/** More than the number of focusable elements on a market's page. */
const TABS_MAX = 250

describe('a user', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage
  before(async () => {
    venue = await use.start()
    browser = await startBrowser()
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await use.end()
  })

  const open = async (): Promise<Page> => {
    await opened?.close()
    opened = await openPage(browser, `${venue.devnet.apiUrl}/?market=${MARKET}`)
    opened.page.setDefaultTimeout(CHAIN_MS_MAX)
    await untilBook(opened.page)
    return opened.page
  }

  test('a user trades from deposit to withdrawal by mouse', async () => {
    const page = await open()
    const order = page.locator('.order')
    const button = (name: string) => order.getByRole('button', { name, exact: true })
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.place:enabled').waitFor()
    await moveMoney(page, 'Deposit', '100')
    await page.locator('.bids tr').nth(9).click()
    await order.getByLabel(/^Size/).fill('0.2')
    await place(page)
    await page.locator('.bids .own').waitFor()
    await button('Market').click()
    await order.getByLabel(/^Size/).fill('0.1')
    await place(page)
    await tab(page, 'positions', 1)
    await untilMarkMoves(page)
    await button('Stop').click()
    await order.locator('.sides .sell').click()
    const price = await page.locator('.bids tr').nth(14).locator('.price').textContent()
    await order.getByLabel(/^Trigger/).fill(priceOf(price))
    await order.getByLabel(/^Size/).fill('0.1')
    await place(page)
    await tab(page, 'orders', 2)
    await page.locator('.rows td', { hasText: 'untriggered' }).waitFor()
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

  test('a user trades from deposit to withdrawal using only the keyboard', async () => {
    const page = await open()
    const { keyboard } = page
    const type = async (text: string) => {
      await keyboard.press('Control+a')
      await keyboard.type(text)
    }
    await tabTo(page, /^Get test money$/)
    await keyboard.press('Enter')
    await page.locator('.place:enabled').waitFor()
    await keyboard.press('b')
    await type('0.1')
    await tabTo(page, /^Market$/, 'Shift+Tab')
    await keyboard.press('Enter')
    await tabTo(page, /^Buy ETH-PERP/)
    await page.locator('.order-preview').waitFor()
    await keyboard.press('Enter')
    await page.getByRole('button', { name: /^positions \(1\)/i }).waitFor()
    await keyboard.press('Escape')
    await keyboard.press('b')
    await tabTo(page, /^Limit$/, 'Shift+Tab')
    await keyboard.press('Enter')
    await tabTo(page, /^Price/)
    const price = priceOf(await page.locator('.bids tr').nth(12).locator('.price').textContent())
    await type(price)
    await tabTo(page, /^Size/)
    await type('0.2')
    await page.locator('.order-preview').waitFor()
    await keyboard.press('Enter')
    await page.locator('.bids .own').waitFor()
    await tabTo(page, /^orders \(1\)/i)
    await keyboard.press('Enter')
    await tabTo(page, /^cancel ETH-PERP/)
    await keyboard.press('Enter')
    await page.getByRole('button', { name: /^orders \(0\)/i }).waitFor()
    await tabTo(page, /^positions \(1\)/i)
    await keyboard.press('Enter')
    await tabTo(page, /^close ETH-PERP/)
    await keyboard.press('Enter')
    await agreeByKeys(page)
    await page.getByRole('button', { name: /^positions \(0\)/i }).waitFor()
    await tabTo(page, /^Deposit or withdraw$/)
    await keyboard.press('Enter')
    await tabTo(page, /^Amount$/)
    await untilMoved(page, 1, async () => {
      await type('50')
      await tabTo(page, /^Withdraw$/)
      await keyboard.press('Enter')
    })
    assert.deepEqual(opened.faults, [])
  })
})

const priceOf = (text: string | null): string => /[\d,.]+/.exec(text ?? '')?.[0] ?? ''

async function place(page: Page): Promise<void> {
  await page.locator('.order-preview').waitFor()
  await page.locator('.place:enabled').click()
}

/** Opens a table once it has `rows` rows. */
const tab = (page: Page, name: string, rows: number) =>
  page.getByRole('button', { name: new RegExp(`^${name} \\(${rows}\\)`, 'i') }).click()

/** Waits for the mark to move: a position's value follows it without trades. */
async function untilMarkMoves(page: Page): Promise<void> {
  const mark = () => document.querySelector('.rows tbody tr td:nth-child(5)')?.textContent
  await page.waitForFunction(mark)
  const before = await page.evaluate(mark)
  await page.waitForFunction((text) => {
    const now = document.querySelector('.rows tbody tr td:nth-child(5)')?.textContent
    return now && now !== text
  }, before)
}

async function agree(page: Page): Promise<void> {
  const yes = page.locator('dialog[open] button.primary')
  await yes.click()
}

async function agreeByKeys(page: Page): Promise<void> {
  await page.locator('dialog[open]').waitFor()
  const isPrimary = () =>
    page.evaluate(() => document.activeElement?.classList.contains('primary') === true)
  for (let times = 0; times < TABS_MAX && !(await isPrimary()); times++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
}

/** Waits until the wallet's balance has risen, or fallen, since before `move`. */
async function untilMoved(page: Page, sign: 1 | -1, move: () => Promise<void>): Promise<void> {
  const held = () => {
    const text = document.querySelector('.account')?.textContent ?? ''
    return /Wallet balance:?\s*([\d,.]+)/.exec(text)?.[1] ?? ''
  }
  await page.waitForFunction(held)
  const before = await page.evaluate(held)
  await move()
  await page.waitForFunction(
    ([text, way]) => {
      const shown = document.querySelector('.account')?.textContent ?? ''
      const now = /Wallet balance:?\s*([\d,.]+)/.exec(shown)?.[1]
      const number = (digits: string) => Number(digits.replaceAll(',', ''))
      return now !== undefined && (number(now) - number(text)) * way > 0
    },
    [before, sign] as const,
  )
}

/** Opens the deposit form, types and submits, by mouse. */
async function moveMoney(page: Page, way: 'Deposit' | 'Withdraw', amount: string): Promise<void> {
  const form = page.locator('.account details', { hasText: 'Deposit or withdraw' })
  if ((await form.getAttribute('open')) === null) await form.locator('summary').click()
  await untilMoved(page, way === 'Withdraw' ? 1 : -1, async () => {
    await form.getByLabel('Amount').fill(amount)
    await form.getByRole('button', { name: way, exact: true }).click()
  })
}

/** Presses Tab until an element of that name has the focus. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = []
  for (let times = 0; times < TABS_MAX; times++) {
    const called = await page.evaluate(() => {
      const element = document.activeElement
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
      return (element?.ariaLabel ?? label ?? element?.textContent ?? '').trim()
    })
    if (name.test(called)) return
    passed.push(called.slice(0, 30))
    await page.keyboard.press(key)
  }
  throw new Error(`the keyboard does not reach ${name}: ${passed.join(' | ')}`)
}
