// Brings the page into each of its unusual states by real causes: the network between page and
// venue fails, the guardian halts a market, the price falls, the chain reorganises, the venue
// limits orders, or starts before trading is live. Used by tests and for pictures.
import { setTimeout as sleep } from 'node:timers/promises'
import { perpsAdminAbi } from '@openvenue/contracts/abi/perps-admin'
import { parseConfig } from '@openvenue/devnet/config'
import { ChainClient } from '@openvenue/devnet/crash/chain-client'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { encodeFunctionData } from 'viem'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import { startPageVenue } from './page-venue.ts'
import { untilBlocks } from './polling.ts'
import { takeDeepBid, takeFarPrice } from './quiet-market.ts'
import { goTo } from './shown-market.ts'
import { staticHost } from './static-host.ts'

const MARKET = 'ETH-PERP'
/** A test wallet gets its money, deposits and registers: some twenty blocks. */
const READY_MS_MAX = 90_000
/** Time for a reconnection with its pauses, or for a restart of the venue. */
export const AGAIN_MS_MAX = 90_000
const HALT_GAS = 500_000
/** One-way delay of a slow network, between a connection and its first message. */
const SLOW_MS = 1_500
/** Deeper than the venue can lag, and within the depth that the node can revert. */
const REORG_DEPTH = 5
const FEW_ORDERS = { points: 2, seconds: 20 }
/** Amount left in the account above the required margin, whole units. */
const MARGIN_LEFT = 20n
/** Thousandths by which the price falls at first, then per step. */
const FALLS = { first: 64n, next: 3n, max: 20 }
/** A fill is shown before it is on the chain, and withdrawals use the state of the chain. */
const WITHDRAWALS_MAX = 5
const FILL_BLOCKS = 5
const ETH = 'ETH'
const THOUSAND = 1_000n

/** A network between page and venue, as in the drills. */
type Network = Readonly<{
  port: number
  fail(
    fault:
      | Readonly<{ mode: 'freeze' | 'cut' }>
      | Readonly<{ mode: 'delay'; delayMs: number; direction: 'down' }>,
  ): void
  restore(): void
  close(): Promise<void>
}>

/** A venue, a network in front of it that can fail, and a page opened through it. */
export class PageStates {
  venue: TestVenue
  readonly #proxy: Network
  readonly #host: Awaited<ReturnType<typeof staticHost>>
  readonly #browser: Browser
  #opened: OpenPage | undefined

  private constructor(
    venue: TestVenue,
    proxy: Network,
    host: Awaited<ReturnType<typeof staticHost>>,
    browser: Browser,
  ) {
    this.venue = venue
    this.#proxy = proxy
    this.#host = host
    this.#browser = browser
  }

  static async start(openNetwork: (port: number) => Promise<Network>): Promise<PageStates> {
    const venue = await startPageVenue()
    const proxy = await openNetwork(Number(new URL(venue.devnet.apiUrl).port))
    const host = await staticHost({ apiUrl: `http://127.0.0.1:${proxy.port}` })
    return new PageStates(venue, proxy, host, await startBrowser())
  }

  async stop(): Promise<void> {
    await this.#opened?.close()
    await this.#browser.close()
    this.#host.server.close()
    this.#host.server.closeAllConnections()
    await this.#proxy.close()
    await this.venue.remove()
  }

  get opened(): OpenPage {
    if (this.#opened === undefined) throw new Error('no page is open')
    return this.#opened
  }

  get page(): Page {
    return this.opened.page
  }

  /* VISIBLE STATE */

  readonly banner = (text: RegExp) =>
    this.page.locator('.banners .banner, .liquidation', { hasText: text }).first()
  readonly said = (text: RegExp) => this.banner(text).waitFor({ timeout: AGAIN_MS_MAX })
  readonly gone = (text: RegExp) =>
    this.banner(text).waitFor({ state: 'detached', timeout: AGAIN_MS_MAX })
  readonly news = (text: RegExp) =>
    this.page.locator('.order-news p', { hasText: text }).first().waitFor({ timeout: AGAIN_MS_MAX })
  readonly field = (name: RegExp) => this.page.locator('.order').getByLabel(name)
  readonly place = () => this.page.locator('.place')
  readonly go = (name: string) => goTo(this.page, name)
  /** Opens a table below the chart once it has `rows` rows. */
  readonly table = (name: string, rows: number) =>
    this.page
      .getByRole('button', { name: new RegExp(`^${name} \\(${rows}\\)`, 'i') })
      .click({ timeout: AGAIN_MS_MAX })

  /** Waits until the page reports that its book is complete and exact. */
  readonly isExact = () =>
    this.page.waitForFunction(
      () =>
        document.querySelector('.shell.stale') === null &&
        /exact/.test(document.querySelector('.trust')?.textContent ?? ''),
      undefined,
      { timeout: AGAIN_MS_MAX },
    )

  /* THE NETWORK */

  /**
   * Opens the page while nothing answers, and returns its trust line at that time: on a slow
   * machine the state ends soon after the page is loaded.
   */
  async connecting(options: BrowserContextOptions = {}): Promise<string> {
    this.#proxy.fail({ mode: 'freeze' })
    this.#opened = await openPage(this.#browser, 'about:blank', options)
    const reading = this.said(/Connecting to the venue/).then(() =>
      this.page.locator('.trust').textContent(),
    )
    const [line] = await Promise.all([
      reading,
      this.page.goto(`${this.#host.url}/?market=${MARKET}`),
    ])
    return line ?? ''
  }

  /** Opens the page again in a new context without stored data. */
  visitor(): Promise<OpenPage> {
    return openPage(this.#browser, `${this.#host.url}/?market=${MARKET}`)
  }

  /** Continues until the page reports that the venue does not respond. */
  readonly away = () => this.said(/The venue does not respond/)

  /** Connections stay open, but no data arrives. */
  async stale(): Promise<void> {
    this.#proxy.fail({ mode: 'freeze' })
    await this.said(/Live data delayed/)
  }

  /** Connections are cut. */
  async lost(): Promise<void> {
    this.#proxy.fail({ mode: 'cut' })
    await this.said(/Connection lost/)
  }

  /** Continues with a slow network: the page has reconnected and is catching up. */
  async catchingUp(): Promise<void> {
    this.#proxy.fail({ mode: 'delay', delayMs: SLOW_MS, direction: 'down' })
    await this.said(/Reconnected: catching up/)
  }

  /** The API stays down, and the page knows a chain node. */
  async byTheChain(): Promise<void> {
    this.#proxy.fail({ mode: 'cut' })
    await this.said(/uses the chain only/)
    await this.page
      .locator('.trust', { hasText: /chain · block/ })
      .waitFor({ timeout: AGAIN_MS_MAX })
  }

  restore(): void {
    this.#proxy.restore()
  }

  /** Restores the network and waits until the page is up to date. */
  async online(): Promise<void> {
    this.restore()
    await this.isExact()
  }

  /* THE VENUE */

  /** Halts the market as the guardian, or resumes it. */
  async halt(isHalted: boolean): Promise<void> {
    const chain = this.#chain()
    const { perps } = this.venue.devnet.deployment
    const args = [await marketNumber(this.venue.devnet.apiUrl), isHalted] as const
    const data = encodeFunctionData({ abi: perpsAdminAbi, functionName: 'halt', args })
    await chain.send([{ from: chain.wallet(ROLES.guardian), to: perps, data, gas: HALT_GAS }])
    await (isHalted ? this.said(/ETH-PERP is halted/) : this.gone(/is halted/))
  }

  /** Lowers the venue's order limit of an account, so that one more order has to wait. */
  async rateLimited(): Promise<void> {
    await this.#restart({ ordersRate: FEW_ORDERS })
    await this.place().and(this.page.locator(':enabled')).waitFor({ timeout: AGAIN_MS_MAX })
    await takeFarPrice(this.page)
    for (let order = 0; order <= FEW_ORDERS.points; order++) {
      await this.place().and(this.page.locator(':enabled')).waitFor()
      await this.field(/^Size/).fill('0.1')
      await this.place().click()
      await this.page.locator('.place', { hasNotText: 'Signing' }).waitFor()
    }
    await this.page.locator('.place:disabled', { hasText: /Retry in \d+ s/ }).waitFor()
  }

  /** Starts the venue before its trading is live. */
  async notLive(): Promise<void> {
    await this.#restart({ settings: parseConfig({ TRADING: 'coming_soon' }).settings })
    await this.page.reload()
    await this.said(/Trading is not live on this network yet/)
  }

  async #restart(overrides: Parameters<typeof startPageVenue>[0]): Promise<void> {
    const { dataDir, devnet } = this.venue
    const port = Number(new URL(devnet.apiUrl).port)
    await devnet.stop()
    this.venue = await startPageVenue({ dataDir, port, ...overrides })
    await this.isExact()
  }

  /* ORDERS AND THE CHAIN */

  /**
   * Gets test money, and waits until the wallet can trade and its deposit is too old for a
   * reorganisation, after which it would not be sent again.
   */
  async fund(): Promise<void> {
    await this.page.getByRole('button', { name: 'Get test money' }).first().click()
    await this.page.locator('.place:enabled').waitFor({ timeout: READY_MS_MAX })
    await untilBlocks(this.venue.devnet.apiUrl, REORG_DEPTH)
  }

  /** Places an order too deep to fill meanwhile. */
  async pending(amount = '0.2'): Promise<void> {
    await this.page.locator('.order').getByRole('button', { name: 'Limit', exact: true }).click()
    await takeDeepBid(this.page)
    await this.field(/^Size/).fill(amount)
    await this.page.locator('.order-preview').waitFor()
    await this.place().click()
    await this.news(new RegExp(`(Submitted|Open): buy ${amount} ETH-PERP`))
  }

  async buy(amount: string): Promise<void> {
    await this.page.locator('.order').getByRole('button', { name: 'Market', exact: true }).click()
    await this.field(/^Size/).fill(amount)
    await this.page.locator('.order-preview').waitFor()
    await this.place().click()
    await this.news(new RegExp(`Filled: buy ${amount} ETH-PERP`))
  }

  async close(): Promise<void> {
    for (const name of [/^Close all/, /^Cancel all/]) {
      const button = this.page.locator('.bottom').getByRole('button', { name })
      if (await button.isDisabled()) continue
      await button.click()
      await this.page.locator('dialog[open] button.primary').click()
    }
    await this.table('orders', 0)
    await this.table('positions', 0)
  }

  async reorganise(): Promise<void> {
    await this.venue.devnet.reorganise(REORG_DEPTH)
  }

  holdChain(isHeld: boolean): void {
    process.kill(this.venue.devnet.pids().anvil, isHeld ? 'SIGSTOP' : 'SIGCONT')
  }

  /** Withdraws all margin that the position does not need, and lowers the price until a warning. */
  async nearLiquidation(): Promise<void> {
    const chain = this.#chain()
    await this.#leaveMargin()
    await chain.setSource(ETH, true)
    const before = await chain.index(ETH)
    for (let fall = 0; fall < FALLS.max; fall++) {
      const thousandths = THOUSAND - FALLS.first - FALLS.next * BigInt(fall)
      const shown = await this.#index()
      await chain.report(ETH, (before * thousandths) / THOUSAND)
      await this.page.waitForFunction(
        (old) => document.querySelector('.facts')?.textContent !== old,
        shown,
      )
      // The account is re-read a block later.
      const isNear = await this.banner(/Liquidation is near/)
        .waitFor({ timeout: 3_000 })
        .then(() => true)
        .catch(() => false)
      if (isNear) return
    }
    throw new Error('the price fell, and nobody warned')
  }

  /** Returns the price to the keeper's value. */
  async farFromLiquidation(): Promise<void> {
    await this.#chain().setSource(ETH, false)
    await this.gone(/Liquidation is near/)
  }

  readonly #index = () => this.page.locator('.facts').first().textContent()

  async #leaveMargin(): Promise<void> {
    const account = this.page.locator('.account')
    const fact = async (name: string) => {
      const text = await account.locator(`.pairs div:has(dt:text-is("${name}")) dd`).textContent()
      return BigInt(/^[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', '') ?? '0')
    }
    await account.locator('.pairs', { hasNotText: /Initial margin0\.00/ }).waitFor()
    await account.getByText('Deposit or withdraw').click()
    const last = account.locator('.steps[aria-live] li').last()
    for (let attempt = 0; attempt < WITHDRAWALS_MAX; attempt++) {
      // A tenth of the value has to stay: twice the margin at 20 times leverage.
      const amount = String(
        (await fact('Available')) - (await fact('Initial margin')) - MARGIN_LEFT,
      )
      await account.getByLabel('Amount').fill(amount)
      await account.locator('button[value=withdraw]:enabled').click()
      await last
        .filter({ hasText: `Withdraw ${amount}` })
        .filter({ hasText: /[✓▲]/ })
        .waitFor()
      if (/✓/.test((await last.textContent()) ?? '')) {
        await account.getByText('Deposit or withdraw').click()
        return
      }
      // The displayed fill is on the chain a block later.
      await untilBlocks(this.venue.devnet.apiUrl, FILL_BLOCKS)
    }
    throw new Error('the margin could not be taken out')
  }

  #chain(): ChainClient {
    const { apiUrl, rpcUrl, deployment, wallets } = this.venue.devnet
    const running = { apiUrl, rpc: rpcAt(rpcUrl), deployment, wallets, domainName: 'openvenue' }
    return new ChainClient(running, (ms) => sleep(ms))
  }
}

async function marketNumber(apiUrl: string): Promise<number> {
  const market = await (await fetch(`${apiUrl}/markets/${MARKET}`)).json()
  return Number.parseInt(
    (market as Readonly<{ instrument_id: string }>).instrument_id.slice(-8),
    16,
  )
}
