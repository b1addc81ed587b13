// Lets the traders trade in the history of a new chain, without a venue: reads events, decides, and
// sends orders from their wallets.

import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import type { LoggedEvent } from '@openvenue/core/events'
import { marketId } from '@openvenue/core/ids'
import { E18 } from '@openvenue/core/integers'
import { parseLogs } from '@openvenue/indexer/chain'
import { compileEvents, type EventReader } from '@openvenue/indexer/events'
import { quantity } from '@openvenue/runtime/node'
import { readViews } from '@openvenue/runtime/views'
import { bytes32 } from './deploy.ts'
import { type DevnetDeployment, marketNumber } from './deployment.ts'
import { MARKETS, type MarketTerms } from './markets.ts'
import { readAccountNumbers, type TradersOptions } from './money.ts'
import { intentTxs, type WalletIntent } from './orders.ts'
import { PACES } from './pace.ts'
import { premiumPrice } from './premium.ts'
import { decideIntents, isTaking } from './quotes.ts'
import { readBooks } from './read-book.ts'
import { Resting } from './resting.ts'
import type { ChainRpc } from './rpc.ts'
import type { SendResult, Tx } from './tx-sender.ts'

// Reads the venue's events as they happen, for the traders.

/** Reads events block after block, each once. */
class VenueLog {
  readonly #rpc: ChainRpc
  readonly #reader: EventReader
  #nextBlock: number

  constructor(rpc: ChainRpc, deployment: DevnetDeployment, nextBlock: number) {
    this.#rpc = rpc
    this.#reader = compileEvents(deployment)
    this.#nextBlock = nextBlock
  }

  /** Returns the events since the last call, in chain order. */
  async read(): Promise<readonly LoggedEvent[]> {
    const head = Number(await this.#rpc.call('eth_blockNumber'))
    if (head < this.#nextBlock) return []
    const range = { fromBlock: quantity(this.#nextBlock), toBlock: quantity(head) }
    const logs = parseLogs(
      await this.#rpc.call('eth_getLogs', { ...range, ...this.#reader.filter }),
    )
    this.#nextBlock = head + 1
    return logs.flatMap((log) => this.#reader.decodeLog(log) ?? [])
  }
}

/** Average number of rounds of a market between two market orders. */
const TAKES_CHANCE = 2

export class Trading {
  readonly #deps: TradersOptions
  readonly #log: VenueLog
  readonly #resting: Resting
  /** Newest index prices, 18 decimals. */
  readonly #prices: Map<string, bigint>
  /** Account numbers, in the order of the traders' addresses. */
  #accounts: readonly number[] = []
  /** Time of the newest price. */
  #seconds = 0

  private constructor(
    deps: TradersOptions,
    { log, resting, prices }: { log: VenueLog; resting: Resting; prices: Map<string, bigint> },
  ) {
    this.#deps = deps
    this.#log = log
    this.#resting = resting
    this.#prices = prices
  }

  /** Starts from the state of the chain. */
  static async start(deps: TradersOptions): Promise<Trading> {
    const { rpc, deployment } = deps
    const head = String(await rpc.call('eth_blockNumber'))
    const log = new VenueLog(rpc, deployment, Number(head) + 1)
    const resting = new Resting()
    const keys = MARKETS.map((market) => marketKey(deployment, market))
    const books = await readBooks(rpc, deployment.lens, keys, head)
    for (const [index, { id }] of keys.entries()) {
      for (const order of books[index] ?? []) resting.add(id, order)
    }
    const prices = new Map<string, bigint>()
    for (const { asset } of MARKETS) {
      const view = { to: deployment.oracles[0], abi: pushOracleAbi, functionName: 'read' }
      const [read] = await readViews(rpc, [{ ...view, args: [bytes32(asset)] }], head)
      prices.set(asset, (read as [bigint, bigint])[0])
    }
    return new Trading(deps, { log, resting, prices })
  }

  /** Applies the events since the last call. */
  async catchUp(): Promise<void> {
    for (const event of await this.#log.read()) {
      if (event.type !== 'Indexed') this.#resting.apply(event)
      else {
        this.#prices.set(event.asset, event.price)
        this.#seconds = event.time
      }
    }
    if (this.#accounts.length === 0) this.#accounts = await this.#readAccounts()
  }

  /** Sets the prices that the chain has from its next block on, Unix seconds. */
  expect(prices: ReadonlyMap<string, bigint>, seconds: number): void {
    for (const [asset, price] of prices) this.#prices.set(asset, price)
    this.#seconds = seconds
  }

  /**
   * Lets the traders act in `markets` on their data. Takers go first: orders that the price has
   * passed must be gone before others quote on that side.
   */
  async act(markets: readonly MarketTerms[]): Promise<readonly SendResult[]> {
    const intents = markets.flatMap((market) => this.#intentsIn(market))
    const takers = intents.filter(({ intent }) => isTaking(intent))
    const quotes = intents.filter(({ intent }) => !isTaking(intent))
    return this.#send([...intentTxs(takers), ...intentTxs(quotes)])
  }

  #intentsIn(market: MarketTerms): WalletIntent[] {
    const { takes, edits } = PACES.calm
    const { deployment, traders, random } = this.#deps
    const { engine, number, id } = marketKey(deployment, market)
    const price = this.#prices.get(market.asset)
    if (price === undefined || price === 0n) return []
    const view = {
      orders: this.#resting.listOrders(id),
      fairTick: priceToTick(
        market.type === 'perp' ? premiumPrice(price, number, this.#seconds) : price,
        market,
      ),
      quoting: market.quoting,
      traders: this.#accounts,
    }
    const chance = random.chance(TAKES_CHANCE) ? { takes, edits: 0 } : { takes: 0, edits }
    return decideIntents(view, chance, random).map((intent) => {
      const from = traders[this.#accounts.indexOf(intent.trader)] ?? ''
      return { intent, from, engine, number }
    })
  }

  async #send(txs: readonly Tx[]): Promise<readonly SendResult[]> {
    return txs.length === 0 ? [] : this.#deps.sender.send(txs)
  }

  async #readAccounts(): Promise<readonly number[]> {
    const accounts = await readAccountNumbers(this.#deps)
    return accounts.includes(0) ? [] : accounts
  }
}

function marketKey(deployment: DevnetDeployment, market: MarketTerms) {
  const engine = market.type === 'spot' ? deployment.spot : deployment.perps
  const number = marketNumber(MARKETS, market)
  return { engine, number, id: marketId(engine, number) }
}

/** Returns the tick nearest below `price`, which has 18 decimals. */
export const priceToTick = (
  price: bigint,
  { quoteDecimals, priceStep }: Pick<MarketTerms, 'quoteDecimals' | 'priceStep'>,
): number => Number((price * 10n ** BigInt(quoteDecimals)) / E18 / priceStep)
