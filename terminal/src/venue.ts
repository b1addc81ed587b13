// What the page knows of the venue: one store that the worker fills. Components read it, and ask
// by functions; none of them knows a socket.
import { batch, createSignal } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import { type Ask, Asking } from './asking.ts'
import type { Begun } from './begin.ts'
import { NO_CHAIN } from './worker/chain/chain-protocol.ts'
import type {
  CandleNews,
  ChartChoice,
  DepthSpan,
  DepthView,
  Resolution,
} from './worker/market/chart-protocol.ts'
import { type Alert, NO_NOTIFICATIONS } from './worker/notifications/notification-protocol.ts'
import type { Shown, ToWorker } from './worker/protocol.ts'
import { NO_ACCOUNT } from './worker/tables/table-protocol.ts'
import {
  NO_WALLET,
  type WalletAnswered,
  type WalletAsked,
} from './worker/wallet/wallet-protocol.ts'

export type Venue = Readonly<{
  shown: Shown
  /** Of a page that gives test money, which is not ours; empty where config.json names none. */
  faucetUrl: () => string
  /** Resolves when there is a book, or none for long: what can wait is loaded then. */
  afterBook: Promise<void>
  /** Has the chart hear of its candles. */
  onCandles: (listener: (news: CandleNews) => void) => void
  resolution: (resolution: Resolution) => void
  older: (beforeSeconds: number) => void
  newer: () => void
  newest: () => void
  /** Says what the chart shows; a drawing that begins gets everything. */
  chart: (choice: ChartChoice) => void
  /** Has the drawing of the depth hear of it, so far from the middle. */
  onDepth: (listener: (depth: DepthView) => void) => void
  span: (span: DepthSpan) => void
  choose: (market: string) => void
  group: (at: number) => void
  /** Asks the worker something and waits for the answer. */
  ask: Ask
  /** Has what knows the browser's wallet answer for it. */
  onWallet: (listener: AskWallet) => void
  /** Has a listener hear what has just happened to the account, also while nobody looks. */
  onAlert: (listener: (alert: Alert) => void) => void
  /** Keeps what moves by itself still. */
  freeze: (isFrozen: boolean) => void
  /** Says which page is shown. */
  page: (page: string) => void
  /** Says of which markets lines of prices are on the screen. */
  sparks: (markets: readonly string[]) => void
}>

/** Asks the browser's wallet; what it refuses is an answer as well. */
export type AskWallet = (asked: WalletAsked) => Promise<WalletAnswered>

const noWallet: AskWallet = async ({ id }) => ({
  ...{ kind: 'wallet', id, code: 4900, message: 'the wallet is not connected: connect it again' },
})

/** Without a book for so long, the chart is not kept waiting. */
const BOOK_MS_MAX = 3_000

const NOTHING: Shown = {
  ...{ title: '', market: '', markets: [] },
  book: { bids: [], asks: [], spread: '', mid: '', groups: [], group: '', block: '' },
  trades: [],
  ...{ connection: 'connecting', staleAfter: '' },
  chain: NO_CHAIN,
  trust: { block: '', isChecked: false },
  latency: '',
  network: { name: '', isDevnet: false, trading: '' },
  fundingIn: '',
  sparks: [],
  status: [],
  pools: { isOffered: false, rows: [], problem: '' },
  problem: '',
  own: { lines: [], marks: [] },
  ...{ orderNews: [], placed: [] },
  isTrading: false,
  wallet: NO_WALLET,
  acting: '',
  notifications: NO_NOTIFICATIONS,
  account: NO_ACCOUNT,
  ...{ positions: [], orders: [], fills: [] },
}

/** Returns what the worker shows. Rows keep their place: only texts change. */
export function openVenue({ hosts, post, listen }: Begun): Venue {
  const { shown, take } = createShown()
  const [faucetUrl, setFaucetUrl] = createSignal('')
  hosts.then(
    (found) => setFaucetUrl(found.faucetUrl),
    () => take({ problem: 'The page does not know where the venue is: config.json is not there.' }),
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

/** Says to the worker what is looked at. */
const choices = (post: (message: ToWorker) => void) => ({
  choose: (market: string) => post({ kind: 'market', market }),
  group: (at: number) => post({ kind: 'group', at }),
  freeze: (isFrozen: boolean) => post({ kind: 'freeze', isFrozen }),
  page: (page: string) => post({ kind: 'page', page }),
  sparks: (markets: readonly string[]) => post({ kind: 'sparks', markets }),
})

/** What is loaded for later must not keep the first book waiting, nor wait for ever. */
function bookWait() {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, BOOK_MS_MAX)
  // Behind the frame in which the book is drawn.
  const sawBook = () => requestAnimationFrame(() => setTimeout(resolve))
  return { afterBook: promise, sawBook }
}

/** What is shown, a member at a time: a change of one disturbs no reader of another. */
function createShown() {
  const parts = Object.fromEntries(
    Object.entries(NOTHING).map(([name, value]) => [name, createStore({ value })]),
  )
  const shown = {} as Shown
  for (const [name, [part]] of Object.entries(parts))
    Object.defineProperty(shown, name, { get: () => part.value, enumerable: true })
  // Who reads several members runs once for all that came at once.
  const take = (news: Partial<Shown>) =>
    batch(() => {
      for (const [name, value] of Object.entries(news))
        parts[name]?.[1]('value', reconcile(value, { key: KEYS[name] ?? null, merge: true }))
    })
  return { shown, take }
}

/**
 * Rows that are moved rather than overwritten, by what names them. Of the book and the trades each
 * row keeps its place and takes another text: nothing jumps.
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

/** A wallet that can not be asked has no answer: whoever waits for one gives up. */
const unanswered = (): void => {}

const listenTo = (alerts: EventTarget, listener: (alert: Alert) => void): void =>
  alerts.addEventListener('alert', (event) => listener((event as CustomEvent<Alert>).detail))
