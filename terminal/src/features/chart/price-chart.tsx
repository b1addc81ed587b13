// Candles, with what is under the pointer in words above them, and handles on the lines of orders.
import { createEffect, createMemo, createSignal, on, onCleanup, onMount, Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import { later } from '../../page/later.ts'
import type { Venue } from '../../page/venue.ts'
import type { EditOrder } from '../order/order-editing.ts'
import type { Ticket } from '../order/ticket.ts'
import { CandleChart, type PointedCandle, ZOOM_STEP } from './candle-chart.ts'
import { chartOptions, setChartOptions } from './chart-options.ts'
import type { CandleNews, CandleText, Resolution } from './chart-protocol.ts'
import { ChartToolbar } from './chart-toolbar.tsx'
import { OrderHandles } from './order-handles.tsx'
import { PriceSpot } from './price-spot.tsx'
import * as text from './text.ts'
import type { ToolMenuName } from './tools/chart-tools.tsx'

const ChartTools = later(async () => (await import('./tools/chart-tools.tsx')).ChartTools)

type PriceChartProps = Readonly<{
  venue: Venue
  edit: EditOrder
  ticket: Ticket
  panel: HTMLElement | undefined
  /** Holds the toolbar. */
  head: HTMLElement | undefined
}>

export function PriceChart(props: PriceChartProps) {
  const [chart, setChart] = createSignal<CandleChart>()
  const [news, setNews] = createSignal<CandleNews>()
  const [pointed, setPointed] = createSignal<PointedCandle>()
  const [isAtEnd, setAtEnd] = createSignal(true)
  const [layouts, setLayouts] = createSignal(0)
  let frame: HTMLDivElement | undefined
  onMount(() => {
    if (frame === undefined) return
    const { older, newer, onCandles } = props.venue
    const drawing = new CandleChart(frame, {
      ...{ older, newer, hover: setPointed, atEnd: setAtEnd },
      layout: () => setLayouts((count) => count + 1),
    })
    setChart(drawing)
    onCandles((now) => {
      drawing.draw(now)
      setNews(now)
    })
    showOptions(props.venue, drawing)
    onCleanup(() => {
      onCandles(() => {})
      drawing.remove()
    })
  })
  followLayout(layouts, chart, () => frame?.parentElement)
  followMarks(props.venue, chart)
  const hovered = createHovered(props.venue, pointed)
  const [menu, setMenu] = createSignal<ToolMenuName>()
  // Once they are loaded, they stay.
  const usesTools = createMemo<boolean>((used) => {
    const { indicators, hasDrawings } = chartOptions
    return used || menu() !== undefined || indicators.length > 0 || hasDrawings
  }, false)
  const openMenu = (name: ToolMenuName) => {
    if (name === 'drawings') setChartOptions({ hasDrawings: true })
    setMenu(name)
  }
  return (
    <div class="drawing">
      <Portal mount={props.head ?? document.body}>
        <ChartToolbar panel={props.panel} openMenu={openMenu} />
      </Portal>
      <section class="drawing-frame" ref={frame} tabindex={0} aria-label={text.candles} />
      <Legend candle={hovered()?.candle ?? news()?.newest} />
      <p class="hidden" role="status">
        {hovered()?.spoken}
      </p>
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
      <Show when={chart()}>
        {(drawing) => (
          <PriceSpot
            chart={drawing()}
            frame={frame as HTMLElement}
            ticket={props.ticket}
            pointerY={pointed()?.y}
          />
        )}
      </Show>
      <Show when={usesTools() && chart()}>
        {(drawing) => (
          <ChartTools
            chart={drawing()}
            market={props.venue.shown.market}
            menu={menu()}
            closeMenu={() => setMenu(undefined)}
            changes={[layouts(), pointed(), news()]}
          />
        )}
      </Show>
      <Show when={chart()}>
        {(drawing) => (
          <ChartMoves chart={drawing()} isAtEnd={isAtEnd()} newest={props.venue.newest} />
        )}
      </Show>
    </div>
  )
}

type MovesProps = Readonly<{ chart: CandleChart; isAtEnd: boolean; newest: () => void }>

/** A button for everything that can be dragged. */
function ChartMoves(props: MovesProps) {
  const toNewest = () => {
    props.newest()
    props.chart.toNewest()
  }
  return (
    <fieldset class="chart-moves">
      <legend class="hidden">{text.visibleRange}</legend>
      <Move sign="−" name={text.moreCandles} move={() => props.chart.zoom(1 / ZOOM_STEP)} />
      <Move sign="+" name={text.fewerCandles} move={() => props.chart.zoom(ZOOM_STEP)} />
      <Move sign="↥" name={text.tallerCandles} move={() => props.chart.stretch(1 / ZOOM_STEP)} />
      <Move sign="↧" name={text.lowerCandles} move={() => props.chart.stretch(ZOOM_STEP)} />
      <Move sign="‹" name={text.earlierCandles} move={() => props.chart.step(-1)} />
      <Move sign="›" name={text.laterCandles} move={() => props.chart.step(1)} />
      <Show when={!props.isAtEnd}>
        <Move sign="»" name={text.toLatest} move={toNewest} />
      </Show>
    </fieldset>
  )
}

const Move = (props: Readonly<{ sign: string; name: string; move: () => void }>) => (
  <button type="button" title={props.name} onClick={() => props.move()}>
    <span aria-hidden="true">{props.sign}</span>
    <span class="hidden">{props.name}</span>
  </button>
)

/** Has what is placed at the bottom of the candles above the panes of indicators. */
function followLayout(
  layouts: () => number,
  chart: () => CandleChart | undefined,
  drawing: () => HTMLElement | null | undefined,
): void {
  createEffect(() => {
    const engine = layouts() < 0 ? undefined : chart()?.engine
    if (engine === undefined) return
    drawing()?.style.setProperty('--below-px', `${engine.height - engine.pane.height}px`)
  })
}

/** Reads every member, so that it runs with each change; the drawing gets copies of its own. */
function followMarks(venue: Venue, chart: () => CandleChart | undefined): void {
  createEffect(() => {
    const { lines, marks } = venue.shown.ownMarks
    const copies = {
      lines: lines.map((line) => ({ ...line })),
      marks: marks.map((mark) => ({ ...mark })),
    }
    chart()?.mark(copies)
  })
}

/** Resolution that the worker has; it starts with this one. */
let shownResolution: Resolution = '5'

/** Applies the options of the toolbar, now and after each change. */
function showOptions(venue: Venue, { engine }: CandleChart): void {
  createEffect(() => {
    const { resolution } = chartOptions
    if (resolution !== shownResolution) venue.resolution(resolution)
    shownResolution = resolution
  })
  // A chart that begins gets everything.
  createEffect(() => {
    const [hasMark, hasIndex] = [isLined('mark'), isLined('index')]
    venue.chart({ tab: 'price', hasMark, hasIndex })
  })
  createEffect(() => engine.type(chartOptions.type))
  createEffect(() => engine.scale(chartOptions.scale))
}

const isLined = (name: 'mark' | 'index') => chartOptions.lines.includes(name)

/**
 * Requests a description of the candle that is pointed at; only the newest answer counts. One that
 * keys have chosen is spoken, too.
 */
function createHovered(venue: Venue, pointed: () => PointedCandle | undefined) {
  const [hovered, setHovered] = createSignal<Readonly<{ candle: CandleText; spoken: string }>>()
  // A pointer reports each of its moves.
  const changed = createMemo(pointed, undefined, {
    equals: (a, b) => a?.opens === b?.opens && a?.spoken === b?.spoken,
  })
  createEffect(
    on(changed, async (candle) => {
      if (candle === undefined) return setHovered(undefined)
      const described = await venue.ask('describeCandle', { time: candle.opens }).catch(() => null)
      if (changed() !== candle) return
      const { spoken } = candle
      setHovered(
        described
          ? { candle: described, spoken: spoken ? text.spokenCandle(spoken, described) : '' }
          : undefined,
      )
    }),
  )
  return hovered
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
