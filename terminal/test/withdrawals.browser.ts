// The page while an uncovered loss blocks margin withdrawals: the price falls, accounts end below
// zero with insurance empty, and the keeper flags, deleverages and clears.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChainClient } from '@openvenue/devnet/crash/chain-client'
import { runCrash } from '@openvenue/devnet/crash/crash'
import { rpcAt } from '@openvenue/devnet/rpc'
import { startVenue, type TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { findBarriers } from './barriers.ts'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import { readSecrets } from './kept-secrets.ts'

const LAPTOP = { width: 1280, height: 800 }
/** A test wallet gets its money, deposits and registers. */
const READY_MS_MAX = 120_000
/** Two reports of the fallen price, nominations, and 10 s after the loss was covered. */
const STOPPED_MS_MAX = 120_000
const BANNER = /Margin withdrawals and transfers are paused: a loss in ETH-PERP/

describe('a flagged loss', () => {
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage
  let page: Page
  before(async () => {
    venue = await startVenue({ pace: undefined, historyHours: 0 })
    browser = await startBrowser()
    opened = await openPage(browser, `${venue.devnet.apiUrl}/?market=ETH-PERP`, {
      viewport: LAPTOP,
    })
    page = opened.page
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.place:enabled').waitFor({ timeout: READY_MS_MAX })
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await venue?.remove()
  })

  const fall = async () => {
    const { apiUrl, rpcUrl, deployment, wallets } = venue.devnet
    const running = { apiUrl, rpc: rpcAt(rpcUrl), deployment, wallets, domainName: 'openvenue' }
    const client = new ChainClient(running, (ms) => sleep(ms))
    await runCrash(client, { insuranceDollars: 0n, returns: false, print: () => {} })
  }
  const banner = () => page.locator('.banners .banner', { hasText: BANNER })
  const withdraw = (state: 'enabled' | 'disabled') =>
    page.locator(`.account button[value=withdraw]:${state}`)
  const said = () => page.locator('#money-problems', { hasText: /margin withdrawals are paused/ })

  test('a flagged loss blocks margin withdrawals on the page until it is cleared', async () => {
    const account = page.locator('.account')
    await account.getByText('Deposit or withdraw').click()
    await account.getByLabel('Amount').fill('1')
    await withdraw('enabled').waitFor()
    assert.equal(await banner().count(), 0)
    const falling = fall()
    await banner().waitFor({ timeout: STOPPED_MS_MAX })
    await withdraw('disabled').waitFor()
    assert.match(
      (await said().textContent()) ?? '',
      /Cannot withdraw: margin withdrawals are paused until a loss in ETH-PERP is covered/,
    )
    assert.ok(await account.locator('button[value=deposit]').isEnabled(), 'deposits still work')
    assert.deepEqual(await findBarriers(page), [])
    await account.getByRole('combobox', { name: 'To', exact: true }).selectOption('spot')
    await said().waitFor({ state: 'detached' })
    await account.getByRole('combobox', { name: 'To', exact: true }).selectOption('perps')
    await falling
    await banner().waitFor({ state: 'detached', timeout: STOPPED_MS_MAX })
    await withdraw('enabled').waitFor()
    assert.equal(await said().count(), 0)
  })

  test('an account with margin is notified when a flagged loss starts and ends', async () => {
    const { apiKey } = await readSecrets(page)
    const headers = { 'api-key': apiKey.key, 'api-secret': apiKey.secret }
    const answer = await fetch(`${venue.devnet.apiUrl}/notifications`, { headers })
    const { notifications } = (await answer.json()) as {
      notifications: readonly { type: string; data: { block_number: number } }[]
    }
    const shown = notifications.filter(({ type }) => type.startsWith('withdrawals'))
    assert.deepEqual(
      shown.map(({ type }) => type),
      ['withdrawals_resumed', 'withdrawals_stopped'],
    )
    const [resumed, stopped] = shown.map(({ data }) => data.block_number)
    assert.ok(Number(stopped) < Number(resumed))
    await page
      .getByRole('button', { name: /notifications/i })
      .first()
      .click()
    await page.getByText('Withdrawals stopped').first().waitFor()
    await page.getByText('Withdrawals resumed').first().waitFor()
  })
})
