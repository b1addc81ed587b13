// Exported tables and buying power in a real browser, with a test wallet.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import { readBuyingPower } from './buying-power.ts'
import { useCommonVenue } from './common-venue.ts'
import { savedRows } from './exported.ts'
import { untilRight } from './polling.ts'
import { readerOf } from './reader-key.ts'
import { goTo, untilBook } from './shown-market.ts'

/** A test wallet gets its money, deposits and registers: some twenty blocks. */
const READY_MS_MAX = 120_000
const MARKET = 'ETH-PERP'

describe('the tables of the page', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage
  before(async () => {
    venue = await use.start()
    browser = await startBrowser()
    const url = `${venue.devnet.apiUrl}/?market=${MARKET}`
    opened = await openPage(browser, url, { acceptDownloads: true })
    const { page } = opened
    await untilBook(page)
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.account .pairs').waitFor({ timeout: READY_MS_MAX })
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await use.end()
  })

  const sheet = (page: Page) => page.locator('main.sheet')

  test('the buying power is free margin times leverage, equal to REST to the cent', async () => {
    const { page } = opened
    const reader = await readerOf(page, venue.devnet.apiUrl)
    await untilRight(
      'the page shows the buying power of REST',
      () => readBuyingPower(page, reader, MARKET),
      ({ shown, exact }) => shown === exact && !shown.startsWith('0.00'),
    )
  })

  test('each table of the page is exported by a button of its own', async () => {
    const { page, faults } = opened
    const [balance] = await savedRows(page, 'Balances')
    assert.match(balance?.Total ?? '', /^\d+(\.\d+)?$/)
    const address = (await page.locator('.badge [title^="0x"]').getAttribute('title')) ?? ''
    await goTo(page, 'Markets')
    const links = sheet(page).locator('.list tbody a')
    await links.first().waitFor()
    const names = await links.allTextContents()
    const markets = await savedRows(page, 'Markets')
    // Volumes change: two markets may have swapped places.
    assert.deepEqual(markets.map((row) => row.Market).toSorted(), names.toSorted())
    await goTo(page, 'Keys')
    const keys = await savedRows(page, 'API keys')
    assert.deepEqual(
      keys.map((row) => row['Key']?.endsWith('…')),
      [true, true],
    )
    const [canceller] = await savedRows(page, 'Cancel-only permissions')
    assert.equal(canceller?.Canceller, 'the venue')
    await goTo(page, 'Sub-accounts')
    const [main] = await savedRows(page, 'Sub-accounts')
    assert.equal(main?.Address?.toLowerCase(), address.toLowerCase())
    await goTo(page, 'View address')
    // A trader of the devnet: a new account has nothing available besides its deposit.
    const accounts = (await rpcAt(venue.devnet.rpcUrl).call('eth_accounts')) as string[]
    await sheet(page)
      .getByLabel(/^Address/)
      .fill(accounts[ROLES.traders[0]] ?? '')
    await sheet(page).getByRole('button', { name: 'View', exact: true }).click()
    const [token] = await savedRows(page, 'Available spot tokens')
    assert.ok(token !== undefined && token.Token !== '')
    assert.deepEqual(faults, [])
  })
})
