// Candles, with what is under the pointer in words above them, and handles on the lines of orders.
import { createEffect, createSignal, on, onCleanup, onMount, Show } from 'solid-js'
import type { Venue } from '../../page/venue.ts'
import type { EditOrder } from '../order/order-editing.ts'
import { CandleChart, ZOOM_STEP } from './candle-chart.ts'
import type { CandleNews, CandleText } from './chart-protocol.ts'
import { OrderHandles } from './order-handles.tsx'

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
    const { lines, marks } = props.venue.shown.own
    const own = { lines: lines.map((one) => ({ ...one })), marks: marks.map((one) => ({ ...one })) }
    chart()?.mark(own)
  })
  const hovered = createHovered(props.venue, time)
  const toNewest = () => {
    props.venue.newest()
    chart()?.toNewest()
  }
  return (
    <div class="drawing">
      <section
        class="drawing-frame"
        ref={frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys go along the candles
        tabindex={0}
        aria-label="Candles: arrow keys move, + and − zoom, End shows the latest"
      />
      <Legend candle={hovered() ?? news()?.newest} />
      <Show when={chart()}>
        {(drawing) => (
          <OrderHandles
            chart={drawing()}
            lines={props.venue.shown.own.lines}
            layouts={layouts()}
            edit={props.edit}
          />
        )}
      </Show>
      <fieldset class="chart-moves">
        <legend class="hidden">Visible range</legend>
        <Move sign="−" name="More candles" move={() => chart()?.zoom(1 / ZOOM_STEP)} />
        <Move sign="+" name="Fewer candles" move={() => chart()?.zoom(ZOOM_STEP)} />
        <Move sign="↥" name="Taller candles" move={() => chart()?.stretch(1 / ZOOM_STEP)} />
        <Move sign="↧" name="Lower candles" move={() => chart()?.stretch(ZOOM_STEP)} />
        <Move sign="‹" name="Earlier candles" move={() => chart()?.step(-1)} />
        <Move sign="›" name="Later candles" move={() => chart()?.step(1)} />
        <Show when={!isAtEnd()}>
          <Move sign="»" name="To the latest candle" move={toNewest} />
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
    on(time, async (asked) => {
      if (asked === undefined) return setCandle(undefined)
      const text = await venue.ask('describeCandle', { time: asked }).catch(() => null)
      if (time() === asked) setCandle(text ?? undefined)
    }),
  )
  return candle
}

const Legend = (props: Readonly<{ candle: CandleText | undefined }>) => (
  <dl class="legend">
    <Show when={props.candle}>
      {(candle) => (
        <>
          <Fact name="O" value={candle().open} isUp={candle().isUp} />
          <Fact name="H" value={candle().high} isUp={candle().isUp} />
          <Fact name="L" value={candle().low} isUp={candle().isUp} />
          <Fact name="C" value={candle().close} isUp={candle().isUp} />
          <Fact name="Change" value={candle().change} isUp={candle().isUp} />
          <Fact name="Volume" value={candle().volume} isUp={candle().isUp} />
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
