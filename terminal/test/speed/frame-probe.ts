// Code that runs in a page and in its worker to measure the time from a socket message to its
// paint. The product does not contain it: `watchSocket` is put before the worker's own code when it
// is loaded, and `watchPosts` runs before the page's code.

import type { FrameFigures } from './figures.ts'

export type FrameWindow = { openvenueFrames: FrameFigures }
/** Messages first shown by a post: arrival of the oldest one, and their number. */
type Arrival = { ms: number; count: number }
/** Member that the worker adds to each post. */
type WorkerMessage = Readonly<{ openvenueArrived?: Readonly<{ book?: Arrival; trades?: Arrival }> }>

/** In the worker: records when the oldest unposted message arrived, and counts messages. */
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

/** In the page: sees each post before the page does, and the end of the next frame. */
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
      this.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
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
          // A message posted in a frame is handled after it: style, layout and paint are done.
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
