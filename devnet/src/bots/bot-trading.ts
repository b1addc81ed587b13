// Lets the traders trade through the venue: decisions depend on their own orders and the venue's
// index prices.
import { ConnectionError, type Message, Rest, type shapes, VenueSocket } from 'openvenue'
import { SigningVenue } from 'openvenue/signing'
import { parseUnits } from 'viem'
import type { MarketTerms } from '../markets.ts'
import { premiumPrice } from '../premium.ts'
import {
  decideIntents,
  hasPassed,
  type Intent,
  isTaking,
  type MarketView,
  type RandomCounts,
} from '../quotes.ts'
import type { Random } from '../random.ts'
import { ANSWERED_WITHIN_MS, type Credentials } from './credentials.ts'
import { listenUntilFirst, type QuotePlan, Trader } from './trader.ts'

type BotTradingOptions = Readonly<{
  apiUrl: string
  credentials: readonly Credentials[]
  markets: readonly MarketTerms[]
  random: Random
}>
type Connections = Readonly<{
  traders: readonly Trader[]
  prices: VenueSocket
  facts: ReadonlyMap<string, shapes.Market>
}>

/** Average number of rounds of a market between two market orders. */
const TAKES_CHANCE = 2
/** Number of pending orders of a market at which no more are added. */
const PENDING_MAX = 60
const PRICE_DECIMALS = 18

export class BotTrading {
  readonly #deps: BotTradingOptions
  readonly #connections: Connections
  /** Newest index prices by asset, 18 decimals. */
  readonly #prices: ReadonlyMap<string, bigint>

  private constructor(
    deps: BotTradingOptions,
    connections: Connections,
    prices: ReadonlyMap<string, bigint>,
  ) {
    this.#deps = deps
    this.#connections = connections
    this.#prices = prices
  }

  /** Connects every trader; each continues with its orders. */
  static async open(deps: BotTradingOptions): Promise<BotTrading> {
    const { apiUrl, credentials, markets } = deps
    const rest = new Rest({ url: apiUrl, timeoutMs: ANSWERED_WITHIN_MS })
    const [info, listed] = await Promise.all([rest.call('GET /info'), rest.call('GET /markets')])
    const venue = new SigningVenue(info, listed)
    const facts = new Map(listed.map((market) => [market.instrument_name, market]))
    const latestPrices = new Map<string, bigint>()
    const prices = new VenueSocket({ url: apiUrl })
    const channels = new Set(markets.map(({ asset }) => `index:${asset}`))
    const traders: Trader[] = []
    try {
      await listenUntilFirst(prices, channels, (message) => notePrice(latestPrices, message))
      for (const each of credentials) traders.push(await Trader.open(apiUrl, venue, each))
    } catch (error) {
      for (const open of [...traders, prices]) open.close()
      throw error
    }
    return new BotTrading(deps, { traders, prices, facts }, latestPrices)
  }

  close(): void {
    const { traders, prices } = this.#connections
    for (const open of [...traders, prices]) open.close()
  }

  /** Lets the traders act in `markets`. Throws when the venue is unreachable. */
  async act(markets: readonly MarketTerms[], pace: RandomCounts): Promise<void> {
    const { traders, prices } = this.#connections
    if (prices.state !== 'open' || traders.some(({ isOpen }) => !isOpen))
      throw new ConnectionError('a socket of the traders was closed')
    const plans = markets.flatMap((market) => this.#wantedIn(market, pace))
    await Promise.all(
      traders.map((trader, index) => {
        const ofTrader = plans.filter(({ intent }) => intent.trader === index)
        return trader.isReady ? trader.carryOut(ofTrader.map(toWanted)) : undefined
      }),
    )
  }

  #wantedIn(market: MarketTerms, { edits, ...taking }: RandomCounts) {
    const { random } = this.#deps
    const { traders } = this.#connections
    const facts = this.#connections.facts.get(market.name)
    const view = facts && this.#view(market, facts)
    if (facts === undefined || view === undefined) return []
    const pending = traders.reduce((sum, trader) => sum + trader.countPending(facts), 0)
    if (pending >= PENDING_MAX) return []
    const chance = random.chance(TAKES_CHANCE) ? { ...taking, edits: 0 } : { takes: 0, edits }
    const intents = decideIntents(view, chance, random)
    // A transaction places quotes before takers: quotes that would match orders passed by the price
    // wait for the next round.
    const timely = hasPassed(view) ? intents.filter(isTaking) : intents
    return timely.map((intent) => ({ market: facts, intent }))
  }

  #view(market: MarketTerms, facts: shapes.Market): MarketView | undefined {
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

const toWanted = ({ market, intent }: { market: shapes.Market; intent: Intent }): QuotePlan => {
  const { cancels, edits, places } = intent
  return { market, cancels, edits, places }
}

function notePrice(prices: Map<string, bigint>, { channel, data }: Message): void {
  const [, asset = ''] = channel.split(':')
  const { price } = data as { price: string | null }
  if (price !== null) prices.set(asset, parseUnits(price, PRICE_DECIMALS))
}
