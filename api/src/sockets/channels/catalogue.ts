// Finds the channels of a node by name, and lists the current names.
import { RESOLUTION_NAMES } from '@openvenue/core/resolutions'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import type { Reader } from '@openvenue/store/store'
import { parseResolution } from '@openvenue/wire/candles'
import type { Trading } from '@openvenue/wire/trading'
import type { Overviews } from '../../account/overview.ts'
import type { OwnedReads } from '../../account/owned-reads.ts'
import type { Wallets } from '../../account/wallets.ts'
import type { FreshReads } from '../../model/fresh-reads.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { IntentBook } from '../../orders/relay/intent-book.ts'
import type { PublicChannel } from '../streams/channel.ts'
import { type ChannelClock, OpenStreams } from '../streams/open-streams.ts'
import { PastEntries } from '../streams/past-entries.ts'
import { type OpenPrivate, PrivateStream } from '../streams/private-stream.ts'
import { openPublicStream, type StreamDeps } from '../streams/public-stream.ts'
import { ReplayMemory } from '../streams/replay-memory.ts'
import type { Channels } from '../streams/stream.ts'
import { accountChannel, HeadSeqs } from './account.ts'
import { bookTickerChannel } from './book-ticker.ts'
import { candleChannel } from './candles.ts'
import { fillsChannel } from './fills.ts'
import { fundingChannel } from './funding.ts'
import { fundingsChannel } from './fundings.ts'
import { indexChannel } from './index-price.ts'
import { liquidationsChannel } from './liquidations.ts'
import { type MarketSet, marketsNamed, marketsTyped } from './market-set.ts'
import { marketsChannel } from './markets.ts'
import { NotificationChannels, type NotificationStore } from './notifications.ts'
import { BOOK_INTERVALS_MS, bookChannel } from './orderbook.ts'
import { orderBookL3Channel } from './orderbook-l3.ts'
import { OrderChannels } from './orders.ts'
import { positionsChannel } from './positions.ts'
import { statisticsChannel } from './statistics.ts'
import { TICKER_INTERVALS_MS, tickerChannel } from './ticker.ts'
import { tradesChannel } from './trades.ts'
import { tradesBlockChannel } from './trades-block.ts'
import { transactionsChannel } from './transactions.ts'

/** Maximum length of a channel name. */
export const CHANNEL_NAME_MAX = 128

export type ChannelDeps = Readonly<{
  model: VenueModel
  reader: Pick<Reader, 'feedAfter'>
  wallets: Wallets
  owned: OwnedReads
  history: AccountHistory
  fresh: FreshReads
  notifications: NotificationStore
  overviews: Pick<Overviews, 'of'>
  /** Absent: orders are unknown until they are on the chain. */
  intentBook?: IntentBook
  chainId: number
  trading: Trading
  clock: ChannelClock
}>

/** Returns the channels of a node. The model feeds them all. */
export function createChannels(deps: ChannelDeps): Channels {
  const { model, reader, wallets, owned, clock, trading } = deps
  const streams = new OpenStreams(model, clock)
  const past = new PastEntries({ model, reader, ...clock })
  const memory = new ReplayMemory()
  const streamDeps = { model, wallets, owned, streams, past, memory, trading, ...clock }
  const privates = privateChannels(deps)
  let listed = { version: '', names: [] as readonly string[] }
  return {
    find: (name) => {
      if (name.length > CHANNEL_NAME_MAX) return undefined
      const openPrivate = privates.get(name)
      if (openPrivate !== undefined)
        return {
          isPrivate: true,
          open: ({ account: wallet }, publish) =>
            new PrivateStream(streamDeps, { name, wallet, publish }, openPrivate),
        }
      const make = publicChannel(streamDeps, name)
      return (
        make && {
          isPrivate: false,
          isPerBlock: PER_BLOCK.has(wordOf(name)),
          open: (publish) => openPublicStream(streamDeps, name, make(), publish),
        }
      )
    },
    names: () => {
      const version = `${model.versions.listing} ${model.state.records.indexPrice.size}`
      if (version !== listed.version)
        listed = { version, names: [...publicNames(model), ...privates.keys()] }
      return listed.names
    },
  }
}

/** The private channels. */
function privateChannels(deps: ChannelDeps): ReadonlyMap<string, OpenPrivate> {
  const { model } = deps
  const overviewDeps = { ...deps, heads: new HeadSeqs(model) }
  const account: OpenPrivate = (wallet) => accountChannel(overviewDeps, wallet)
  const notifications = new NotificationChannels(deps)
  const orders = new OrderChannels(deps)
  return new Map<string, OpenPrivate>([
    ['orders', (wallet, resync) => orders.open(wallet, resync)],
    ['fills', () => fillsChannel(deps)],
    ['positions', () => positionsChannel(model)],
    ['account', account],
    ['balances', account],
    ['fundings', () => fundingsChannel(deps)],
    ['transactions', () => transactionsChannel(deps)],
    ['notifications', (wallet, resync) => notifications.open(wallet, resync)],
  ])
}

/** Returns a factory of the public channel `word:rest`, or undefined when there is none. */
type PublicFactory = (deps: StreamDeps, rest: string) => (() => PublicChannel) | undefined

const ofMarkets =
  (
    find: (model: VenueModel, text: string) => MarketSet | undefined,
    make: (deps: StreamDeps, markets: MarketSet) => PublicChannel,
  ): PublicFactory =>
  (deps, rest) => {
    const markets = find(deps.model, rest)
    return markets && (() => make(deps, markets))
  }

const bookWords = Object.entries(BOOK_INTERVALS_MS).map(([word, intervalMs]) => {
  const find: PublicFactory = (deps, rest) => {
    const live = deps.model.market(rest)
    return live && (() => bookChannel(deps, live.market, intervalMs))
  }
  return [word, find] as const
})

const tickerWords = Object.entries(TICKER_INTERVALS_MS).map(
  ([word, intervalMs]) =>
    [
      word,
      ofMarkets(marketsTyped, (deps, markets) => tickerChannel(deps, markets, intervalMs)),
    ] as const,
)

const PUBLIC_WORDS: Readonly<Record<string, PublicFactory>> = {
  ...Object.fromEntries([...bookWords, ...tickerWords]),
  'orderbook-l3': (deps, rest) => {
    const live = deps.model.market(rest)
    return live && (() => orderBookL3Channel(deps, live.market))
  },
  'book-ticker': ofMarkets(marketsTyped, bookTickerChannel),
  trades: ofMarkets(marketsNamed, tradesChannel),
  'trades-block': ofMarkets(marketsNamed, tradesBlockChannel),
  index: (deps, rest) =>
    knownAssets(deps.model).has(rest) ? () => indexChannel(deps, rest) : undefined,
  funding: (deps, rest) => {
    const market = deps.model.market(rest)?.market
    return market?.type === 'PERPETUAL' ? () => fundingChannel(deps, market) : undefined
  },
  candles: (deps, rest) => {
    const colon = rest.lastIndexOf(':')
    const live = deps.model.market(rest.slice(0, colon))
    const resolution = parseResolution(rest.slice(colon + 1))
    if (live === undefined || resolution === undefined) return undefined
    return () => candleChannel(deps, live.market, resolution)
  },
  statistics: (deps, rest) => {
    const live = deps.model.market(nameOfType(rest))
    return live && (() => statisticsChannel(deps, live.market))
  },
}

/** Channels of a state that changes with most blocks. */
const PER_BLOCK: ReadonlySet<string> = new Set([
  'orderbook',
  'orderbook-l3',
  'ticker',
  'book-ticker',
])

const wordOf = (name: string): string => name.split(':', 1)[0] ?? name

function publicChannel(deps: StreamDeps, name: string): (() => PublicChannel) | undefined {
  if (name === 'markets') return () => marketsChannel(deps)
  if (name === 'liquidations') return () => liquidationsChannel(deps)
  const word = wordOf(name)
  if (!Object.hasOwn(PUBLIC_WORDS, word)) return undefined
  return PUBLIC_WORDS[word]?.(deps, name.slice(word.length + 1))
}

/** Interface 4.2: PERPETUAL is the market `<asset>-PERP`, SPOT is `<asset>-USDC`. */
function nameOfType(text: string): string {
  const [, asset, type] = /^([^:]+):(PERPETUAL|SPOT)$/.exec(text) ?? []
  return asset === undefined ? '' : `${asset}-${type === 'SPOT' ? 'USDC' : 'PERP'}`
}

/** Symbols that have an index price or may get one. */
function knownAssets(model: VenueModel): Set<string> {
  const assets = new Set(model.state.records.indexPrice.keys())
  for (const { market } of model.markets) assets.add(market.asset)
  return assets
}

/** Words of channels that exist for each market, for each type of an asset, and for each asset. */
const BY_TYPE = [...Object.keys(TICKER_INTERVALS_MS), 'book-ticker']
const BY_ASSET = ['trades', 'trades-block']
const BY_MARKET = [...Object.keys(BOOK_INTERVALS_MS), 'orderbook-l3', ...BY_TYPE, ...BY_ASSET]

function publicNames(model: VenueModel): Set<string> {
  const names = new Set(['markets', 'liquidations'])
  for (const asset of knownAssets(model)) names.add(`index:${asset}`)
  for (const { market } of model.markets) {
    const { name, asset, type } = market
    for (const word of BY_MARKET) names.add(`${word}:${name}`)
    for (const word of BY_ASSET) names.add(`${word}:${asset}`)
    for (const word of BY_TYPE) names.add(`${word}:${asset}:${type}`)
    if (model.market(nameOfType(`${asset}:${type}`)) !== undefined)
      names.add(`statistics:${asset}:${type}`)
    if (type === 'PERPETUAL') names.add(`funding:${name}`)
    for (const resolution of RESOLUTION_NAMES) names.add(`candles:${name}:${resolution}`)
  }
  return names
}
