// Builds the blocks of a chain from a readable script of venue events. For tests and benches: a
// small naive venue keeps every scenario valid.
import { invariant } from '../../src/assert.ts'
import type { CancelReason, LoggedEvent, VenueBlock, VenueEvent } from '../../src/events.ts'
import { E18 } from '../../src/integers.ts'
import {
  accountWallet,
  LISTINGS,
  type MarketName,
  PERP_ENGINE,
  PERP_PARAMETERS,
  SPOT_ENGINE,
  TOKENS,
  type TokenSymbol,
} from './listing.ts'
import {
  type HandedOver,
  type OrderTerms,
  type OrderWish,
  orderWish,
  ScenarioMarket,
  type Side,
} from './scenario-market.ts'
import { ScenarioPerp } from './scenario-perp.ts'
import { SCENARIO_POOLS, ScenarioPool, type ScenarioPoolName } from './scenario-pool.ts'

export type { OrderTerms, Side } from './scenario-market.ts'

/** 2026-01-01T00:00:00Z. */
export const SCENARIO_START_SECONDS = 1_767_225_600

const hexWord = (text: string) => `0x${text.padStart(64, '0')}`

/** Begins a scenario: account 1 (`insurance`) and 2 (`fees`) are open. */
export const scenario = (): Scenario => new Scenario()

export class Scenario {
  readonly markets = new Map<MarketName, ScenarioMarket>()
  readonly perps = new Map<MarketName, ScenarioPerp>()
  readonly pools = new Map<ScenarioPoolName, ScenarioPool>()
  readonly accounts = new Map<string, number>()
  readonly indexes = new Map<string, bigint>()
  readonly #tokens = new Set<string>()
  readonly #blocks: VenueBlock[] = []
  // For `fork`: replays this scenario up to a block.
  readonly #script: { block: number; play: (scenario: Scenario) => unknown }[] = []
  readonly #branch: string
  #isPlaying = false
  #events: LoggedEvent[] = []
  #transactions = 0
  #seconds = SCENARIO_START_SECONDS
  #market: MarketName | undefined

  constructor(branch = '') {
    this.#branch = branch
    this.#transaction(() => {
      for (const name of ['insurance', 'fees']) this.accountOf(name)
    })
  }

  /** Unix seconds of the current block. */
  get seconds(): number {
    return this.#seconds
  }

  /** The current market, to which orders go. */
  get market(): ScenarioMarket {
    const market = this.#market === undefined ? undefined : this.markets.get(this.#market)
    invariant(market !== undefined, 'a scenario lists a market before it trades')
    return market
  }

  /** Lists a market with its tokens and makes it the current one. */
  list(name: MarketName): this {
    return this.#play(
      (scenario) => scenario.list(name),
      () => this.#list(name),
    )
  }

  /** Makes another listed market the current one. */
  on(name: MarketName): this {
    invariant(this.markets.has(name), 'a scenario turns to a listed market', { name })
    return this.#play(
      (scenario) => scenario.on(name),
      () => {
        this.#market = name
      },
    )
  }

  /** Deposits whole tokens at the engine of the current market. */
  deposit(who: string, symbol: TokenSymbol, whole: bigint): this {
    return this.#play(
      (scenario) => scenario.deposit(who, symbol, whole),
      () => {
        const account = this.accountOf(who)
        this.#say({ type: 'Deposited', ...this.#custody(symbol, whole), account })
      },
    )
  }

  /** Withdraws whole tokens. The scenario does not check the balance. */
  withdraw(who: string, symbol: TokenSymbol, whole: bigint): this {
    return this.#play(
      (scenario) => scenario.withdraw(who, symbol, whole),
      () => {
        const account = this.accountOf(who)
        const to = accountWallet(account)
        this.#say({ type: 'Withdrawn', ...this.#custody(symbol, whole), account, to })
      },
    )
  }

  /** Transfers whole tokens to another account. */
  transfer(
    from: string,
    to: string,
    terms: Readonly<{ symbol: TokenSymbol; whole: bigint }>,
  ): this {
    return this.#play(
      (scenario) => scenario.transfer(from, to, terms),
      () => {
        const parties = { from: this.accountOf(from), to: this.accountOf(to) }
        this.#say({ type: 'Transferred', ...this.#custody(terms.symbol, terms.whole), ...parties })
      },
    )
  }

  /** Places a good-till-cancelled order. */
  place(who: string, side: Side, tick: number, lots: bigint): this {
    return this.order({ who, side, tick, lots })
  }

  /** Places an order of any kind. */
  order(terms: OrderTerms): this {
    return this.#play(
      (scenario) => scenario.order(terms),
      () => {
        const wish = this.makeWish(terms)
        this.#settleFunding()
        this.market.place(wish, this.#seconds)
      },
    )
  }

  /** Returns an order in the form that the market accepts. Opens the account. */
  makeWish(terms: OrderTerms): OrderWish {
    return orderWish(this.accountOf(terms.who), terms)
  }

  /** Cancels an order of the current market. */
  cancel(order: number, reason: CancelReason = 'USER'): this {
    return this.#play(
      (scenario) => scenario.cancel(order, reason),
      () => this.market.cancel(order, reason),
    )
  }

  /** Reduces an order of the current market. */
  reduce(order: number, lots: bigint): this {
    return this.#play(
      (scenario) => scenario.reduce(order, lots),
      () => this.market.reduce(order, lots),
    )
  }

  /** Leaves the account of an order short of margin: the order is dropped when next matched. */
  starve(order: number): this {
    return this.#play(
      (scenario) => scenario.starve(order),
      () => {
        this.market.find(order).isShort = true
      },
    )
  }

  /** Closes a position on the book by force, within `tick`, for a fee. Margins are not checked. */
  liquidate(
    who: string,
    terms: Readonly<{ tick: number; lots: bigint; fee: bigint; keeper?: string }>,
  ): this {
    return this.#playPerp(
      (scenario) => scenario.liquidate(who, terms),
      () => {
        const keeper = terms.keeper === undefined ? 0 : this.accountOf(terms.keeper)
        this.market.liquidate({ ...terms, account: this.accountOf(who), keeper }, this.#seconds)
      },
    )
  }

  /** Transfers a position to insurance at `unit` of quote raw per lot, with `collateral`. */
  absorb(who: string, unit: bigint, collateral: bigint): this {
    return this.#playPerp(
      (scenario) => scenario.absorb(who, unit, collateral),
      () => this.market.absorb(this.accountOf(who), unit, collateral),
    )
  }

  /** Closes lots (signed like the loser's position) against a winning position. */
  deleverage(loser: string, winner: string, by: Pick<HandedOver, 'lots' | 'unit'>): this {
    return this.#playPerp(
      (scenario) => scenario.deleverage(loser, winner, by),
      () => {
        const [from, to] = [this.accountOf(loser), this.accountOf(winner)]
        this.market.deleverage({ from, to, ...by })
      },
    )
  }

  /** Changes the fees of the current market, a perpetual, in millionths; negative for a rebate. */
  fees(makerFee: number, takerFee: number): this {
    return this.#play(
      (scenario) => scenario.fees(makerFee, takerFee),
      () => {
        const { listing } = this.market
        this.market.fees = { makerFee, takerFee }
        this.#say({
          type: 'PerpChanged',
          market: listing.id,
          ...PERP_PARAMETERS,
          ...this.market.fees,
        })
      },
    )
  }

  /** Reports an index price, 18 decimals. */
  index(asset: string, price: bigint): this {
    return this.#play(
      (scenario) => scenario.index(asset, price),
      () => {
        this.indexes.set(asset, price)
        for (const perp of this.perps.values()) perp.takeIndex(asset, price, this.#seconds)
        this.#say({ type: 'Indexed', asset, price, time: this.#seconds })
      },
    )
  }

  /** Pokes the current market, a perpetual: samples the premium, moves the mark. */
  poke(): this {
    return this.#play(
      (scenario) => scenario.poke(),
      () => this.#perp().poke(this.#index(), this.#seconds),
    )
  }

  /** Runs `act` on an AMM pool, which is created on first use. */
  atPool(name: ScenarioPoolName, act: (pool: ScenarioPool) => void): this {
    return this.#play(
      (scenario) => scenario.atPool(name, act),
      () => {
        const existing = this.pools.get(name)
        const pool = existing ?? new ScenarioPool(SCENARIO_POOLS[name], (event) => this.#say(event))
        this.pools.set(name, pool)
        act(pool)
      },
    )
  }

  /** Adds any event to the current block as is, valid or not. */
  say(event: VenueEvent): this {
    return this.#play(
      (scenario) => scenario.say(event),
      () => this.#say(event),
    )
  }

  /** Ends the block; the next one is `seconds` later. */
  next(seconds = 1): this {
    this.#script.push({
      block: this.#blocks.length + 1,
      play: (scenario) => scenario.next(seconds),
    })
    this.#close()
    this.#seconds += seconds
    return this
  }

  /** Returns the blocks played so far; events since the last `next` form the last block. */
  blocks(): VenueBlock[] {
    if (this.#events.length > 0) this.next()
    return [...this.#blocks]
  }

  /**
   * Returns another scenario that shares the blocks up to `number`; later ones get other hashes.
   */
  fork(number: number, branch = 'f'): Scenario {
    const other = new Scenario(branch)
    for (const { block, play } of this.#script) if (block <= number) play(other)
    for (const [at, block] of this.#blocks.slice(0, number).entries()) other.#blocks[at] = block
    return other
  }

  /** Returns the number of an account, which is opened on first use. */
  accountOf(who: string): number {
    const existing = this.accounts.get(who)
    if (existing !== undefined) return existing
    const account = this.accounts.size + 1
    this.accounts.set(who, account)
    this.#say({ type: 'AccountOpened', account, wallet: accountWallet(account) })
    return account
  }

  #list(name: MarketName): void {
    invariant(!this.markets.has(name), 'a scenario lists a market once', { name })
    const listing = LISTINGS[name]
    const say = (event: VenueEvent) => this.#say(event)
    const market = new ScenarioMarket(listing, say)
    this.#market = name
    this.markets.set(name, market)
    this.#listToken('USDC')
    const { id, engine, number, asset, priceStep, amountStep } = listing
    const head = { engine, market: id, number, name, priceStep, amountStep }
    const quote = TOKENS.USDC.address
    if (listing.isPerp) {
      const at = { seconds: this.#seconds, index: this.indexes.get(asset) ?? 0n }
      this.perps.set(name, new ScenarioPerp(market, at, say))
      say({ type: 'PerpListed', ...head, asset, collateral: quote, ...PERP_PARAMETERS })
      return
    }
    this.#listToken(asset as TokenSymbol)
    const base = TOKENS[asset as TokenSymbol].address
    say({ type: 'SpotListed', ...head, base, quote, minOrderValue: 1n, maxOrderValue: E18 })
  }

  #listToken(symbol: TokenSymbol): void {
    if (this.#tokens.has(symbol)) return
    this.#tokens.add(symbol)
    const { address, name, decimals } = TOKENS[symbol]
    this.#say({ type: 'TokenListed', token: address, symbol, name, decimals })
  }

  #custody(symbol: TokenSymbol, whole: bigint) {
    const { address, decimals } = TOKENS[symbol]
    const { isPerp } = this.market.listing
    return {
      engine: isPerp ? PERP_ENGINE : SPOT_ENGINE,
      engineType: isPerp ? 'PERPETUAL' : 'SPOT',
      token: address,
      amount: whole * 10n ** BigInt(decimals),
    } as const
  }

  /** The first event of a perpetual after the end of an hour settles its funding. */
  #settleFunding(): void {
    const { isPerp, asset } = this.market.listing
    if (isPerp && this.indexes.has(asset)) this.#perp().settle(this.#index(), this.#seconds)
  }

  #perp(): ScenarioPerp {
    const perp = this.#market === undefined ? undefined : this.perps.get(this.#market)
    invariant(perp !== undefined, 'only a perpetual is poked')
    return perp
  }

  #index(): bigint {
    const index = this.indexes.get(this.market.listing.asset)
    invariant(index !== undefined, 'a perpetual has an index price before it is poked')
    return index
  }

  #play(again: (scenario: Scenario) => unknown, act: () => void): this {
    invariant(!this.#isPlaying, 'a scenario plays one transaction at a time')
    this.#script.push({ block: this.#blocks.length + 1, play: again })
    this.#transaction(act)
    return this
  }

  #playPerp(again: (scenario: Scenario) => unknown, act: () => void): this {
    return this.#play(again, () => {
      this.#settleFunding()
      act()
    })
  }

  #transaction(act: () => void): void {
    this.#transactions += 1
    this.#isPlaying = true
    act()
    this.#isPlaying = false
  }

  #say(event: VenueEvent): void {
    const seed = `${this.#branch}${this.#blocks.length + 1}ee${this.#transactions}`
    this.#events.push({ ...event, logIndex: this.#events.length, txHash: hexWord(seed) })
  }

  #close(): void {
    const number = this.#blocks.length + 1
    const parentHash = this.#blocks.at(-1)?.header.hash ?? hexWord('0')
    const hash = hexWord(`${this.#branch}b10c${number}`)
    const header = { number, hash, parentHash, seconds: this.#seconds }
    this.#blocks.push({ header, events: this.#events })
    this.#events = []
    this.#transactions = 0
  }
}
