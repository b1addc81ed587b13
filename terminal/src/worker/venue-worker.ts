// Entry point of the worker: takes the page's requests, and posts changes.
import { ChainFallback } from '../features/chain/worker/chain-fallback.ts'
import { readChainConfig } from '../features/chain/worker/venue-config.ts'
import type { Alert } from '../features/notifications/notification-protocol.ts'
import { SessionHolder } from '../features/session/worker/session.ts'
import { WalletRelay } from '../features/wallet/worker/wallet-relay.ts'
import type { FromWorker, ToWorker } from '../protocol/protocol.ts'
import type { AnswerMessage, RequestMessage } from '../protocol/question.ts'
import { FramePoster } from '../protocol/worker/frame-poster.ts'
import { once, untilDone } from '../protocol/worker/retry.ts'
import { ShownSources } from '../protocol/worker/shown-sources.ts'
import * as text from './text.ts'
import { VenueView } from './venue-view.ts'

const poster = new FramePoster()
const sources = new ShownSources(poster)
const relay = new WalletRelay((walletAsked) => postMessage({ walletAsked } satisfies FromWorker))
/** The page renders the book meanwhile. */
const AFTER_BOOK_MS = 500
/** Time without a book after which the account is loaded anyway. */
const BOOK_MS_MAX = 3_000
/** Delay before a failed load is repeated. */
const AGAIN_MS = 2_000

let view: VenueView | undefined
/** Loads the request handlers, after the first book or on demand. */
let load: () => Promise<RequestHandler> | undefined = () => undefined
let fallback: ChainFallback | undefined

type RequestHandler = (request: RequestMessage) => Promise<AnswerMessage>
type OpenMessage = Extract<ToWorker, { kind: 'open' }>

function open(message: OpenMessage): void {
  try {
    begin(message, readChainConfig(message.config))
  } catch (error) {
    // A malformed pin must not be treated as a missing one.
    if (!(error instanceof Error)) throw error
    poster.show('problem', text.configWrong(error.message))
  }
}

function begin(
  { apiUrl, integratedUrl, market }: OpenMessage,
  config: ReturnType<typeof readChainConfig>,
): void {
  const chain = new ChainFallback({ apiUrl, sources })
  const hosts = { apiUrl, integratedUrl, onConnection: chain.enter.bind(chain) }
  const opened = new VenueView(hosts, sources)
  chain.follow(opened)
  view = opened
  fallback = chain
  view.open(market)
  const alert = (event: Alert) => postMessage({ alert: event } satisfies FromWorker)
  chain.choose(market ?? '')
  const sessions = new SessionHolder()
  const parts = {
    apiUrl,
    config,
    poster: sources,
    view: opened,
    sessions,
    relay,
    alert,
    fallback: chain,
    isSeen: () => poster.isVisible,
  }
  const making = once(async () => (await import('./handlers.ts')).makeAnswers(parts))
  load = making
  const late = new Promise((resolve) => setTimeout(resolve, BOOK_MS_MAX))
  void Promise.race([poster.first('book'), late]).then(() =>
    setTimeout(untilDone, AFTER_BOOK_MS, making, AGAIN_MS),
  )
}

/** The page's host is down, or serves another version by now. */
const notLoaded = ({ id }: RequestMessage): AnswerMessage => ({
  id,
  problem: {
    code: 'PART_NOT_LOADED',
    message: text.partNotLoaded,
    ...{ details: [], retryAfterMs: undefined },
  },
})

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'open':
      return open(data)
    case 'market':
      fallback?.choose(data.market)
      return view?.choose(data.market)
    case 'group':
      fallback?.group(data.at)
      return view?.group(data.at)
    case 'resolution':
      return view?.resolution(data.resolution)
    case 'older':
      return view?.chart.older(data.before)
    case 'newer':
      return view?.chart.newer()
    case 'newest':
      return view?.chart.toNewest()
    case 'chart':
      return view?.chart.choose(data.choice)
    case 'span':
      return view?.chart.span(data.span)
    case 'visible':
      return poster.visible(data.isVisible)
    case 'wallet':
      return relay.take(data)
    case 'freeze':
      return poster.freeze(data.isFrozen)
    case 'page':
      return view?.page(data.page)
    case 'sparks':
      return view?.sparks(data.markets)
    case 'ask':
      void load()
        ?.then(
          (answer) => answer(data),
          () => notLoaded(data),
        )
        .then((answered) => postMessage({ answered } satisfies FromWorker))
  }
})
