// What the page knows of the venue: one store that the worker fills. Components read it, and ask
// by functions; none of them knows a socket.
import { createStore, reconcile } from 'solid-js/store'
import type { CandleNews, FromWorker, Resolution, Shown, ToWorker } from './worker/protocol.ts'

export type Venue = Readonly<{
  shown: Shown
  /** Has the chart hear of its candles. */
  onCandles: (listener: (news: CandleNews) => void) => void
  resolution: (resolution: Resolution) => void
  older: (beforeSeconds: number) => void
  choose: (market: string) => void
  group: (at: number) => void
}>

const NOTHING: Shown = {
  market: '',
  markets: [],
  book: { bids: [], asks: [], spread: '', mid: '', groups: [], group: '', block: '' },
  trades: [],
  connection: 'connecting',
  trust: { block: '', isChecked: false },
  problem: '',
}

/** Starts the worker and returns what it shows. Rows keep their place: only texts change. */
export function openVenue(apiUrl: string, market: string | undefined): Venue {
  const { shown, take } = createShown()
  const worker = new Worker(new URL('./worker/venue-worker.ts', import.meta.url), {
    type: 'module',
  })
  const ask = (message: ToWorker) => worker.postMessage(message)
  let draw: (news: CandleNews) => void = () => {}
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    const { candles, ...news } = data
    take(news)
    if (candles !== undefined) draw(candles)
  })
  document.addEventListener('visibilitychange', () =>
    ask({ kind: 'visible', isVisible: !document.hidden }),
  )
  ask({ kind: 'open', apiUrl, market })
  return {
    shown,
    onCandles: (listener) => {
      draw = listener
    },
    resolution: (resolution) => ask({ kind: 'resolution', resolution }),
    older: (before) => ask({ kind: 'older', before }),
    choose: (name) => ask({ kind: 'market', market: name }),
    group: (at) => ask({ kind: 'group', at }),
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
const KEYS: Readonly<Record<string, string>> = { trades: 'id', markets: 'name' }
