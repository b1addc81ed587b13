// Candles, with what is under the pointer in words above them, and handles on the lines of orders.
import { createEffect, createSignal, on, onCleanup, onMount, Show } from 'solid-js'
import type { Venue } from '../../page/venue.ts'
import type { EditOrder } from '../order/order-editing.ts'
import { CandleChart, ZOOM_STEP } from './candle-chart.ts'
import type { CandleNews, CandleText } from './chart-protocol.ts'
import { OrderHandles } from './order-handles.tsx'
import * as text from './text.ts'

type PriceChartProps = Readonly<{
  venue: Venue
  edit: EditOrder
  /** Has the worker send everything. */
  begin: () => void
}>

export function PriceChart(props: PriceChartProps) {
  const [chart, setChart] = createSignal<CandleChart>()
  const [news, setNews] = createSignal<CandleNews>()
  const [time, setTime] = createSignal<number>()
  const [isAtEnd, setAtEnd] = createSignal(true)
  const [layouts, setLayouts] = createSignal(0)
  let frame: HTMLDivElement | undefined
  onMount(() => {
    if (frame === undefined) return
    const { older, newer, onCandles } = props.venue
    const drawing = new CandleChart(frame, {
      ...{ older, newer, hover: setTime, atEnd: setAtEnd },
      layout: () => setLayouts((count) => count + 1),
    })
    setChart(drawing)
    onCandles((now) => {
      drawing.draw(now)
      setNews(now)
    })
    props.begin()
    onCleanup(() => {
      onCandles(() => {})
      drawing.remove()
    })
  })
  // Reads every member, so that it runs with each change, and gives the drawing copies of its own.
  createEffect(() => {
    const { lines, marks } = props.venue.shown.ownMarks
    const copies = {
      lines: lines.map((line) => ({ ...line })),
      marks: marks.map((mark) => ({ ...mark })),
    }
    chart()?.mark(copies)
  })
  const hovered = createHovered(props.venue, time)
  const toNewest = () => {
    props.venue.newest()
    chart()?.toNewest()
  }
  return (
    <div class="drawing">
      <section class="drawing-frame" ref={frame} tabindex={0} aria-label={text.candles} />
      <Legend candle={hovered() ?? news()?.newest} />
      <Show when={chart()}>
        {(drawing) => (
          <OrderHandles
            chart={drawing()}
            lines={props.venue.shown.ownMarks.lines}
            layouts={layouts()}
            edit={props.edit}
          />
        )}
      </Show>
      <fieldset class="chart-moves">
        <legend class="hidden">{text.visibleRange}</legend>
        <Move sign="−" name={text.moreCandles} move={() => chart()?.zoom(1 / ZOOM_STEP)} />
        <Move sign="+" name={text.fewerCandles} move={() => chart()?.zoom(ZOOM_STEP)} />
        <Move sign="↥" name={text.tallerCandles} move={() => chart()?.stretch(1 / ZOOM_STEP)} />
        <Move sign="↧" name={text.lowerCandles} move={() => chart()?.stretch(ZOOM_STEP)} />
        <Move sign="‹" name={text.earlierCandles} move={() => chart()?.step(-1)} />
        <Move sign="›" name={text.laterCandles} move={() => chart()?.step(1)} />
        <Show when={!isAtEnd()}>
          <Move sign="»" name={text.toLatest} move={toNewest} />
        </Show>
      </fieldset>
    </div>
  )
}

const Move = (props: Readonly<{ sign: string; name: string; move: () => void }>) => (
  <button type="button" title={props.name} onClick={() => props.move()}>
    <span aria-hidden="true">{props.sign}</span>
    <span class="hidden">{props.name}</span>
  </button>
)

/** Requests a description of the candle under the pointer; only the newest answer counts. */
function createHovered(venue: Venue, time: () => number | undefined) {
  const [candle, setCandle] = createSignal<CandleText>()
  createEffect(
    on(time, async (opened) => {
      if (opened === undefined) return setCandle(undefined)
      const described = await venue.ask('describeCandle', { time: opened }).catch(() => null)
      if (time() === opened) setCandle(described ?? undefined)
    }),
  )
  return candle
}

const Legend = (props: Readonly<{ candle: CandleText | undefined }>) => (
  <dl class="legend">
    <Show when={props.candle}>
      {(candle) => (
        <>
          <Fact name={text.open} value={candle().open} isUp={candle().isUp} />
          <Fact name={text.high} value={candle().high} isUp={candle().isUp} />
          <Fact name={text.low} value={candle().low} isUp={candle().isUp} />
          <Fact name={text.close} value={candle().close} isUp={candle().isUp} />
          <Fact name={text.change} value={candle().change} isUp={candle().isUp} />
          <Fact name={text.volume} value={candle().volume} isUp={candle().isUp} />
        </>
      )}
    </Show>
  </dl>
)

const Fact = (props: Readonly<{ name: string; value: string; isUp: boolean }>) => (
  <div>
    <dt>{props.name}</dt>
    <dd classList={{ buy: props.isUp, sell: !props.isUp }}>{props.value}</dd>
  </div>
)
