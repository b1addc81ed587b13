// The whole venue except its chain is killed while a user has the page open and an order resting:
// the page reports it, shows the chain, and returns to the API once the venue is back.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { freePort } from '@openvenue/devnet/anvil'
import { copyTraded, newDataDir } from '@openvenue/e2e/venue'
import { isAlive, startProcess, type VenueProcess } from '@openvenue/e2e/venue-process'
import type { Browser } from 'playwright-core'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import { takeFarPrice } from './quiet-market.ts'
import { readBoth, untilBook } from './shown-market.ts'

/** A test wallet gets its money, deposits and registers: some twenty blocks. */
const READY_MS_MAX = 120_000
/** The chain is used after eight seconds; sockets reconnect within half a minute. */
const AWAY_MS_MAX = 90_000

describe('the page of a venue that is killed', () => {
  const dataDir = newDataDir()
  let env: Readonly<Record<string, string>> = {}
  let venue: VenueProcess
  let browser: Browser
  let opened: OpenPage
  before(async () => {
    // The venue restarts on the same ports.
    const ports = { PORT: String(await freePort()), ANVIL_PORT: String(await freePort()) }
    env = { ...ports, TRADERS: 'calm' }
    await copyTraded(dataDir)
    venue = await startProcess(dataDir, { env })
    browser = await startBrowser()
    opened = await openPage(browser, 'about:blank')
    // The venue hosts the page: what was not loaded before the kill cannot be loaded after it.
    const loaded = opened.page.waitForResponse(/chain-mode/)
    await opened.page.goto(`${venue.apiUrl}/?market=ETH-PERP`)
    await (await loaded).finished()
    await untilBook(opened.page)
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    venue?.process.kill('SIGKILL')
    if (venue !== undefined && isAlive(venue.anvilPid)) process.kill(venue.anvilPid, 'SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })

  const trust = (text: RegExp) =>
    opened.page.locator('.trust').filter({ hasText: text }).waitFor({ timeout: AWAY_MS_MAX })
  const orders = (text: string) => opened.page.locator('.tabs button').filter({ hasText: text })

  test('a user has a resting order before the venue is killed', async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.place:enabled').waitFor({ timeout: READY_MS_MAX })
    await takeFarPrice(page)
    const amount = page.locator('.order').getByLabel(/^Size/)
    await amount.fill('0.1')
    await amount.press('Enter')
    await orders('Orders (1)').click()
    // Waits until the order is on the chain, not only pending at the venue.
    await page.locator('.rows tbody tr', { hasText: 'open' }).waitFor()
  })

  test('the page switches to the chain and still shows the order', async () => {
    venue.process.kill('SIGKILL')
    assert.equal(await venue.ended, 'SIGKILL')
    await trust(/^chain · block [\d,]+/)
    await orders('Orders (1)').waitFor({ timeout: AWAY_MS_MAX })
    await opened.page.locator('.place:disabled').waitFor()
  })

  test('the page is exact again after the restart, without lost or duplicate orders', async () => {
    const { page, faults } = opened
    venue = await startProcess(dataDir, { env })
    await trust(/exact/)
    const { shown, asked } = await readBoth(page, venue.apiUrl)
    assert.deepEqual(shown, asked)
    await orders('Orders (1)').waitFor()
    await page.getByRole('button', { name: 'Cancel all' }).click()
    await page.locator('dialog[open] button.primary').click()
    await orders('Orders (0)').waitFor()
    assert.deepEqual(faults, [])
  })
})
