// The channels of a node by their names: what each means, and how it is opened.
import { RESOLUTION_NAMES } from '@openvenue/core/resolutions'
import type { AccountHistory } from '@openvenue/store/account-history'
import { parseResolution } from '@openvenue/wire/candles'
import type { Overviews } from '../../account/overview.ts'
import type { OwnedReads } from '../../account/owned-reads.ts'
import type { Wallets } from '../../account/wallets.ts'
import type { Caller } from '../../identity/caller.ts'
import type { FreshReads } from '../../model/fresh-reads.ts'
import type { LiveMarket } from '../../model/live-market.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { ChannelKind, Channels, Publish } from '../channel.ts'
import { ordersSource, positionsSource } from './account-channels.ts'
import { BOOK_INTERVALS_MS, type BookWord, bookChannel } from './book-channel.ts'
import { candleChannel } from './candle-channel.ts'
import { fundingChannel, indexChannel, marketsChannel, statisticsChannel } from './fact-channels.ts'
import { NotificationFeed, type NotificationStore } from './notifications-channel.ts'
import { type ChannelClock, OpenStreams } from './open-streams.ts'
import { HeadSeqs, overviewSource } from './overview-channel.ts'
import { type PrivateDeps, type PrivateSource, PrivateStream } from './private-stream.ts'
import { fillsSource, fundingsSource, transactionsSource } from './row-channels.ts'
import type { Opening } from './stream-deps.ts'
import { bookTickerChannel, TICKER_INTERVAL_MS, tickerChannel } from './ticker-channels.ts'
import { type Markets, tradesBlockChannel, tradesChannel } from './trade-channels.ts'

/** No name of a channel is longer. */
export const CHANNEL_NAME_MAX = 128

export type ChannelDeps = Readonly<{
  model: VenueModel
  wallets: Wallets
  owned: OwnedReads
  history: AccountHistory
  fresh: FreshReads
  notifications: NotificationStore
  overviews: Pick<Overviews, 'of'>
  chainId: number
  clock: ChannelClock
}>

/** Returns how to open the public channel `name` whose parts are `word:rest`, if there is one. */
type PublicWord = (deps: PrivateDeps, name: string, rest: string) => Opening | undefined

/**
 * Returns the channels of a node. The model tells them everything; they ask nothing of it twice.
 */
export function createChannels(channelDeps: ChannelDeps): Channels {
  const { model, wallets, owned, clock } = channelDeps
  const streams = new OpenStreams(model, clock)
  const deps: PrivateDeps = { model, wallets, owned, streams, ...clock }
  const { notifications, chainId } = channelDeps
  const privates = privateWords(channelDeps, {
    heads: new HeadSeqs(model),
    notifications: new NotificationFeed({ model, streams, notifications, chainId }),
  })
  let named = { version: '', names: [] as readonly string[] }
  return {
    kindOf: (name) => {
      if (name.length > CHANNEL_NAME_MAX) return undefined
      const sourceOf = privates.get(name)
      if (sourceOf !== undefined) return privateKind(deps, name, sourceOf)
      const open = openingOf(deps, name)
      return open && { isPrivate: false, open }
    },
    names: () => {
      const version = `${model.versions.listing} ${model.state.records.indexPrice.size}`
      if (version !== named.version)
        named = { version, names: [...publicNames(model), ...privates.keys()] }
      return named.names
    },
  }
}

type Feeds = Readonly<{ heads: HeadSeqs; notifications: NotificationFeed }>

/** Returns what each private channel does. */
const privateWords = (deps: ChannelDeps, { heads, notifications }: Feeds) => {
  const { model } = deps
  const overview = (stream: PrivateStream) =>
    overviewSource({ model, heads, overviews: deps.overviews, ...deps.clock }, stream)
  return new Map<string, (stream: PrivateStream) => PrivateSource>([
    ['orders', () => ordersSource(model)],
    ['fills', () => fillsSource(deps)],
    ['positions', () => positionsSource(model)],
    ['account', overview],
    ['balances', overview],
    ['fundings', () => fundingsSource(deps)],
    ['transactions', () => transactionsSource(deps)],
    ['notifications', (stream) => notifications.source(stream)],
  ])
}

const privateKind = (
  deps: PrivateDeps,
  name: string,
  sourceOf: (stream: PrivateStream) => PrivateSource,
): ChannelKind => ({
  isPrivate: true,
  open: ({ account }: Caller, publish: Publish) =>
    new PrivateStream(deps, { name, wallet: account, publish }, sourceOf).stream,
})

const bookWord =
  (word: BookWord): PublicWord =>
  (deps, name, rest) => {
    const live = deps.model.market(rest)
    return live && bookChannel(deps, name, live.market, word)
  }

const PUBLIC_WORDS: Readonly<Record<string, PublicWord>> = {
  ...Object.fromEntries(
    (Object.keys(BOOK_INTERVALS_MS) as BookWord[]).map((word) => [word, bookWord(word)]),
  ),
  ticker: (deps, name, rest) => {
    const markets = marketsTyped(deps.model, rest)
    return markets && tickerChannel(deps, name, markets, 0)
  },
  'ticker-500ms': (deps, name, rest) => {
    const markets = marketsTyped(deps.model, rest)
    return markets && tickerChannel(deps, name, markets, TICKER_INTERVAL_MS)
  },
  'book-ticker': (deps, name, rest) => {
    const markets = marketsTyped(deps.model, rest)
    return markets && bookTickerChannel(deps, name, markets)
  },
  trades: (deps, name, rest) => {
    const markets = marketsNamed(deps.model, rest)
    return markets && tradesChannel(deps, name, markets)
  },
  'trades-block': (deps, name, rest) => {
    const markets = marketsNamed(deps.model, rest)
    return markets && tradesBlockChannel(deps, name, markets)
  },
  index: (deps, name, rest) =>
    assetsOf(deps.model).has(rest) ? indexChannel(deps, name, rest) : undefined,
  funding: (deps, name, rest) => {
    const live = deps.model.market(rest)
    return live?.market.type === 'PERPETUAL' ? fundingChannel(deps, name, live.market) : undefined
  },
  candles: (deps, name, rest) => {
    const colon = rest.lastIndexOf(':')
    const live = deps.model.market(rest.slice(0, colon))
    const resolution = parseResolution(rest.slice(colon + 1))
    if (live === undefined || resolution === undefined) return undefined
    return candleChannel(deps, name, live.market, resolution)
  },
  statistics: (deps, name, rest) => {
    const live = deps.model.market(marketOfType(rest))
    return live && statisticsChannel(deps, name, live.market)
  },
  markets: (deps, name) => (name === 'markets' ? marketsChannel(deps, name) : undefined),
}

/** Interface 4.2: PERPETUAL is the market `<asset>-PERP`, SPOT is `<asset>-USDC`. */
function marketOfType(text: string): string {
  const [, asset, type] = /^([^:]+):(PERPETUAL|SPOT)$/.exec(text) ?? []
  return asset === undefined ? '' : `${asset}-${type === 'SPOT' ? 'USDC' : 'PERP'}`
}

/** Symbols that have an index price, or may get one. */
function assetsOf(model: VenueModel): Set<string> {
  const assets = new Set(model.state.records.indexPrice.keys())
  for (const { market } of model.markets) assets.add(market.asset)
  return assets
}

function openingOf(deps: PrivateDeps, name: string): Opening | undefined {
  const colon = name.indexOf(':')
  const word = colon === -1 ? name : name.slice(0, colon)
  if (!Object.hasOwn(PUBLIC_WORDS, word)) return undefined
  return PUBLIC_WORDS[word]?.(deps, name, colon === -1 ? '' : name.slice(colon + 1))
}

const marketOnly = ({ market: { id } }: LiveMarket): Markets => ({
  subject: { kind: 'market', id },
  includes: ({ market }) => market.id === id,
})

/** `<name>` or `<asset>`: all of its markets. */
function marketsNamed(model: VenueModel, text: string): Markets | undefined {
  const live = model.market(text)
  if (live !== undefined) return marketOnly(live)
  if (![...model.markets].some(({ market }) => market.asset === text)) return undefined
  return {
    subject: { kind: 'asset', asset: text },
    includes: ({ market }) => market.asset === text,
  }
}

/** `<name>` or `<asset>:<TYPE>`. */
function marketsTyped(model: VenueModel, text: string): Markets | undefined {
  const live = model.market(text)
  if (live !== undefined) return marketOnly(live)
  const [asset = '', type = '', ...more] = text.split(':')
  const includes = ({ market }: LiveMarket) => market.asset === asset && market.type === type
  if (more.length > 0 || ![...model.markets].some(includes)) return undefined
  return { subject: { kind: 'asset', asset }, includes }
}

/** Names that a market gives: of it, of its type, of its asset. */
const BY_MARKET = [
  ...Object.keys(BOOK_INTERVALS_MS),
  'ticker',
  'ticker-500ms',
  'book-ticker',
  'trades',
  'trades-block',
]
const BY_TYPE = ['ticker', 'ticker-500ms', 'book-ticker']
const BY_ASSET = ['trades', 'trades-block']

function publicNames(model: VenueModel): Set<string> {
  const names = new Set(['markets'])
  for (const asset of assetsOf(model)) names.add(`index:${asset}`)
  for (const { market } of model.markets) {
    const { name, asset, type } = market
    for (const word of BY_MARKET) names.add(`${word}:${name}`)
    for (const word of BY_ASSET) names.add(`${word}:${asset}`)
    for (const word of BY_TYPE) names.add(`${word}:${asset}:${type}`)
    if (model.market(marketOfType(`${asset}:${type}`)) !== undefined)
      names.add(`statistics:${asset}:${type}`)
    if (type === 'PERPETUAL') names.add(`funding:${name}`)
    for (const resolution of RESOLUTION_NAMES) names.add(`candles:${name}:${resolution}`)
  }
  return names
}
