// The channels of a node by their names: what each means, and how it is opened.
import type { AccountHistory } from '@openvenue/store/account-history'
import type { Wallets } from '../../account/wallets.ts'
import type { Caller } from '../../identity/caller.ts'
import type { LiveMarket } from '../../model/live-market.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { ChannelKind, Channels, Publish } from '../channel.ts'
import { ordersSource, positionsSource } from './account-channels.ts'
import { BOOK_INTERVALS_MS, type BookWord, bookChannel } from './book-channel.ts'
import { fillsSource } from './fills-channel.ts'
import { type ChannelClock, OpenStreams } from './open-streams.ts'
import { type PrivateDeps, type PrivateSource, PrivateStream } from './private-stream.ts'
import type { Opening } from './stream-deps.ts'
import { bookTickerChannel, TICKER_INTERVAL_MS, tickerChannel } from './ticker-channels.ts'
import { type Markets, tradesBlockChannel, tradesChannel } from './trade-channels.ts'

/** No name of a channel is longer. */
export const CHANNEL_NAME_MAX = 128

export type ChannelDeps = Readonly<{
  model: VenueModel
  wallets: Wallets
  history: AccountHistory
  clock: ChannelClock
}>

/** Returns how to open the public channel `name` whose parts are `word:rest`, if there is one. */
type PublicWord = (deps: PrivateDeps, name: string, rest: string) => Opening | undefined

/** Returns the channels of a node. The model tells them everything; they ask nothing of it twice. */
export function createChannels(channelDeps: ChannelDeps): Channels {
  const { model, wallets, clock } = channelDeps
  const streams = new OpenStreams(model, clock)
  const deps: PrivateDeps = { model, wallets, streams, nowMs: clock.nowMs }
  return {
    kindOf: (name) => {
      if (name.length > CHANNEL_NAME_MAX) return undefined
      if (Object.hasOwn(PRIVATE_WORDS, name))
        return privateKind(deps, name, () => PRIVATE_WORDS[name as PrivateWord](channelDeps))
      const open = openingOf(deps, name)
      return open && { isPrivate: false, open }
    },
    names: () => [...publicNames(model), ...Object.keys(PRIVATE_WORDS)],
  }
}

const PRIVATE_WORDS = {
  orders: ({ model }: ChannelDeps) => ordersSource(model),
  fills: ({ model, history }: ChannelDeps) => fillsSource(model, history),
  positions: ({ model }: ChannelDeps) => positionsSource(model),
} satisfies Record<string, (deps: ChannelDeps) => PrivateSource>
type PrivateWord = keyof typeof PRIVATE_WORDS

const privateKind = (
  deps: PrivateDeps,
  name: string,
  source: () => PrivateSource,
): ChannelKind => ({
  isPrivate: true,
  open: ({ account }: Caller, publish: Publish) =>
    new PrivateStream(deps, { name, wallet: account, publish }, source).stream,
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

function publicNames(model: VenueModel): string[] {
  const names = new Set<string>()
  for (const { market } of model.markets) {
    for (const word of Object.keys(PUBLIC_WORDS)) names.add(`${word}:${market.name}`)
    for (const word of ['ticker', 'ticker-500ms', 'book-ticker'])
      names.add(`${word}:${market.asset}:${market.type}`)
    for (const word of ['trades', 'trades-block']) names.add(`${word}:${market.asset}`)
  }
  return [...names]
}
