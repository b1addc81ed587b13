// Reads every trade from the contracts' logs, in the API's terms.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { type DevnetDeployment, marketNumber } from '@openvenue/devnet/deployment'
import { MARKETS } from '@openvenue/devnet/markets'
import type { ChainRpc } from '@openvenue/devnet/rpc'
import { quantity } from '@openvenue/runtime/node'
import { formatUnits, type Log, parseEventLogs } from 'viem'
import type { Trade } from './probe.ts'

type LoggedTrade = Trade & Readonly<{ block: number }>
type FillEvent = { market: number; takerOrder: number; tick: number; lots: bigint }

/** Follows the logs of both engines. */
export class TradeLog {
  readonly #rpc: ChainRpc
  readonly #deployment: DevnetDeployment
  /** Trades by name of the market, oldest first. */
  readonly #trades = new Map<string, LoggedTrade[]>()
  readonly #takerBuys = new Map<string, boolean>()
  #nextBlock: number

  constructor(rpc: ChainRpc, deployment: DevnetDeployment) {
    this.#rpc = rpc
    this.#deployment = deployment
    this.#nextBlock = deployment.startBlock
  }

  /** Returns the newest `limit` trades of `market` up to `block`, newest first. */
  newest(market: string, block: number, limit: number): Trade[] {
    return (this.#trades.get(market) ?? [])
      .filter((trade) => trade.block <= block)
      .slice(-limit)
      .reverse()
      .map(({ block: _, ...trade }) => trade)
  }

  /** Reads on to `block`. */
  async readTo(block: number): Promise<void> {
    if (block < this.#nextBlock) return
    const { spot, perps } = this.#deployment
    const range = { fromBlock: quantity(this.#nextBlock), toBlock: quantity(block) }
    this.#nextBlock = block + 1
    await this.#read(spot, spotAbi, range)
    await this.#read(perps, perpsAbi, range)
  }

  async #read(address: string, abi: typeof spotAbi | typeof perpsAbi, range: object) {
    const logs = (await this.#rpc.call('eth_getLogs', { address, ...range })) as Log[]
    const events = parseEventLogs({ abi, logs, eventName: ['Placed', 'Filled'] })
    for (const { eventName, args, blockNumber, logIndex, transactionHash } of events) {
      if (eventName === 'Placed') {
        const { market, order, buy } = args as { market: number; order: number; buy: boolean }
        this.#takerBuys.set(`${address}|${market}|${order}`, buy)
      } else {
        const place = { block: Number(blockNumber), log: Number(logIndex), tx: transactionHash }
        this.#add(address, args as FillEvent, place)
      }
    }
  }

  #add(address: string, filled: FillEvent, place: { block: number; log: number; tx: string }) {
    const type = address === this.#deployment.spot ? 'spot' : 'perp'
    const market = MARKETS.find(
      (terms) => terms.type === type && marketNumber(MARKETS, terms) === filled.market,
    )
    if (market === undefined) throw new Error('a trade of an unlisted market')
    const isBuy = this.#takerBuys.get(`${address}|${filled.market}|${filled.takerOrder}`)
    const baseDecimals = market.type === 'spot' ? DECIMALS[market.base] : 18
    const trades = this.#trades.get(market.name) ?? []
    this.#trades.set(market.name, trades)
    trades.push({
      block: place.block,
      trade_id: `${String(place.block).padStart(12, '0')}-${String(place.log).padStart(6, '0')}`,
      tx_hash: place.tx,
      price: formatUnits(BigInt(filled.tick) * market.priceStep, market.quoteDecimals),
      amount: formatUnits(filled.lots * market.amountStep, baseDecimals ?? 0),
      side: isBuy ? 'buy' : 'sell',
    })
  }
}

const DECIMALS: Readonly<Record<string, number>> = { ETH: 18, BTC: 8, EURC: 6 }
