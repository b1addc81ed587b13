// Draws behind the rows of the book how much is to be had up to each of them.
import { createEffect } from 'solid-js'
import { createPlot } from '../chart/plot.ts'
import type { BookRow, BookView } from '../worker/protocol.ts'

export type BookParts = Readonly<{
  canvas: HTMLCanvasElement
  asks: HTMLElement
  bids: HTMLElement
}>

/** Draws the bars of a book wherever its rows are: each side scrolls by itself. */
export function drawBars({ canvas, asks, bids }: BookParts, book: () => BookView): void {
  const plot = createPlot(canvas, (context, { width }) => {
    const { color, outlineColor } = getComputedStyle(canvas)
    const rowPx = asks.firstElementChild?.clientHeight ?? 0
    const from = canvas.getBoundingClientRect().top
    const side = (rows: readonly BookRow[], within: HTMLElement, isUp: boolean) => {
      const { top, bottom, height } = within.getBoundingClientRect()
      context.save()
      context.beginPath()
      context.rect(0, top - from, width, height)
      context.clip()
      // Asks begin at the bottom, and are scrolled from there.
      const edge = (isUp ? bottom : top) - from - within.scrollTop
      for (const [at, { share }] of rows.entries()) {
        const y = isUp ? edge - (at + 1) * rowPx : edge + at * rowPx
        context.fillRect(width * (1 - share), y, width * share, rowPx - 1)
      }
      context.restore()
    }
    context.fillStyle = color
    side(book().asks, asks, true)
    context.fillStyle = outlineColor
    side(book().bids, bids, false)
  })
  for (const within of [asks, bids]) within.addEventListener('scroll', plot.redraw)
  createEffect(() => {
    for (const { share } of [...book().asks, ...book().bids]) if (share < 0) return
    plot.redraw()
  })
}
