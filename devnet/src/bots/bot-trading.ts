// Lets the traders trade through the venue: what they want is decided from their own orders and the
// index prices that the venue publishes.
import { parseUnits } from 'viem'
import type { MarketTerms } from '../markets.ts'
import { premiumPrice } from '../premium.ts'
import {
  type ByChance,
  decideIntents,
  hasPassed,
  type Intent,
  isTaking,
  type MarketView,
} from '../quotes.ts'
import type { Random } from '../random.ts'
import type { Credentials } from './credentials.ts'
import type { MarketFacts } from './signer.ts'
import { Trader, type Wanted } from './trader.ts'
import { VenueClient } from './venue-client.ts'
import { type Frame, SocketClosed, VenueSocket } from './venue-socket.ts'

type BotTradingDeps = Readonly<{
  apiUrl: string
  credentials: readonly Credentials[]
  markets: readonly MarketTerms[]
  random: Random
}>
type Connections = Readonly<{
  traders: readonly Trader[]
  prices: VenueSocket
  facts: ReadonlyMap<string, MarketFacts>
}>

/** At one in this many looks at a market someone trades at the market, at the others not. */
const TAKES_CHANCE = 2
/** While so many orders of a market wait for the chain, none are added: nothing piles up. */
const PENDING_MAX = 60
const PRICE_DECIMALS = 18

export class BotTrading {
  readonly #deps: BotTradingDeps
  readonly #connections: Connections
  /** Newest index prices by asset, 18 decimals. */
  readonly #prices: ReadonlyMap<string, bigint>

  private constructor(
    deps: BotTradingDeps,
    connections: Connections,
    prices: ReadonlyMap<string, bigint>,
  ) {
    this.#deps = deps
    this.#connections = connections
    this.#prices = prices
  }

  /** Connects every trader; each takes up its orders. */
  static async open(deps: BotTradingDeps): Promise<BotTrading> {
    const { apiUrl, credentials, markets } = deps
    const listed = await new VenueClient(apiUrl).ask<readonly MarketFacts[]>('GET', '/markets')
    const facts = new Map(listed.map((market) => [market.instrument_name, market]))
    const known = new Map<string, bigint>()
    const prices = await VenueSocket.open(apiUrl, (frame) => notePrice(known, frame))
    const assets = new Set(markets.map(({ asset }) => asset))
    await prices.ask(
      'subscribe',
      [...assets].map((asset) => `index:${asset}`),
    )
    const traders: Trader[] = []
    try {
      for (const one of credentials) traders.push(await Trader.open(apiUrl, one))
    } catch (error) {
      for (const open of [...traders, prices]) open.close()
      throw error
    }
    return new BotTrading(deps, { traders, prices, facts }, known)
  }

  close(): void {
    const { traders, prices } = this.#connections
    for (const open of [...traders, prices]) open.close()
  }

  /** Lets the traders act in `markets`. Throws when the venue cannot be reached any more. */
  async act(markets: readonly MarketTerms[], pace: ByChance): Promise<void> {
    const { traders, prices } = this.#connections
    const closed = [prices, ...traders].find(({ isOpen }) => !isOpen)
    if (closed !== undefined)
      throw new SocketClosed(`a socket of the traders was closed: ${closed.closedBy}`)
    const wanted = markets.flatMap((market) => this.#wantedIn(market, pace))
    await Promise.all(
      traders.map((trader, index) => {
        const own = wanted.filter(({ intent }) => intent.trader === index)
        return trader.isReady ? trader.carryOut(own.map(toWanted)) : undefined
      }),
    )
  }

  #wantedIn(market: MarketTerms, { edits, ...taking }: ByChance) {
    const { random } = this.#deps
    const { traders } = this.#connections
    const facts = this.#connections.facts.get(market.name)
    const view = facts && this.#view(market, facts)
    if (facts === undefined || view === undefined) return []
    const pending = traders.reduce((sum, trader) => sum + trader.countPending(facts), 0)
    if (pending >= PENDING_MAX) return []
    const chance = random.chance(TAKES_CHANCE) ? { ...taking, edits: 0 } : { takes: 0, edits }
    const intents = decideIntents(view, chance, random)
    // A transaction has quotes before takers: quotes that would meet what the price has passed
    // come at the next look.
    const timely = hasPassed(view) ? intents.filter(isTaking) : intents
    return timely.map((intent) => ({ market: facts, intent }))
  }

  #view(market: MarketTerms, facts: MarketFacts): MarketView | undefined {
    const price = this.#prices.get(market.asset)
    if (price === undefined) return undefined
    const { traders } = this.#connections
    const number = Number.parseInt(facts.instrument_id.slice(-8), 16)
    const fair =
      market.type === 'perp' ? premiumPrice(price, number, Math.floor(Date.now() / 1_000)) : price
    return {
      orders: traders.flatMap((trader, index) => trader.resting(facts, index)),
      fairTick: Number(fair / parseUnits(facts.price_step, PRICE_DECIMALS)),
      quoting: market.quoting,
      traders: traders.map((_, index) => index),
    }
  }
}

const toWanted = ({ market, intent }: { market: MarketFacts; intent: Intent }): Wanted => {
  const { cancels, edits, places } = intent
  return { market, cancels, edits, places }
}

function notePrice(prices: Map<string, bigint>, { channel, data }: Frame): void {
  const [, asset = ''] = channel.split(':')
  const { price } = data as { price: string | null }
  if (price !== null) prices.set(asset, parseUnits(price, PRICE_DECIMALS))
}
