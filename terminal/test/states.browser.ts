// The states of the page that are not the usual one, each brought about for real: the network
// between page and venue fails, the guardian halts a market, the chain takes blocks back, the venue
// counts orders, and a venue starts before its trading does.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { perpsAdminAbi } from '@openvenue/contracts/abi/perps-admin'
import { parseConfig } from '@openvenue/devnet/config'
import { ChainClient } from '@openvenue/devnet/crash/chain-client'
import { rpcAt } from '@openvenue/devnet/rpc'
import { startVenue, type TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { encodeFunctionData } from 'viem'
import { TcpProxy } from '../../drills/src/net/tcp-proxy.ts'
import { type Opened, openPage, startBrowser } from './browser.ts'
import { readBoth, untilBook } from './shown-market.ts'
import { staticHost } from './static-host.ts'

const MARKET = 'ETH-PERP'
const GUARDIAN = 0
const GAS = 500_000
/** A test wallet gets its money, deposits and registers: some twenty blocks. */
const READY_MS_MAX = 90_000
/** A connection that is tried again, with pauses, or a venue that starts again. */
const AGAIN_MS_MAX = 90_000
/** More than the venue can be behind, and no more than the node can go back. */
const REORG_DEPTH = 5
/** One way of a network that takes its time: between a connection and its first news. */
const SLOW_MS = 1_000
const FEW_ORDERS = { points: 2, seconds: 20 }

describe('a state of the page', () => {
  let venue: TestVenue
  let proxy: TcpProxy
  let host: Awaited<ReturnType<typeof staticHost>>
  let browser: Browser
  let opened: Opened
  let page: Page
  before(async () => {
    venue = await startVenue()
    proxy = await TcpProxy.open(Number(new URL(venue.devnet.apiUrl).port))
    host = await staticHost({ apiUrl: `http://127.0.0.1:${proxy.port}` })
    browser = await startBrowser()
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    host?.server.close()
    host?.server.closeAllConnections()
    await proxy?.close()
    await venue?.remove()
  })

  beforeEach(() => opened?.page.locator('.page-links a', { hasText: 'Trade' }).click())

  const banner = (text: RegExp) => page.locator('.banners .banner', { hasText: text }).first()
  const said = (text: RegExp) => banner(text).waitFor({ timeout: AGAIN_MS_MAX })
  const gone = (text: RegExp) => banner(text).waitFor({ state: 'detached', timeout: AGAIN_MS_MAX })
  const isOpen = () =>
    page.waitForFunction(
      () =>
        document.querySelector('.shell.stale') === null &&
        /exact/.test(document.querySelector('.trust')?.textContent ?? ''),
      undefined,
      { timeout: AGAIN_MS_MAX },
    )
  const client = () => {
    const { apiUrl, rpcUrl, deployment, wallets } = venue.devnet
    const running = { apiUrl, rpc: rpcAt(rpcUrl), deployment, wallets, domainName: 'openvenue' }
    return new ChainClient(running, (ms) => sleep(ms))
  }
  const news = (text: RegExp) =>
    page.locator('.order-news p', { hasText: text }).first().waitFor({ timeout: AGAIN_MS_MAX })
  const field = (name: RegExp) => page.locator('.order').getByLabel(name)
  const restart = async (overrides: Parameters<typeof startVenue>[0]) => {
    const { dataDir, devnet } = venue
    const port = Number(new URL(devnet.apiUrl).port)
    await devnet.stop()
    venue = await startVenue({ dataDir, port, ...overrides })
  }

  test('is said while nobody has answered yet, then that nobody does, until somebody does', async () => {
    proxy.fail({ mode: 'freeze' })
    opened = await openPage(browser, `${host.url}/?market=${MARKET}`)
    page = opened.page
    await said(/Connecting to the venue/)
    assert.match((await page.locator('.trust').textContent()) ?? '', /connecting/)
    await said(/The venue does not answer/)
    proxy.restore()
    await untilBook(page)
    await gone(/The venue does not answer/)
    await isOpen()
  })

  test('is stale when nothing comes: prices turn grey, and the form warns', async () => {
    proxy.fail({ mode: 'freeze' })
    await said(/Nothing new has come/)
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
    proxy.restore()
    await isOpen()
  })

  test('is lost, then catching up, and exact again after a gap', async () => {
    proxy.fail({ mode: 'cut' })
    await said(/The connection is lost/)
    proxy.fail({ mode: 'delay', delayMs: SLOW_MS, direction: 'down' })
    await said(/what was missed is on its way/)
    proxy.restore()
    await isOpen()
    const { shown, asked } = await readBoth(page, venue.devnet.apiUrl)
    assert.deepEqual(shown, asked)
  })

  test('is that of a market that the guardian halts, and that goes on', async () => {
    const chain = client()
    const halt = async (isHalted: boolean) => {
      const { perps } = venue.devnet.deployment
      const market = await marketNumber(venue.devnet.apiUrl)
      const args = [market, isHalted] as const
      const data = encodeFunctionData({ abi: perpsAdminAbi, functionName: 'halt', args })
      await chain.send([{ from: chain.wallet(GUARDIAN), to: perps, data, gas: GAS }])
    }
    await halt(true)
    await said(/ETH-PERP is halted: only orders that reduce/)
    await page.locator('.facts', { hasText: '▲ halted' }).waitFor()
    await page
      .locator('.order')
      .getByText(/halted/)
      .first()
      .waitFor()
    await halt(false)
    await gone(/is halted/)
  })

  test('is right after blocks are taken back while an order is pending', async () => {
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.place:enabled').waitFor({ timeout: READY_MS_MAX })
    // Deep enough that nobody trades with it meanwhile.
    await page.locator('.bids tr').nth(11).click()
    await field(/^Amount/).fill('0.2')
    await page.locator('.order-preview').waitFor()
    await page.locator('.place').click()
    await news(/Pending: buy 0.2 ETH-PERP/)
    await rpcAt(venue.devnet.rpcUrl).call('anvil_reorg', REORG_DEPTH, [])
    await page.getByRole('button', { name: /^orders \(1\)/i }).click({ timeout: AGAIN_MS_MAX })
    await page.locator('.rows td', { hasText: /^open$/ }).waitFor({ timeout: AGAIN_MS_MAX })
    await page.locator('.bids .own').first().waitFor({ timeout: AGAIN_MS_MAX })
    const { shown, asked } = await readBoth(page, venue.devnet.apiUrl)
    assert.deepEqual(shown, asked)
    await page.locator('.page-links a', { hasText: 'Status' }).click()
    const counted = page.getByText(/^[1-9]\d* since the page was opened/)
    await counted.waitFor({ timeout: AGAIN_MS_MAX })
    assert.equal(await counted.textContent(), '1 since the page was opened')
  })

  test('counts down while the venue takes no more orders of an account', async () => {
    await restart({ ordersRate: FEW_ORDERS })
    await isOpen()
    await page.locator('.place:enabled').waitFor({ timeout: AGAIN_MS_MAX })
    await page.locator('.order').getByRole('button', { name: 'Limit', exact: true }).click()
    await page.locator('.bids tr').nth(6).click()
    const place = page.locator('.place')
    for (let order = 0; order <= FEW_ORDERS.points; order++) {
      await place.and(page.locator(':enabled')).waitFor()
      await field(/^Amount/).fill('0.1')
      await place.click()
      await page.locator('.place', { hasNotText: 'Signing' }).waitFor()
    }
    await page.locator('.place:disabled', { hasText: /Again in \d+ s/ }).waitFor()
    const seconds = async () => Number(/\d+/.exec((await place.textContent()) ?? '')?.[0])
    const first = await seconds()
    await page.waitForFunction(
      (before) => Number(/\d+/.exec(document.querySelector('.place')?.textContent ?? '')) < before,
      first,
    )
    await page.locator('.place:enabled').waitFor({ timeout: AGAIN_MS_MAX })
  })

  test('says that trading is not live yet, and lets nobody place', async () => {
    await restart({ settings: parseConfig({ TRADING: 'coming_soon' }).settings })
    await page.reload()
    await said(/Trading is not live on this network yet/)
    await page
      .locator('.order')
      .getByText(/not live|no orders/)
      .first()
      .waitFor()
    assert.deepEqual(opened.faults, [])
  })
})

async function marketNumber(apiUrl: string): Promise<number> {
  type Row = Readonly<{ instrument_name: string; instrument_id: string }>
  const markets = (await (await fetch(`${apiUrl}/markets`)).json()) as readonly Row[]
  const id = markets.find(({ instrument_name }) => instrument_name === MARKET)?.instrument_id ?? ''
  return Number.parseInt(id.slice(-8), 16)
}
