// The page's state of the venue: a store that the worker fills. Components read it and send
// requests through functions; none of them uses a socket.
import { batch, createSignal } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import { NO_CHAIN } from '../features/chain/chain-protocol.ts'
import type {
  CandleNews,
  ChartChoice,
  DepthSpan,
  DepthView,
  Resolution,
} from '../features/chart/chart-protocol.ts'
import { type Alert, NO_NOTIFICATIONS } from '../features/notifications/notification-protocol.ts'
import { NO_ACCOUNT } from '../features/tables/table-protocol.ts'
import {
  NO_WALLET,
  type WalletAnswerMessage,
  type WalletRequestMessage,
} from '../features/wallet/wallet-protocol.ts'
import { type Ask, Asking } from '../protocol/asking.ts'
import type { FromWorker, PageState, ToWorker } from '../protocol/protocol.ts'
import * as text from './text.ts'

/**
 * URLs of the venue. `integratedUrl` is the host of its pools, `faucetUrl` a page that gives test
 * money; empty if there is none.
 */
export type Hosts = Readonly<{
  apiUrl: string
  integratedUrl: string
  faucetUrl: string
  config: unknown
}>

/** The worker, which starts before anything is rendered. */
export type WorkerConnection = Readonly<{
  hosts: Promise<Hosts>
  /** Posts to the worker once the hosts are known. */
  post: (message: ToWorker) => void
  /** Forwards all messages of the worker, including earlier ones. */
  listen: (listener: (news: FromWorker) => void) => void
}>

export type Venue = Readonly<{
  shown: PageState
  /** URL of a third-party page that gives test money; empty if config.json has none. */
  faucetUrl: () => string
  /** Resolves with the first book, or after a timeout: then the rest is loaded. */
  afterBook: Promise<void>
  /** Registers the chart's listener of candles. */
  onCandles: (listener: (news: CandleNews) => void) => void
  resolution: (resolution: Resolution) => void
  older: (beforeSeconds: number) => void
  newer: () => void
  newest: () => void
  /** Sends the chart's view to the worker; a new chart gets all data. */
  chart: (choice: ChartChoice) => void
  onDepth: (listener: (depth: DepthView) => void) => void
  span: (span: DepthSpan) => void
  choose: (market: string) => void
  group: (at: number) => void
  /** Sends a request to the worker and waits for the answer. */
  ask: Ask
  /** Registers the handler of requests to the browser's wallet. */
  onWallet: (listener: AskWallet) => void
  /** Registers a listener of account events, also called while the page is hidden. */
  onAlert: (listener: (alert: Alert) => void) => void
  /** Pauses data that updates continuously. */
  freeze: (isFrozen: boolean) => void
  /** Reports the displayed page to the worker. */
  page: (page: string) => void
  /** Reports the markets whose price lines are visible. */
  sparks: (markets: readonly string[]) => void
}>

/** Sends a request to the browser's wallet; a refusal is an answer as well. */
type AskWallet = (request: WalletRequestMessage) => Promise<WalletAnswerMessage>

const noWallet: AskWallet = async ({ id }) => ({
  ...{ kind: 'wallet', id, code: 4900, message: text.walletNotConnected },
})

/** Time without a book after which the chart is loaded anyway. */
const BOOK_MS_MAX = 3_000

const NOTHING: PageState = {
  ...{ title: '', market: '', markets: [] },
  book: { bids: [], asks: [], spread: '', mid: '', picks: [], groups: [], group: '', block: '' },
  trades: [],
  ...{ connection: 'connecting', quietFor: '' },
  chain: NO_CHAIN,
  trust: { block: '', isChecked: false },
  latency: '',
  network: { name: '', isDevnet: false, trading: '' },
  fundingIn: '',
  sparks: [],
  status: [],
  pools: { isOffered: false, rows: [], problem: '' },
  problem: '',
  ownMarks: { lines: [], marks: [] },
  ...{ orderNews: [], placed: [] },
  isTrading: false,
  wallet: NO_WALLET,
  acting: '',
  notifications: NO_NOTIFICATIONS,
  account: NO_ACCOUNT,
  ...{ positions: [], orders: [], fills: [] },
}

/** Returns the state that the worker fills. Rows are updated in place. */
export function openVenue({ hosts, post, listen }: WorkerConnection): Venue {
  const { shown, take } = createShown()
  const [faucetUrl, setFaucetUrl] = createSignal('')
  hosts.then(
    (venueHosts) => setFaucetUrl(venueHosts.faucetUrl),
    () => take({ problem: text.configMissing }),
  )
  const asking = new Asking(post)
  const { afterBook, sawBook } = bookWait()
  let draw: (news: CandleNews) => void = () => {}
  let drawDepth: (depth: DepthView) => void = () => {}
  let askWallet: AskWallet = noWallet
  const alerts = new EventTarget()
  listen(({ candles, drawn, depth, answered, walletAsked, alert, ...news }) => {
    take(news)
    if (news.book !== undefined) sawBook()
    for (const candleNews of [candles, drawn]) if (candleNews !== undefined) draw(candleNews)
    if (depth !== undefined) drawDepth(depth)
    if (answered !== undefined) asking.take(answered)
    if (alert !== undefined) alerts.dispatchEvent(new CustomEvent('alert', { detail: alert }))
    if (walletAsked !== undefined) askWallet(walletAsked).then((answer) => post(answer), unanswered)
  })
  document.addEventListener('visibilitychange', () =>
    post({ kind: 'visible', isVisible: !document.hidden }),
  )
  return {
    shown,
    faucetUrl,
    afterBook,
    onCandles: (listener) => {
      draw = listener
    },
    resolution: (resolution) => post({ kind: 'resolution', resolution }),
    older: (before) => post({ kind: 'older', before }),
    newer: () => post({ kind: 'newer' }),
    newest: () => post({ kind: 'newest' }),
    chart: (choice) => post({ kind: 'chart', choice }),
    onDepth: (listener) => {
      drawDepth = listener
    },
    span: (span) => post({ kind: 'span', span }),
    ask: asking.ask,
    onWallet: (listener) => {
      askWallet = listener
    },
    ...choices(post),
    onAlert: (listener) => listenTo(alerts, listener),
  }
}

/** Functions that report the user's view to the worker. */
const choices = (post: (message: ToWorker) => void) => ({
  choose: (market: string) => post({ kind: 'market', market }),
  group: (at: number) => post({ kind: 'group', at }),
  freeze: (isFrozen: boolean) => post({ kind: 'freeze', isFrozen }),
  page: (page: string) => post({ kind: 'page', page }),
  sparks: (markets: readonly string[]) => post({ kind: 'sparks', markets }),
})

/** Resolves after the first book or a timeout, so that deferred code never delays the book. */
function bookWait() {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, BOOK_MS_MAX)
  // Behind the frame in which the book is drawn.
  const sawBook = () => requestAnimationFrame(() => setTimeout(resolve))
  return { afterBook: promise, sawBook }
}

/** One store per member, so that a change of one does not notify readers of another. */
function createShown() {
  const parts = Object.fromEntries(
    Object.entries(NOTHING).map(([name, value]) => [name, createStore({ value })]),
  )
  const shown = {} as PageState
  for (const [name, [part]] of Object.entries(parts))
    Object.defineProperty(shown, name, { get: () => part.value, enumerable: true })
  // Readers of several members run once per message.
  const take = (news: Partial<PageState>) =>
    batch(() => {
      for (const [name, value] of Object.entries(news))
        parts[name]?.[1]('value', reconcile(value, { key: KEYS[name] ?? null, merge: true }))
    })
  return { shown, take }
}

/**
 * Keys of rows that move. Rows of the book and the trades are updated in place, so that nothing
 * jumps.
 */
const KEYS: Readonly<Record<string, string>> = {
  markets: 'name',
  orderNews: 'id',
  placed: 'id',
  positions: 'id',
  orders: 'id',
  fills: 'id',
  sparks: 'name',
  status: 'title',
}

/** Leaves a request without an answer: the sender times out. */
const unanswered = (): void => {}

const listenTo = (alerts: EventTarget, listener: (alert: Alert) => void): void =>
  alerts.addEventListener('alert', (event) => listener((event as CustomEvent<Alert>).detail))
