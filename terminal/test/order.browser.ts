// The order form in a real browser: with a test wallet it takes a price from the book, rejects
// illegal values, places orders, shows their status on the chain, and works by keyboard.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ROLES } from '@openvenue/devnet/roles'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { encodeFunctionData, parseAbi } from 'viem'
import { findBarriers } from './barriers.ts'
import { type OpenPage, openPage, PATIENCE_MS, startBrowser } from './browser.ts'
import { useCommonVenue } from './common-venue.ts'
import { untilBlocks, untilRight } from './polling.ts'
import { takeDeepBid, takeFarPrice } from './quiet-market.ts'
import { untilBook } from './shown-market.ts'

/** A test wallet gets its money, deposits and registers: some twenty blocks. */
const READY_MS_MAX = 90_000

/** Halts ETH-PERP, or resumes it, as the guardian of the devnet. */
async function halt({ devnet }: TestVenue, isHalted: boolean): Promise<void> {
  const answer = await fetch(`${devnet.apiUrl}/markets/ETH-PERP`)
  const { instrument_id: id } = (await answer.json()) as { instrument_id: string }
  const abi = parseAbi(['function halt(uint32 market, bool halted)'])
  const data = encodeFunctionData({ abi, args: [Number(`0x${id.slice(42)}`), isHalted] })
  const params = [{ from: devnet.wallets[ROLES.guardian], to: id.slice(0, 42), data }]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params })
  const headers = { 'content-type': 'application/json' }
  const sent = await fetch(devnet.rpcUrl, { method: 'POST', headers, body })
  const { error } = (await sent.json()) as { error?: { message: string } }
  assert.equal(error, undefined)
}

describe('the order form', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage
  before(async () => {
    venue = await use.start()
    browser = await startBrowser()
    opened = await openPage(browser, `${venue.devnet.apiUrl}/?market=ETH-PERP`)
    await untilBook(opened.page)
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await use.end()
  })

  const field = (page: Page, label: RegExp) => page.locator('.order').getByLabel(label)
  const press = (page: Page, name: string) =>
    page.locator('.order').getByRole('button', { name, exact: true }).click()
  const news = (page: Page, text: RegExp) =>
    page.locator('.order-news p').filter({ hasText: text }).first().waitFor()

  test('the order form takes a price from the book, and describes the order to sign', async () => {
    const { page } = opened
    const price = await takeDeepBid(page)
    assert.equal(await field(page, /^Price/).inputValue(), price)
    await field(page, /^Size/).fill('0.5')
    await page.getByText(/^Buy 0.5 ETH-PERP for up to/).waitFor()
    assert.ok(await page.locator('.place').isDisabled(), 'there is no account to trade with')
  })

  test('the order form offers legal values for illegal ones, and keeps the typed one', async () => {
    const { page } = opened
    const amount = field(page, /^Size/)
    await amount.fill('1,000.50005')
    await page.getByRole('button', { name: 'use 1000.5001' }).click()
    assert.equal(await amount.inputValue(), '1000.5001')
    await amount.fill('0.2')
  })

  test('the order form previews and places an order, which is then in the book', async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.place:enabled').waitFor({ timeout: READY_MS_MAX })
    await page.locator('.order-preview').waitFor()
    await page.locator('.order-preview').getByText('Liq. price').waitFor()
    await field(page, /^Size/).press('Enter')
    await news(page, /Open: buy 0.2 ETH-PERP/)
    await page.locator('.bids .own').waitFor()
  })

  test('the order form shows the receipt of an order beside its status on the chain', async () => {
    const { page } = opened
    const placed = page.locator('.order-placed li').first()
    await placed.filter({ hasText: /Open: buy 0.2 ETH-PERP/ }).waitFor()
    await placed
      .locator('summary')
      .filter({ hasText: /Receipt #[\d,]+ · settles by block/ })
      .click()
    const url = await placed.locator('a').getAttribute('href')
    const statesOf = async () => {
      const { entries } = (await (await fetch(url ?? '')).json()) as {
        entries: readonly { state: string }[]
      }
      return entries.map(({ state }) => state)
    }
    await untilRight('the ledger says included', statesOf, (states) => states.includes('included'))
  })

  test('the order form signs an expiry date, and offers the nearest if it is past', async () => {
    const { page } = opened
    await page.locator('.order select').selectOption('GTD')
    const until = field(page, /^Until/)
    await until.fill('2020-01-01T00:00')
    await page.getByText('At least one minute from now').waitFor()
    await page.locator('.order .offer').first().click()
    await page.getByText(/; good til .* UTC/).waitFor()
    await page.locator('.order-hint').filter({ hasText: 'UTC' }).waitFor()
    await page.locator('.order select').selectOption('GTC')
  })

  test('the order form accepts a quote amount, and keeps the typed digits', async () => {
    const { page } = opened
    const amount = field(page, /^Size/)
    await amount.fill('1,234.50')
    await page.locator('.order .unit').click()
    await page
      .locator('.order-hint')
      .filter({ hasText: /ETH = 1,2\d\d\.\d+ USDC/ })
      .waitFor()
    const block = () => page.locator('.trust').textContent()
    const before = await block()
    await page.waitForFunction(
      (old) => document.querySelector('.trust')?.textContent !== old,
      before,
    )
    assert.equal(await amount.inputValue(), '1,234.50')
    await page.locator('.order .unit').click()
    await amount.fill('0.2')
  })

  test('the wallet sets the leverage after the page has shown what will change', async () => {
    const { page } = opened
    const button = page.locator('.leverage')
    await button.filter({ hasText: 'Leverage 20×' }).click()
    const dialog = page.locator('dialog.modal')
    await dialog.getByLabel(/^Leverage/).fill('50')
    await dialog.getByText('A whole number from 1 to 20').waitFor()
    await dialog.getByRole('button', { name: 'use 20' }).click()
    await dialog.getByLabel(/^Leverage/).fill('5')
    await dialog.getByText('Margin here').waitFor()
    await dialog.getByText(/one transaction, setLeverage\(ETH-PERP, 5\)/).waitFor()
    await dialog.getByRole('button', { name: 'Set 5×' }).click()
    await dialog.waitFor({ state: 'detached' })
    await button.filter({ hasText: 'Leverage 5×' }).waitFor()
  })

  test('a market sell needs only the keyboard, and its price is reported', async () => {
    const { page } = opened
    await page.locator('h2').first().click()
    await page.keyboard.press('s')
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT')
    await page.keyboard.press('Escape')
    await press(page, 'Market')
    await page.locator('h2').first().click()
    await page.keyboard.press('s')
    await page.keyboard.type('0.1')
    await page.locator('.order-preview').waitFor()
    await page.keyboard.press('Enter')
    await news(page, /Filled: sell 0.1 ETH-PERP at/)
  })

  test('the closing dialog closes a part of a position', async () => {
    const { page } = opened
    const close = page.locator('.bottom').getByRole('button', { name: /^close ETH-PERP/ })
    await close.click()
    const dialog = page.locator('dialog.modal')
    // Its code is loaded with the first dialog.
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.match((await page.evaluate(() => document.activeElement?.ariaLabel)) ?? '', /^close ETH/)
    await close.click()
    await dialog.getByRole('button', { name: '50 %' }).click()
    await dialog.getByText(/^Buy 0.05 ETH-PERP for up to .*reduce-only/).waitFor()
    await dialog.getByRole('button', { name: 'Close 50 %' }).click()
    await news(page, /Filled: buy 0.05 ETH-PERP at/)
    await page.locator('.bottom').getByText('short 0.05').waitFor()
  })

  test('an order whose answer was lost is resent, and never placed a second time', async () => {
    const { page } = opened
    const orders = page.locator('.bottom').getByRole('button', { name: /^orders \(/i })
    const [before = 0] = [Number(/\d+/.exec((await orders.textContent()) ?? '')?.[0])]
    await takeFarPrice(page)
    await press(page, 'Buy')
    await field(page, /^Size/).fill('0.3')
    await page.getByText(/^Buy 0.3 ETH-PERP/).waitFor()
    let lost = 0
    await page.route('**/orders', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      lost++
      await route.fetch()
      await route.abort()
    })
    await page.locator('.place').click()
    await page.getByText(/The venue did not answer/).waitFor()
    assert.ok(lost >= 1)
    await page.unroute('**/orders')
    await page.locator('.place').click()
    await page
      .locator('.order-placed li')
      .filter({ hasText: /buy 0.3 ETH-PERP/ })
      .waitFor()
    await orders.filter({ hasText: `(${before + 1})` }).waitFor()
    const ids = page.locator('.order-placed li').filter({ hasText: /buy 0.3 ETH-PERP/ })
    assert.equal(await ids.count(), 1)
  })

  test('a key cancels resting orders after confirmation, another reads the market', async () => {
    const { page } = opened
    const said = page.locator('.keys-said')
    await page.locator('h2').first().click()
    await page.keyboard.press('c')
    await page.getByText('Cancel 2 orders of ETH-PERP?').waitFor()
    await page.keyboard.press('Escape')
    await said.filter({ hasText: 'No orders cancelled' }).waitFor()
    await page.keyboard.press('c')
    await page.getByText('Cancel 2 orders of ETH-PERP?').waitFor()
    await page.keyboard.press('Enter')
    await said.filter({ hasText: '2 orders cancelled' }).waitFor()
    await news(page, /Cancelled: buy 0.2 ETH-PERP/)
    await page.keyboard.press('r')
    await said.filter({ hasText: /ETH-PERP: bid .*, ask .*, spread .*, short 0.05/ }).waitFor()
  })

  test('a halted market turns reduce-only on, with the reason, and off afterwards', async () => {
    const { page } = opened
    const flag = field(page, /^Reduce-only/)
    assert.equal(await flag.isChecked(), false)
    await halt(venue, true)
    await page.getByText(/so reduce-only is on/).waitFor()
    assert.equal(await flag.isChecked(), true)
    await page.locator('.place.buy:enabled').waitFor()
    await press(page, 'Sell')
    await page.getByText(/The position is short: a reducing order buys/).waitFor()
    await page.locator('.place:disabled').waitFor()
    await press(page, 'Buy')
    await halt(venue, false)
    await page.getByText(/so reduce-only is on/).waitFor({ state: 'detached' })
    assert.equal(await flag.isChecked(), false)
  })

  test('a stop against an open position is reduce-only, unless the user turns that off', async () => {
    const { page } = opened
    const flag = field(page, /^Reduce-only/)
    const untilChecked = (isWanted: boolean) =>
      untilRight(
        `reduce-only is ${isWanted}`,
        () => flag.isChecked(),
        (isChecked) => isChecked === isWanted,
      )
    await press(page, 'Stop')
    await untilChecked(true)
    await flag.uncheck()
    await untilBlocks(venue.devnet.apiUrl, 2)
    assert.equal(await flag.isChecked(), false)
    await press(page, 'Sell')
    await untilChecked(false)
    await press(page, 'Buy')
    await untilChecked(true)
    await press(page, 'Limit')
    await untilChecked(false)
  })

  test('the order form warns of outdated prices, and then needs confirmation', async () => {
    const { page } = opened
    const { anvil } = venue.devnet.pids()
    process.kill(anvil, 'SIGSTOP')
    try {
      await page.locator('.order-stale').waitFor()
      await page.locator('.place:disabled').waitFor()
      await field(page, /^Place anyway/).check()
      await page.locator('.place:enabled').waitFor()
    } finally {
      process.kill(anvil, 'SIGCONT')
    }
    await page.locator('.order-stale').waitFor({ state: 'detached' })
  })

  test('the order form and its dialogs pass axe in both themes, and fit a phone', async () => {
    const other = await openPage(browser, `${venue.devnet.apiUrl}/?market=ETH-PERP`)
    const { page } = other
    await untilBook(page)
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.place:enabled').waitFor({ timeout: READY_MS_MAX })
    type Scheme = 'dark' | 'light'
    const look = async (what: string, schemes: readonly Scheme[]) => {
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await findBarriers(page), [], `${what}, ${colorScheme}`)
      }
    }
    await takeFarPrice(page)
    await field(page, /^Size/).fill('0.2')
    await page.locator('.order-preview').waitFor()
    await page.locator('.place').click()
    await page.locator('.order-placed').waitFor()
    await field(page, /^Size/).fill('0.00005')
    await page.locator('.order select').selectOption('GTD')
    await page.locator('.order .offer').nth(2).waitFor()
    await look('the form', ['dark', 'light'])
    await page.locator('.leverage').click()
    await page.locator('dialog.modal').waitFor()
    await look('leverage', ['dark', 'light'])
    await page.keyboard.press('Escape')
    await press(page, 'Market')
    await field(page, /^Size/).fill('0.1')
    await page.locator('.order-preview').waitFor()
    await field(page, /^Size/).press('Enter')
    await page
      .locator('.bottom')
      .getByRole('button', { name: /^close/ })
      .click()
    await page
      .locator('dialog.modal')
      .getByText(/reduce-only/)
      .waitFor()
    await look('closing', ['light'])
    await page.keyboard.press('Escape')
    await page.locator('.bottom').getByRole('button', { name: 'Close all' }).click()
    await page.getByText('Close 1 position?').waitFor()
    await look('asking', ['dark'])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 360, height: 780 })
    await page.locator('.trade-bar .buy').click()
    const wide = await page
      .locator('.order')
      .evaluate((form) => form.scrollWidth - form.clientWidth)
    assert.equal(wide, 0)
    await look('the sheet', ['light'])
    await other.close()
  })

  test('the order form lists its keys, and the palette opens another market by name', async () => {
    const { page, faults } = opened
    await page.locator('h2').first().click()
    await page.keyboard.press('?')
    await page.locator('dialog[open]').getByText('Clear the order').waitFor()
    await page.keyboard.press('Escape')
    await showMarket(page, 'ETH-USDC')
    assert.deepEqual(faults, [])
  })

  test('clears the typed amount when the market changes', async () => {
    const { page } = opened
    const amount = field(page, /^Size/)
    await amount.fill('5')
    await showMarket(page, 'BTC-PERP')
    await untilRight(
      'the amount is empty',
      () => amount.inputValue(),
      (text) => text === '',
    )
  })
})

/** Opens a market by its name, from the keyboard. */
async function showMarket(page: Page, name: string): Promise<void> {
  await page.locator('h2').first().click()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(`open ${name.toLowerCase()}`)
  await page.keyboard.press('Enter')
  await page.waitForFunction((market) => document.title.includes(market), name, {
    timeout: PATIENCE_MS,
  })
}
