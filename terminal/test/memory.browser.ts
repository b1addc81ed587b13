// The page's memory between visits: choices of the form and the panels, and an order whose sending
// a reload interrupted.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import { useCommonVenue } from './common-venue.ts'
import { untilRight } from './polling.ts'
import { takeFarPrice } from './quiet-market.ts'
import { untilBook } from './shown-market.ts'

/** A test wallet gets its money, deposits and registers: some twenty blocks. */
const READY_MS_MAX = 120_000

describe('the memory of the page', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage
  let page: Page
  before(async () => {
    venue = await use.start()
    browser = await startBrowser()
    opened = await openPage(browser, `${venue.devnet.apiUrl}/?market=ETH-PERP`)
    page = opened.page
    await untilBook(page)
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await use.end()
  })

  const pressed = (name: string) =>
    page.locator(`button[aria-pressed="true"]`, { hasText: new RegExp(`^${name}$`) }).waitFor()

  test('order type, unit, grouping and table scope survive a reload', async () => {
    const order = page.locator('.order')
    await order.getByRole('button', { name: 'Market', exact: true }).click()
    await order.locator('.unit').click()
    await page.locator('.book select').selectOption({ index: 2 })
    const group = await page.locator('.book select').inputValue()
    await page.locator('.scope').getByRole('button', { name: 'This market' }).click()
    await page.reload()
    await untilBook(page)
    await pressed('Market')
    await pressed('This market')
    await order.locator('.unit', { hasText: 'USDC' }).waitFor()
    await untilRight(
      'the book is grouped as before',
      () => page.locator('.book select').inputValue(),
      (shown) => shown === group,
    )
    await order.locator('.unit').click()
    await page.locator('.book select').selectOption({ index: 0 })
    await order.getByRole('button', { name: 'Limit', exact: true }).click()
    assert.deepEqual(opened.faults, [])
  })

  test('the Buy button stays in its place while a preview arrives', async () => {
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.place:enabled').waitFor({ timeout: READY_MS_MAX })
    const top = async () => (await page.locator('.place').boundingBox())?.y
    await takeFarPrice(page)
    const before = await top()
    await page.locator('.order').getByLabel(/^Size/).fill('0.3')
    await page.locator('.order-preview').waitFor()
    assert.equal(await top(), before)
  })

  test('the withdrawable amount follows a withdrawal with the balance', async () => {
    const account = page.locator('.account')
    await account.getByText('Deposit or withdraw').click()
    const withdrawable = account.getByRole('button', { name: /^Withdrawable/ })
    const before = await withdrawable.textContent()
    await account.getByLabel('Amount').fill('1,000')
    await account.locator('button[value=withdraw]:enabled').click()
    await account
      .locator('.pairs div', { hasText: 'Available' })
      .locator('dd', { hasNotText: '50,000.00' })
      .waitFor()
    await untilRight(
      'the amount is a new one',
      () => withdrawable.textContent(),
      (shown) => shown !== before,
    )
  })

  test('an order that was being sent during a reload is reported, and once', async () => {
    await page.route('**/orders', (route) =>
      route.request().method() === 'POST' ? undefined : route.continue(),
    )
    await page.locator('.place:enabled').click()
    await page.locator('.place', { hasText: 'Signing' }).waitFor()
    await page.reload()
    await page.getByText(/reloaded while it sent an order: buy 0.3 ETH-PERP/).waitFor()
    await page.unroute('**/orders')
    await page.reload()
    await untilBook(page)
    assert.equal(await page.getByText(/reloaded while it sent an order/).count(), 0)
  })
})
