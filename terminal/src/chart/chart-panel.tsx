// The chart's frame: the lengths of candles to choose, and the drawing, which comes after the book.
import { createEffect, createSignal, For, onMount } from 'solid-js'
import type { Venue } from '../venue.ts'
import type { OwnMarks } from '../worker/order/order-protocol.ts'
import { RESOLUTIONS } from '../worker/protocol.ts'

const NAMES = { '1': '1m', '5': '5m', '15': '15m', '60': '1h', '240': '4h', '1D': '1D' } as const

export function ChartPanel(props: Readonly<{ venue: Venue }>) {
  const [chosen, setChosen] = createSignal<(typeof RESOLUTIONS)[number]>('5')
  const [mark, setMark] = createSignal<(own: OwnMarks) => void>()
  // Reads every member, so that it runs with each change, and gives the drawing copies of its own.
  createEffect(() => {
    const { lines, marks } = props.venue.shown.own
    mark()?.({
      lines: lines.map((line) => ({ ...line })),
      marks: marks.map((one) => ({ ...one })),
    })
  })
  let frame: HTMLDivElement | undefined
  onMount(async () => {
    await props.venue.afterBook
    const { drawCandles } = await import('./candle-chart.ts')
    if (frame === undefined) return
    const { draw, mark } = drawCandles(frame, props.venue.older)
    props.venue.onCandles(draw)
    setMark(() => mark)
  })
  return (
    <section class="panel chart" aria-label="Chart">
      <fieldset class="panel-head">
        <legend class="hidden">Length of a candle</legend>
        <For each={RESOLUTIONS}>
          {(resolution) => (
            <button
              type="button"
              aria-pressed={chosen() === resolution}
              onClick={() => {
                setChosen(resolution)
                props.venue.resolution(resolution)
              }}
            >
              {NAMES[resolution]}
            </button>
          )}
        </For>
        <a class="maker" href="https://www.tradingview.com/" target="_blank" rel="noopener">
          Charts by TradingView
        </a>
      </fieldset>
      <div class="drawing" ref={frame} />
    </section>
  )
}
