// What the page knows of the venue: one store that the worker fills. Components read it, and ask
// by functions; none of them knows a socket.
import { createStore, reconcile } from 'solid-js/store'
import { type Ask, Asking } from './asking.ts'
import { trustedScript } from './trusted-types.ts'
import type { CandleNews, FromWorker, Resolution, Shown, ToWorker } from './worker/protocol.ts'
import { NO_ACCOUNT } from './worker/tables/table-protocol.ts'
import workerUrl from './worker/venue-worker.ts?worker&url'
import {
  NO_WALLET,
  type WalletAnswered,
  type WalletAsked,
} from './worker/wallet/wallet-protocol.ts'

export type Venue = Readonly<{
  shown: Shown
  /** Has the chart hear of its candles. */
  onCandles: (listener: (news: CandleNews) => void) => void
  resolution: (resolution: Resolution) => void
  older: (beforeSeconds: number) => void
  choose: (market: string) => void
  group: (at: number) => void
  /** Asks the worker something and waits for the answer. */
  ask: Ask
  /** Has what knows the browser's wallet answer for it. */
  onWallet: (listener: AskWallet) => void
  /** Keeps what moves by itself still. */
  freeze: (isFrozen: boolean) => void
  /** Says which page is shown. */
  page: (page: string) => void
}>

/** Asks the browser's wallet; what it refuses is an answer as well. */
export type AskWallet = (asked: WalletAsked) => Promise<WalletAnswered>

const noWallet: AskWallet = async ({ id }) => ({
  ...{ kind: 'wallet', id, code: 4900, message: 'the wallet is not connected: connect it again' },
})

/** Where the venue is; `integratedUrl` is of the host of its pools, empty where there is none. */
export type Hosts = Readonly<{ apiUrl: string; integratedUrl: string }>

const NOTHING: Shown = {
  market: '',
  markets: [],
  book: { bids: [], asks: [], spread: '', mid: '', groups: [], group: '', block: '' },
  trades: [],
  connection: 'connecting',
  trust: { block: '', isChecked: false },
  latency: '',
  network: { name: '', trading: '' },
  fundingIn: '',
  sparks: [],
  status: [],
  pools: { isOffered: false, rows: [], problem: '' },
  problem: '',
  own: { lines: [], marks: [] },
  orderNews: [],
  isTrading: false,
  wallet: NO_WALLET,
  account: NO_ACCOUNT,
  ...{ positions: [], orders: [], fills: [] },
}

/** Starts the worker and returns what it shows. Rows keep their place: only texts change. */
export function openVenue(hosts: Hosts, market: string | undefined): Venue {
  const { shown, take } = createShown()
  const worker = new Worker(trustedScript(workerUrl), { type: 'module' })
  const post = (message: ToWorker) => worker.postMessage(message)
  const asking = new Asking(post)
  let draw: (news: CandleNews) => void = () => {}
  let askWallet: AskWallet = noWallet
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    const { candles, answered, walletAsked, ...news } = data
    take(news)
    if (candles !== undefined) draw(candles)
    if (answered !== undefined) asking.take(answered)
    if (walletAsked !== undefined) askWallet(walletAsked).then(post, () => {})
  })
  document.addEventListener('visibilitychange', () =>
    post({ kind: 'visible', isVisible: !document.hidden }),
  )
  post({ kind: 'open', ...hosts, market })
  return {
    shown,
    onCandles: (listener) => {
      draw = listener
    },
    resolution: (resolution) => post({ kind: 'resolution', resolution }),
    older: (before) => post({ kind: 'older', before }),
    choose: (name) => post({ kind: 'market', market: name }),
    group: (at) => post({ kind: 'group', at }),
    ask: asking.ask,
    onWallet: (listener) => {
      askWallet = listener
    },
    freeze: (isFrozen) => post({ kind: 'freeze', isFrozen }),
    page: (page) => post({ kind: 'page', page }),
  }
}

/** What is shown, a member at a time: a change of one disturbs no reader of another. */
function createShown() {
  const parts = Object.fromEntries(
    Object.entries(NOTHING).map(([name, value]) => [name, createStore({ value })]),
  )
  const shown = {} as Shown
  for (const [name, [part]] of Object.entries(parts))
    Object.defineProperty(shown, name, { get: () => part.value, enumerable: true })
  const take = (news: Partial<Shown>) => {
    for (const [name, value] of Object.entries(news))
      parts[name]?.[1]('value', reconcile(value, { key: KEYS[name] ?? null, merge: true }))
  }
  return { shown, take }
}

/** Rows that are moved rather than overwritten, by what names them. */
const KEYS: Readonly<Record<string, string>> = {
  trades: 'id',
  markets: 'name',
  orderNews: 'id',
  positions: 'id',
  orders: 'id',
  fills: 'id',
  sparks: 'name',
  status: 'title',
}
