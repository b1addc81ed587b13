// The unusual states of the page, each set up by its real cause.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { TcpProxy } from '../../drills/src/net/tcp-proxy.ts'
import { findBarriers } from './barriers.ts'
import { AGAIN_MS_MAX, PageStates } from './page-states.ts'
import { untilRight } from './polling.ts'
import { readBoth, untilBook } from './shown-market.ts'
import { lookUnderToasts } from './under-toasts.ts'

const LAPTOP = { width: 1280, height: 800 }
const TABLET = { width: 768, height: 1024 }
const PHONE = { width: 360, height: 740 }

describe('a state of the page', () => {
  let states: PageStates
  let page: Page
  let connectingLine = ''
  before(async () => {
    states = await PageStates.start(TcpProxy.open)
    connectingLine = await states.connecting()
    page = states.page
  })
  after(() => states?.stop())
  afterEach(() => states.restore())
  beforeEach(async () => {
    await page.setViewportSize(LAPTOP)
    await states.go('Trade')
  })

  /** Checks the display with axe in both themes. */
  const look = async (what: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await findBarriers(page), [], `${what}, ${colorScheme}`)
    }
  }
  const leave = async () => {
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.querySelector('dialog[open], :popover-open') === null)
  }

  test('the page is connecting until an answer, then down until the venue is back', async () => {
    assert.match(connectingLine, /connecting/)
    await states.away()
    await look('the venue is away')
    await states.online()
    await untilBook(page)
    await states.gone(/The venue does not respond/)
  })

  test('the page is stale when nothing arrives, with grey prices and a warning', async () => {
    await states.stale()
    const color = (side: string) =>
      page
        .locator(`.${side} .price`)
        .first()
        .evaluate((price) => getComputedStyle(price).color)
    assert.equal(await color('asks'), await color('bids'), 'both sides are grey')
    await page
      .locator('.order')
      .getByText(/Prices may be outdated/)
      .waitFor()
    const seconds = async () =>
      Number(/Delayed (\d+) s/.exec((await page.locator('.trust').textContent()) ?? '')?.[1])
    const first = await untilRight('the delay is shown', seconds, (delay) => delay >= 2)
    await untilRight('the delay grows', seconds, (delay) => delay > first)
    await states.online()
  })

  test('the page is lost, then catching up, and exact again after a gap', async () => {
    await states.lost()
    await states.catchingUp()
    await states.online()
    const { shown, asked } = await readBoth(page, states.venue.devnet.apiUrl)
    assert.deepEqual(shown, asked)
  })

  test('the page shows that the guardian has halted a market, and when it resumes', async () => {
    await states.halt(true)
    await states.said(/ETH-PERP is halted: only reduce-only orders/)
    await page.locator('.facts', { hasText: '▲ halted' }).waitFor()
    await page
      .locator('.order')
      .getByText(/halted/)
      .first()
      .waitFor()
    await look('a halted market')
    await states.halt(false)
  })

  test('the page is correct after a reorganisation while an order is pending', async () => {
    await states.fund()
    await states.pending()
    await states.reorganise()
    await states.table('orders', 1)
    await page.locator('.rows td', { hasText: /^open$/ }).waitFor({ timeout: AGAIN_MS_MAX })
    await page.locator('.bids .own').first().waitFor({ timeout: AGAIN_MS_MAX })
    const { shown, asked } = await readBoth(page, states.venue.devnet.apiUrl)
    assert.deepEqual(shown, asked)
    await states.go('Status')
    const counted = page.getByText(/^[1-9]\d* since the page was opened/)
    await counted.waitFor({ timeout: AGAIN_MS_MAX })
    assert.equal(await counted.textContent(), '1 since the page was opened')
  })

  /** Places a resting order, through the sheet in layouts that have one. */
  const place = async (isPhone: boolean, amount = '0.1') => {
    if (isPhone) await page.locator('.trade-bar .buy').click()
    await states.field(/^Size/).fill(amount)
    // Enter does nothing while the button is disabled, as it is on outdated prices.
    await states.place().and(page.locator(':enabled')).waitFor()
    await states.field(/^Size/).press('Enter')
    await page.locator('.order-sheet[open]').waitFor({ state: 'detached' })
    await page
      .locator('.toasts p', { hasText: new RegExp(`(Submitted|Open): buy ${amount}`) })
      .last()
      .waitFor()
  }

  const cancelAll = async () => {
    await page.locator('h2').first().click()
    await page.keyboard.press('c')
    await page.locator('dialog[open] button.primary').click()
    await page
      .locator('.toasts p', { hasText: /orders? cancelled/ })
      .last()
      .waitFor()
    await states.table('orders', 0)
  }

  test('the outcome of an order is shown where it covers no control, at every width', async () => {
    // The handle of a single order has this width, wherever its line is.
    await cancelAll()
    for (const viewport of [LAPTOP, TABLET, PHONE]) {
      await page.setViewportSize(viewport)
      const views = viewport === PHONE ? ['Book', 'Positions', 'Account', 'Chart'] : []
      await place(viewport === PHONE)
      for (const view of [undefined, ...views]) {
        if (view !== undefined) await page.getByRole('tab', { name: view }).click()
        const { toasts, covered } = await lookUnderToasts(page)
        assert.ok(toasts > 0, `it is still said at ${viewport.width} px`)
        assert.deepEqual(covered, [], `${viewport.width} px ${view}`)
      }
      await page.setViewportSize(LAPTOP)
      await cancelAll()
      assert.deepEqual((await lookUnderToasts(page)).covered, [])
    }
  })

  test('the form of a phone stays open when an earlier order has news', async () => {
    const sheet = page.locator('.order-sheet[open]')
    await page.setViewportSize(PHONE)
    await place(true, '0.3')
    // The order is on the chain some time after the venue accepted it.
    await page.locator('.trade-bar .buy').click()
    await states.news(/Open: buy 0.3/)
    assert.ok(await sheet.isVisible())
    await page.locator('.sheet-handle').click()
    await sheet.waitFor({ state: 'detached' })
    await page.setViewportSize(LAPTOP)
    await cancelAll()
  })

  test('the page passes axe while a toast, a list or a dialog covers it', async () => {
    await states.pending()
    await page.locator('.toasts p:visible').first().waitFor()
    assert.deepEqual(await findBarriers(page), [], 'a toast')
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await page.locator('.notifications:popover-open').waitFor()
    await look('notifications')
    await states.field(/^Size/).fill('0.7')
    await page.getByRole('button', { name: /^Notifications/ }).focus()
    await leave()
    assert.equal(await states.field(/^Size/).inputValue(), '0.7', 'Escape closed the list alone')
    await states.table('orders', 1)
    await page.locator('.rows').getByRole('button', { name: /^Edit/ }).click()
    await page.locator('dialog[open]').getByLabel('Price').waitFor()
    await look('editing an order')
    await leave()
    await page.locator('h2').first().click()
    await page.keyboard.press('?')
    await page.locator('dialog[open]').getByText('Clear the order').waitFor()
    await look('the list of keys')
    await leave()
    await page.keyboard.press('Control+k')
    await page.locator('dialog[open]').getByRole('button', { name: 'Open ETH-USDC' }).waitFor()
    await look('the palette')
    await leave()
  })

  test('the page passes axe in chain mode', async () => {
    await states.byTheChain()
    await states.table('orders', 1)
    await look('by the chain alone')
    await states.online()
  })

  test('a near liquidation is reported once, in words, until the price has recovered', async () => {
    await states.close()
    await states.buy('2')
    await states.table('positions', 1)
    await states.nearLiquidation()
    const warned = page.locator('.liquidation')
    assert.equal(await warned.getByRole('alert').textContent(), '▲ Liquidation is near.')
    await warned.getByText(/margin is \d\d(\.\d+)?% of equity/).waitFor()
    await page.locator('.rows .near-badge').waitFor()
    await states.farFromLiquidation()
    await page.locator('.rows .near-badge').waitFor({ state: 'detached' })
  })

  test('the order form counts down while an account may not place more orders', async () => {
    await states.rateLimited()
    const place = states.place()
    await page
      .locator('.order')
      .getByText(/Too many requests. The button counts down/)
      .waitFor()
    const first = Number(/\d+/.exec((await place.textContent()) ?? '')?.[0])
    await page.waitForFunction(
      (before) => Number(/\d+/.exec(document.querySelector('.place')?.textContent ?? '')) < before,
      first,
    )
    await page.locator('.place:enabled').waitFor({ timeout: AGAIN_MS_MAX })
  })

  test('the page reports that trading is not live yet, and disables placing orders', async () => {
    await states.notLive()
    await page
      .locator('.order')
      .getByText(/not live .* Deposits, withdrawals and cancels work/)
      .first()
      .waitFor()
    await states.place().and(page.locator(':disabled')).waitFor()
    const visitor = await states.visitor()
    // The book is incomplete, because orders cannot be placed yet.
    await visitor.page.locator('.trust', { hasText: /block [\d,]+/ }).waitFor()
    await visitor.page.getByText(/deposits some of the money: orders are not accepted/).waitFor()
    assert.ok(await visitor.page.locator('.place').isDisabled())
    const words = (await visitor.page.locator('main.trade').textContent()) ?? ''
    assert.doesNotMatch(words, /To trade,|and trade|Enable trading/, 'no trade is promised')
    await visitor.close()
    assert.deepEqual(states.opened.faults, [])
  })

  test('the key of a test wallet is deleted after confirmation, and kept if declined', async () => {
    const dialog = page.locator('dialog[open]')
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await press('Sign out')
    await dialog.getByText(/is stored only in this browser/).waitFor()
    await press('Stay signed in')
    await dialog.waitFor({ state: 'detached' })
    await press('Sign out')
    await press('Sign out and forget it')
    await page.locator('.badge').waitFor({ state: 'detached' })
  })
})
