// Cumulative depth up to each price: bids on the left, asks on the right.
import { createEffect, createSignal, For, on, onCleanup, onMount } from 'solid-js'
import type { Venue } from '../../page/venue.ts'
import { type ChartColors, readColors } from './chart-colors.ts'
import { DEPTH_SPANS, type DepthPoint, type DepthSpan, type DepthView } from './chart-protocol.ts'
import { createPlot, type Draw, type Plot } from './plot.ts'
import * as text from './text.ts'

type DepthProps = Readonly<{ venue: Venue; looks: string }>

export function DepthChart(props: DepthProps) {
  const [depth, setDepth] = createSignal<DepthView>()
  const [x, setX] = createSignal<number>()
  let canvas: HTMLCanvasElement | undefined
  onMount(() => {
    if (canvas === undefined) return
    const drawn = canvas
    let colors = readColors(document.body)
    const draw: Draw = (context, size) => {
      const now = depth()
      if (now !== undefined) drawDepth(context, now, { ...size, colors, x: x() })
    }
    const plot: Plot = createPlot(drawn, draw)
    props.venue.onDepth(setDepth)
    props.venue.chart({ tab: 'depth', hasMark: false, hasIndex: false })
    onCleanup(() => props.venue.onDepth(() => {}))
    createEffect(on([depth, x], () => plot.redraw()))
    createEffect(
      on(
        () => props.looks,
        () => {
          colors = readColors(document.body)
          plot.redraw()
        },
      ),
    )
  })
  const isOf = () => depth()?.market === props.venue.shown.market
  return (
    <div class="drawing depth">
      <div class="depth-plot">
        <canvas
          ref={canvas}
          onPointerMove={(event) => setX(event.offsetX)}
          onPointerLeave={() => setX(undefined)}
        />
        <ol class="depth-totals" aria-hidden="true">
          <For each={isOf() ? depth()?.totals : []}>{(label) => <li>{label}</li>}</For>
        </ol>
        <p class="depth-words">{describeDepth(isOf() ? depth() : undefined, x(), canvas)}</p>
      </div>
      <ol class="depth-prices" aria-hidden="true">
        <For each={isOf() ? depth()?.prices : []}>{(label) => <li>{label}</li>}</For>
      </ol>
      <SpanChoice venue={props.venue} />
    </div>
  )
}

function SpanChoice(props: Readonly<{ venue: Venue }>) {
  const [span, setSpan] = createSignal<DepthSpan>('2')
  createEffect(on(span, props.venue.span))
  return (
    <fieldset class="depth-spans">
      <legend class="hidden">{text.span}</legend>
      <For each={DEPTH_SPANS}>
        {(offered) => (
          <button type="button" aria-pressed={span() === offered} onClick={() => setSpan(offered)}>
            {text.spanOf(offered)}
          </button>
        )}
      </For>
    </fieldset>
  )
}

/** Returns the depth up to the price under the pointer, or else up to both edges. */
function describeDepth(
  depth: DepthView | undefined,
  x: number | undefined,
  canvas: HTMLCanvasElement | undefined,
): string {
  if (depth === undefined) return ''
  if (x === undefined || canvas === undefined)
    return text.bothSides(
      depth.bids.at(-1)?.text ?? text.emptySide,
      depth.asks.at(-1)?.text ?? text.emptySide,
    )
  const price = depth.from + ((depth.to - depth.from) * x) / canvas.clientWidth
  const isBid = price < (depth.from + depth.to) / 2
  const side = isBid ? depth.bids : depth.asks
  const level = side.findLast((point) => (isBid ? point.price >= price : point.price <= price))
  if (level === undefined) return ''
  return isBid ? text.bidsTo(level.text) : text.asksTo(level.text)
}

type ChartArea = Readonly<{
  width: number
  height: number
  colors: ChartColors
  x: number | undefined
}>

function drawDepth(context: CanvasRenderingContext2D, depth: DepthView, sized: ChartArea): void {
  const { width, height, colors, x } = sized
  const left = (point: DepthPoint) => ((point.price - depth.from) * width) / (depth.to - depth.from)
  const top = (point: DepthPoint) => height - (point.total * (height - 8)) / (depth.most || 1)
  context.strokeStyle = `${colors.line}a0`
  for (let part = 1; part < 4; part++)
    line(context, [0, (height * part) / 4], [width, (height * part) / 4])
  for (const [points, color, edge] of [
    [depth.bids, colors.buy, 0],
    [depth.asks, colors.sell, width],
  ] as const) {
    const [first] = points
    if (first === undefined) continue
    context.beginPath()
    context.moveTo(left(first), height)
    let y = height
    for (const point of points) {
      context.lineTo(left(point), y)
      y = top(point)
      context.lineTo(left(point), y)
    }
    context.lineTo(edge, y)
    context.strokeStyle = color
    context.lineWidth = 1.5
    context.stroke()
    context.lineTo(edge, height)
    context.closePath()
    context.fillStyle = `${color}30`
    context.fill()
  }
  context.lineWidth = 1
  context.strokeStyle = colors.quiet
  if (x !== undefined) line(context, [x, 0], [x, height])
}

function line(
  context: CanvasRenderingContext2D,
  from: readonly [number, number],
  to: readonly [number, number],
): void {
  context.beginPath()
  context.moveTo(...from)
  context.lineTo(...to)
  context.stroke()
}
