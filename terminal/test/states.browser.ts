// The states of the page that are not the usual one, each brought about for real.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { TcpProxy } from '../../drills/src/net/tcp-proxy.ts'
import { AGAIN_MS_MAX, PageStates } from './page-states.ts'
import { readBoth, untilBook } from './shown-market.ts'

describe('a state of the page', () => {
  let states: PageStates
  let page: Page
  before(async () => {
    states = await PageStates.start(TcpProxy.open)
    await states.connecting()
    page = states.page
  })
  after(() => states?.stop())
  beforeEach(() => states.go('Trade'))

  test('is said while nobody has answered yet, then that nobody does, until somebody does', async () => {
    assert.match((await page.locator('.trust').textContent()) ?? '', /connecting/)
    await states.away()
    await states.online()
    await untilBook(page)
    await states.gone(/The venue does not answer/)
  })

  test('is stale when nothing comes: prices turn grey, and the form warns', async () => {
    await states.stale()
    const color = (side: string) =>
      page
        .locator(`.${side} .price`)
        .first()
        .evaluate((price) => getComputedStyle(price).color)
    assert.equal(await color('asks'), await color('bids'), 'both sides are grey')
    await page
      .locator('.order')
      .getByText(/What is shown is old/)
      .waitFor()
    await states.online()
  })

  test('is lost, then catching up, and exact again after a gap', async () => {
    await states.lost()
    await states.catchingUp()
    await states.online()
    const { shown, asked } = await readBoth(page, states.venue.devnet.apiUrl)
    assert.deepEqual(shown, asked)
  })

  test('is that of a market that the guardian halts, and that goes on', async () => {
    await states.halt(true)
    await states.said(/ETH-PERP is halted: only orders that reduce/)
    await page.locator('.facts', { hasText: '▲ halted' }).waitFor()
    await page
      .locator('.order')
      .getByText(/halted/)
      .first()
      .waitFor()
    await states.halt(false)
  })

  test('is right after blocks are taken back while an order is pending', async () => {
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

  test('warns that a liquidation is near, in words and once, until the price is back', async () => {
    await states.close()
    await states.buy('2')
    await states.table('positions', 1)
    await states.nearLiquidation()
    const warned = page.locator('.liquidation')
    assert.equal(await warned.getByRole('alert').textContent(), '▲ Liquidation is near.')
    await warned.getByText(/margin takes \d\d(\.\d+)?% of the equity/).waitFor()
    await page.locator('.rows .near-badge').waitFor()
    await states.farFromLiquidation()
    assert.equal(await page.locator('.rows .near-badge').count(), 0)
  })

  test('counts down while the venue takes no more orders of an account', async () => {
    await states.rateLimited()
    const place = states.place()
    const first = Number(/\d+/.exec((await place.textContent()) ?? '')?.[0])
    await page.waitForFunction(
      (before) => Number(/\d+/.exec(document.querySelector('.place')?.textContent ?? '')) < before,
      first,
    )
    await page.locator('.place:enabled').waitFor({ timeout: AGAIN_MS_MAX })
  })

  test('says that trading is not live yet, and lets nobody place', async () => {
    await states.notLive()
    await page
      .locator('.order')
      .getByText(/not live|no orders/)
      .first()
      .waitFor()
    assert.deepEqual(states.opened.faults, [])
  })

  test('asks before the key of a test wallet is forgotten, and keeps it after a no', async () => {
    const dialog = page.locator('dialog[open]')
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await press('Sign out')
    await dialog.getByText(/is kept in this browser alone/).waitFor()
    await press('Stay signed in')
    await dialog.waitFor({ state: 'detached' })
    await press('Sign out')
    await press('Sign out and forget it')
    await page.locator('.badge').waitFor({ state: 'detached' })
  })
})
