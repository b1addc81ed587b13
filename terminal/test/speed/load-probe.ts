// What runs in a page while it loads, and reads there how that went. Each function is sent to the
// browser as its text: it knows nothing of what stands around it.

import type { LoadFigures } from './figures.ts'

export type Probed = { openvenueLoad: LoadFigures }

/** Watches the load from its beginning; the book is there when its tenth row is drawn. */
export function watchLoad(): void {
  const figures = { madeMs: 0, bookMs: 0, largestPaintMs: 0, layoutShift: 0, longTaskMs: 0 }
  Object.assign(globalThis, { openvenueLoad: figures })
  const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
    })
  watch('largest-contentful-paint', ({ startTime }) => {
    figures.largestPaintMs = startTime
  })
  watch('longtask', ({ duration }) => {
    figures.longTaskMs = Math.max(figures.longTaskMs, duration)
  })
  watch('layout-shift', (entry) => {
    figures.layoutShift += (entry as unknown as { value: number }).value
  })
  const isFull = (side: string) =>
    (document.querySelectorAll(`.${side} .price`)[9]?.textContent ?? '').trim() !== ''
  const look = () => {
    if (!isFull('bids') || !isFull('asks')) return void requestAnimationFrame(look)
    figures.madeMs = performance.now()
    // Behind this frame: by then it is drawn.
    requestAnimationFrame(() =>
      setTimeout(() => {
        figures.bookMs = performance.now()
      }),
    )
  }
  look()
}
