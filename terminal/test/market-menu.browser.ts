// The list of markets in the header: search, tabs, favourites, and the keyboard.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { findBarriers } from './barriers.ts'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import { useCommonVenue } from './common-venue.ts'
import { untilBook } from './shown-market.ts'

describe('the list of markets', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage
  before(async () => {
    venue = await use.start()
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await use.end()
  })
  afterEach(() => opened?.close())

  const open = async (market = 'ETH-PERP'): Promise<Page> => {
    opened = await openPage(browser, `${venue.devnet.apiUrl}/?market=${market}`)
    await untilBook(opened.page)
    return opened.page
  }
  const menu = (page: Page) => page.locator('.market-menu')
  const names = (page: Page) => menu(page).locator('.menu-market').allTextContents()
  const untilMarket = (page: Page, name: string) =>
    page.locator('.market-name', { hasText: name }).waitFor()

  test('the list of markets opens by a key, and opens the first match or the chosen one', async () => {
    const page = await open()
    await page.keyboard.press('/')
    await menu(page).getByRole('searchbox').waitFor()
    await page.keyboard.type('btc-p')
    assert.deepEqual(await names(page), ['BTC-PERP'])
    await page.keyboard.press('Enter')
    await menu(page).waitFor({ state: 'detached' })
    await untilMarket(page, 'BTC-PERP')
    await page.locator('.market-name').click()
    await menu(page).waitFor()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key)
    const [first = ''] = await names(page)
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), first)
    await page.keyboard.press('Enter')
    await untilMarket(page, first)
    assert.deepEqual(opened.faults, [])
  })

  test('the list of markets has tabs, passes axe in both themes, and closes outside', async () => {
    const page = await open()
    await page.locator('.market-name').click()
    const tab = (name: string) => menu(page).getByRole('button', { name, exact: true }).click()
    await tab('Spot')
    assert.ok((await names(page)).every((name) => !name.endsWith('-PERP')))
    await tab('Perpetuals')
    const perpetuals = await names(page)
    assert.ok(perpetuals.length > 1 && perpetuals.every((name) => name.endsWith('-PERP')))
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await findBarriers(page), [], colorScheme)
    }
    await tab('Favourites')
    await menu(page).getByText('No matching markets.').waitFor()
    await page.mouse.click(1_000, 500)
    await menu(page).waitFor({ state: 'detached' })
  })

  test('favourite markets are in a strip, also after a reload', async () => {
    const page = await open()
    await page.locator('.market-name').click()
    await menu(page).getByRole('button', { name: 'Favourite: BTC-PERP' }).click()
    await menu(page).getByRole('button', { name: 'Favourites', exact: true }).click()
    assert.deepEqual(await names(page), ['BTC-PERP'])
    await page.keyboard.press('Escape')
    await page.reload()
    await untilBook(page)
    await page
      .locator('.favourites')
      .getByRole('button', { name: /^BTC-PERP/ })
      .click()
    await untilMarket(page, 'BTC-PERP')
  })

  test('a link to an unknown market shows another market, with a message', async () => {
    const page = await open('NOPE-PERP')
    const words = page.getByText(/There is no market NOPE-PERP here/)
    await words.waitFor()
    await page.locator('.market-name').click()
    await menu(page).getByRole('button', { name: 'ETH-USDC', exact: true }).click()
    await untilMarket(page, 'ETH-USDC')
    assert.equal(await words.count(), 0)
  })

  test('Connect leads to the ways to an account, also on a phone', async () => {
    const page = await open()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.waitForFunction(() => document.activeElement?.closest('.account') !== null)
    }
  })
})
