// What runs in a page and in its worker to see how long a message of the socket takes until it is
// drawn. The product has none of this: the text of `watchSocket` is put before the worker's own
// code as it is loaded, and `watchPosts` runs before the page's.

import type { FrameFigures } from './figures.ts'

export type Framed = { openvenueFrames: FrameFigures }
/** Of the messages that a post is the first to show: when the oldest has come, and how many. */
type Arrival = { ms: number; count: number }
/** What the worker says beside each post. */
type Arrived = Readonly<{ openvenueArrived?: Readonly<{ book?: Arrival; trades?: Arrival }> }>

/** In the worker: keeps when the oldest message came that was not posted yet, and counts them. */
export function watchSocket(): void {
  const nowMs = () => performance.timeOrigin + performance.now()
  const arrived: { book?: Arrival; trades?: Arrival } = {}
  const note = (name: 'book' | 'trades') => {
    arrived[name] ??= { ms: nowMs(), count: 0 }
    arrived[name].count += 1
  }
  const Plain = globalThis.WebSocket
  globalThis.WebSocket = class extends Plain {
    constructor(url: string | URL) {
      super(url)
      this.addEventListener('message', ({ data }) => {
        const text = String(data).slice(0, 200)
        if (!text.includes('"update"')) return
        if (text.includes('"orderbook')) note('book')
        else if (text.includes('"trades')) note('trades')
      })
    }
  }
  const scope = globalThis as unknown as { postMessage: (message: object) => void }
  const plainPost = scope.postMessage.bind(globalThis)
  scope.postMessage = (message) => {
    const openvenueArrived = {
      ...('book' in message && arrived.book !== undefined && { book: arrived.book }),
      ...('trades' in message && arrived.trades !== undefined && { trades: arrived.trades }),
    }
    if ('book' in message) delete arrived.book
    if ('trades' in message) delete arrived.trades
    plainPost({ ...message, openvenueArrived })
  }
}

/** In the page: sees each post before the page does, and when the next frame is done. */
export function watchPosts(): void {
  const figures: FrameFigures = {
    ...{ bookMs: [], tradesMs: [], bookMessages: 0, tradesMessages: 0 },
    ...{ posts: 0, hiddenPosts: 0, titles: 0 },
    ...{ longTasksMs: [], mutations: 0, isCounting: false },
  }
  Object.assign(globalThis, { openvenueFrames: figures })
  const nowMs = () => performance.timeOrigin + performance.now()
  const Plain = globalThis.Worker
  globalThis.Worker = class extends Plain {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      this.addEventListener('message', ({ data }: MessageEvent<Arrived>) => {
        const isTitle = Object.keys(data).every((one) => /^(title|openvenueArrived)$/.test(one))
        if (isTitle) {
          figures.titles += 1
          return
        }
        figures.posts += 1
        if (document.hidden) figures.hiddenPosts += 1
        const { book, trades } = data.openvenueArrived ?? {}
        if (book === undefined && trades === undefined) return
        requestAnimationFrame(() => {
          // A message that a frame posts is taken up behind it: style, layout and paint are done.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => {
            if (book !== undefined) figures.bookMs.push(nowMs() - book.ms)
            if (trades !== undefined) figures.tradesMs.push(nowMs() - trades.ms)
            figures.bookMessages += book?.count ?? 0
            figures.tradesMessages += trades?.count ?? 0
          }
          port2.postMessage(0)
        })
      })
    }
  }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) figures.longTasksMs.push(duration)
  }).observe({ type: 'longtask', buffered: true })
  new MutationObserver((changes) => {
    const isPainted = ({ target }: MutationRecord) => target.nodeName !== 'TITLE'
    if (figures.isCounting) figures.mutations += changes.filter(isPainted).length
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
}
