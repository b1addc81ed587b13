// Runs the real contracts on a real anvil, with a real indexer and a database of its own.

import assert from 'node:assert/strict'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { devTokenAbi } from '@openvenue/contracts/abi/dev-token'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { E18 } from '@openvenue/core/integers'
import { until } from '@openvenue/core/test/until'
import { createIndexer, type Indexer } from '@openvenue/indexer/indexer'
import { AnvilVenue, type Tx } from '@openvenue/indexer/test/anvil-venue'
import { nodeAt } from '@openvenue/runtime/node'
import { readViews, type ViewCall } from '@openvenue/runtime/views'
import { openStore, type StoreOptions } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { pino } from 'pino'
import { type Abi, encodeFunctionData } from 'viem'
import type { KeeperSettings } from '../src/config.ts'
import { createKeeper, type Keeper } from '../src/keeper.ts'
import type { PriceSource } from '../src/price-source.ts'
import { TASKS, type TaskName } from '../src/task.ts'
import type { TestClock } from './clock.ts'
import { LiveBlocks } from './live-blocks.ts'
import { CHAIN_ID, derivePrivateKey } from './live-sender.ts'

/** Wallet indexes of the mnemonic: the owner pushes prices, 8 is insurance. */
export const OWNER = 0
export const INSURANCE = 8
const GAS = '0x989680'
const USDC = 10n ** 6n
/** Number of kept lines of the indexer's log. */
const LINES_KEPT = 200

/** `isRealTime` is for keepers that run as processes: see `LiveBlocks`. */
type Start = StoreOptions & Readonly<{ isRealTime?: boolean }>

type OrderTerms = Readonly<{
  buy: boolean
  tick: number
  lots: bigint
  goodTil?: number
}>

/** Enables the named tasks and disables all others. */
export const only = (...names: readonly TaskName[]): KeeperSettings => ({
  feeCap: 10n ** 12n,
  feeFloor: 0n,
  relayer: undefined,
  switches: Object.fromEntries(TASKS.map((task) => [task, names.includes(task)])) as Record<
    TaskName,
    boolean
  >,
})

type LogLine = Readonly<Record<string, unknown>>

function keepLast<T>(lines: T[], line: T): void {
  lines.push(line)
  if (lines.length > LINES_KEPT) lines.shift()
}

export class LiveVenue {
  readonly venue: AnvilVenue
  readonly store: Store
  /** Mines blocks and keeps the time. */
  readonly blocks: LiveBlocks
  /** Errors with which indexers ended. */
  readonly indexerEnds: string[] = []
  /** Last lines of the indexer's log. */
  readonly indexerLines: string[] = []
  /** Last lines of the keepers' logs. */
  readonly keeperLines: LogLine[] = []
  #indexer: Indexer
  readonly #keepers: Keeper[] = []
  /** Price of `source`, dollars. */
  price = 3_000n
  /** Prices of other assets of `source`, 18 decimals. */
  others: ReadonlyMap<string, bigint> = new Map()

  private constructor(venue: AnvilVenue, store: Store, isRealTime: boolean) {
    this.venue = venue
    this.store = store
    this.blocks = new LiveBlocks(venue, store, { isRealTime })
    this.#indexer = this.#startIndexer()
    this.blocks.start()
  }

  /** Uses an in-memory database unless `options` name one. */
  static async start({ isRealTime = false, ...options }: Start = {}): Promise<LiveVenue> {
    const isInMemory = options.dataDir === undefined && options.databaseUrl === undefined
    const [venue, store] = await Promise.all([
      AnvilVenue.start({ isRealTime }),
      isInMemory ? openMemoryStore() : openStore(options),
    ])
    return new LiveVenue(venue, store, isRealTime)
  }

  /** The venue's time, which is ahead of real time. */
  get clock(): TestClock {
    return this.blocks.clock
  }

  /** Starts an indexer; one that fails is restarted, as by a supervisor. */
  #startIndexer(): Indexer {
    const indexer = createIndexer({
      store: this.store,
      deployment: this.venue.deployment,
      chainId: CHAIN_ID,
      rpcUrls: [this.venue.url],
      rpcWsUrls: [this.venue.wsUrl],
      pollMs: 50,
      finalityBlocks: 64,
      lagMax: 20,
      log: pino({ level: 'info' }, { write: (line) => keepLast(this.indexerLines, line.trim()) }),
    })
    indexer.start()
    indexer.ended.catch((error: unknown) => {
      this.indexerEnds.push(String(error))
      this.#indexer = this.#startIndexer()
    })
    return indexer
  }

  /** Source of the current price, observed at the chain's time. */
  get source(): PriceSource {
    return {
      prices: async () => ({
        prices: new Map([['ETH', this.price * E18], ...this.others]),
        seconds: Number.MAX_SAFE_INTEGER,
      }),
    }
  }

  /** Addresses in lower case, as the deployment file has them. */
  get deployment() {
    const { accounts, spot, perps, oracles } = this.venue.deployment
    const lower = (address: string) => address.toLowerCase()
    return {
      accounts: lower(accounts),
      spot: lower(spot),
      perps: lower(perps),
      oracles: oracles.map(lower),
    }
  }

  /**
   * Returns a keeper, not yet started; it is stopped with the venue. `store` replaces parts, and
   * `rpcUrl` replaces the chain's URL.
   */
  keeper(
    settings: KeeperSettings,
    store: Partial<Store> = {},
    rpcUrl: string = this.venue.url,
  ): Keeper {
    const keeper = createKeeper({
      store: { ...this.store, ...store },
      deployment: this.deployment,
      chainId: CHAIN_ID,
      rpcUrls: [rpcUrl],
      key: derivePrivateKey(OWNER),
      settings,
      priceSource: this.source,
      clock: this.clock,
      log: pino(
        { level: 'info' },
        { write: (line) => keepLast(this.keeperLines, JSON.parse(line)) },
      ),
    })
    this.#keepers.push(keeper)
    return keeper
  }

  async stop(): Promise<void> {
    for (const keeper of this.#keepers) await keeper.stop()
    await this.blocks.stop()
    await this.#indexer.stop()
    await this.#indexer.host.close()
    await this.store.close()
    await this.venue.stop()
  }

  /** Runs `work` while no indexer runs. */
  async withoutIndexer(work: () => Promise<void>): Promise<void> {
    await this.#indexer.stop()
    await this.#indexer.host.close()
    this.blocks.hasIndexer = false
    await work()
    this.#indexer = this.#startIndexer()
    this.blocks.hasIndexer = true
  }

  tx(by: number, to: string, [abi, functionName, args]: readonly [Abi, string, unknown[]]): Tx {
    const from = this.venue.wallets[by]
    if (from === undefined) throw new Error('a wallet of the mnemonic')
    return { from, to, data: encodeFunctionData({ abi, functionName, args }) }
  }

  /** Sends `txs` in the order of each wallet, and returns once they have succeeded in blocks. */
  async send(txs: readonly Tx[]): Promise<void> {
    const hashes: unknown[] = []
    // Sequential: the node does not guarantee the order of nonces within a batch.
    for (const tx of txs)
      hashes.push(await this.venue.call('eth_sendTransaction', { ...tx, gas: GAS }))
    await this.blocks.mine()
    for (const hash of hashes) {
      const receipt = await this.venue.call('eth_getTransactionReceipt', hash)
      assert.equal((receipt as { status: string } | null)?.status, '0x1', `${hash}`)
    }
  }

  /** Gives a wallet that many dollars of collateral. */
  async fund(by: number, dollars: bigint): Promise<void> {
    const { perps } = this.venue.deployment
    const usdc = (await this.view('collateral', [])) as string
    const amount = dollars * USDC
    await this.send([
      this.tx(by, usdc, [devTokenAbi as Abi, 'mint', [this.venue.wallets[by], amount]]),
      this.tx(by, usdc, [devTokenAbi as Abi, 'approve', [perps, amount]]),
      this.tx(by, perps, [perpsAbi as Abi, 'deposit', [usdc, amount]]),
    ])
  }

  /** Has the keeper push this price, in dollars, and returns once the engine has it. */
  async moveTo(dollars: bigint): Promise<void> {
    this.price = dollars
    await until(`the index is ${dollars}`, async () => (await this.index()) === dollars)
  }

  /** The index price in dollars, rounded down. */
  async index(): Promise<bigint> {
    return ((await this.view('quoteOf', [1])) as { index: bigint }).index / E18
  }

  async nonce(by: number): Promise<number> {
    return Number(
      await this.venue.call('eth_getTransactionCount', this.venue.wallets[by], 'latest'),
    )
  }

  order(by: number, { buy, tick, lots, goodTil = 0 }: OrderTerms): Tx {
    const request = {
      market: 1,
      buy,
      tick,
      lots,
      goodTil,
      timeInForce: 0,
      reduceOnly: false,
      maxFills: 0,
    }
    return this.tx(by, this.venue.deployment.perps, [perpsAbi as Abi, 'place', [request]])
  }

  /** Calls views of contracts. */
  views(views: readonly ViewCall[]): Promise<unknown[]> {
    return readViews(nodeAt([this.venue.url]), views)
  }

  /** Calls a view of the perpetual engine. */
  async view(functionName: string, args: readonly unknown[]): Promise<unknown> {
    const { perps: to } = this.venue.deployment
    const view = { to, abi: perpsAbi as Abi, functionName, args }
    return (await this.views([view]))[0]
  }

  /** Mines a block every second until `stopMining`. */
  mineEverySecond(): void {
    this.blocks.isMining = true
  }

  stopMining(): void {
    this.blocks.isMining = false
  }

  async account(by: number): Promise<number> {
    const to = this.venue.deployment.accounts
    const view = {
      to,
      abi: accountsAbi as Abi,
      functionName: 'accountOf',
      args: [this.venue.wallets[by]],
    }
    return Number((await this.views([view]))[0])
  }

  async lots(by: number): Promise<bigint> {
    const position = await this.view('positionOf', [1, await this.account(by)])
    return (position as { lots: bigint }).lots
  }

  async equity(account: number): Promise<bigint> {
    return ((await this.view('healthOf', [account])) as { equity: bigint }).equity
  }

  /** Waits until a keeper has completed `count` more rounds of `task`. */
  async waitForRounds(keeper: Keeper, task: TaskName, count: number): Promise<void> {
    const line = new RegExp(`^openvenue_keeper_runs_total\\{task="${task}"\\} (\\d+)$`, 'm')
    const done = async () =>
      Number(line.exec((await keeper.host.inject('/metrics')).body)?.[1] ?? Number.NaN)
    const before = await done()
    await until(`${count} rounds of ${task}`, async () => (await done()) >= before + count)
  }

  /** Waits until a keeper leads and knows the venue. */
  async leads(keeper: Keeper): Promise<void> {
    await until('the keeper leads', () => keeper.readiness().status === 'leading')
  }
}
