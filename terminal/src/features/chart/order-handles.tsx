// Handles on the lines of orders: dragged to another price, or pressed to type one.
import { createEffect, createSignal, For, onCleanup } from 'solid-js'
import type { EditOrder } from '../order/order-editing.ts'
import type { ChartLine } from '../order/order-protocol.ts'
import type { CandleChart } from './candle-chart.ts'
import * as text from './text.ts'

/** A shorter movement is a press. Pixels. */
const DRAG_PX = 4
/** Handles closer than this are placed side by side. Pixels. */
const HANDLE_PX = 22
const GAP_PX = 6

type HandlesProps = Readonly<{
  chart: CandleChart
  lines: readonly ChartLine[]
  /** Changes whenever everything may be somewhere else. */
  layouts: number
  edit: EditOrder
}>

export function OrderHandles(props: HandlesProps) {
  let holder: HTMLDivElement | undefined
  const orders = () => props.lines.filter(({ orderId }) => orderId !== '')
  // After the chart has drawn, and once for each frame: it is what moves them.
  createEffect(() => {
    if (props.layouts < 0 || holder === undefined) return
    holder.style.width = `${props.chart.engine.pane.width}px`
    place([...holder.children], orders(), props.chart)
  })
  return (
    <div class="handles" ref={holder}>
      <For each={orders()}>
        {(line) => <Handle line={line} chart={props.chart} edit={props.edit} />}
      </For>
    </div>
  )
}

/** Puts each handle on its line; overlapping ones are placed side by side. */
function place(handles: readonly Element[], lines: readonly ChartLine[], chart: CandleChart) {
  const placed: { y: number; right: number }[] = []
  for (const [at, { price }] of lines.entries()) {
    const handle = handles[at]
    if (!(handle instanceof HTMLElement) || handle.dataset['dragged'] === 'true') continue
    const y = chart.yOf(price)
    handle.hidden = y === undefined
    if (y === undefined) continue
    const near = placed.filter((other) => Math.abs(other.y - y) < HANDLE_PX)
    const left = Math.max(0, ...near.map(({ right }) => right + GAP_PX))
    placed.push({ y, right: left + widthOf(handle) })
    handle.style.transform = `translateY(${Math.round(y)}px)`
    handle.style.setProperty('--left-px', `${left}px`)
  }
}

const widths = new WeakMap<Element, Readonly<{ textContent: string | null; px: number }>>()

/** Measured once for each text: it has the page laid out at once. */
function widthOf(handle: HTMLElement): number {
  const { textContent } = handle
  const measured = widths.get(handle)
  if (measured?.textContent === textContent) return measured.px
  const px = handle.querySelector('button')?.offsetWidth ?? 0
  widths.set(handle, { textContent, px })
  return px
}

type HandleProps = Readonly<{ line: ChartLine; chart: CandleChart; edit: EditOrder }>

function Handle(props: HandleProps) {
  const [ghost, setGhost] = createSignal('')
  let strip: HTMLDivElement | undefined
  const begin = createDrag({
    move: (y) => {
      const price = props.chart.textAt(y) ?? ''
      setGhost(price)
      if (strip !== undefined && price !== '') strip.style.transform = `translateY(${y}px)`
    },
    end: (isDone) => {
      const at = ghost()
      setGhost('')
      if (isDone && at !== '') props.edit({ id: props.line.orderId, at: at.replaceAll(',', '') })
    },
  })
  const sign = () => (props.line.tone === 'buy' ? '▲' : '▼')
  return (
    <div
      ref={strip}
      class={`handle ${props.line.tone}`}
      data-dragged={ghost() !== ''}
      onPointerDown={(event) => begin(event, strip)}
    >
      <button
        type="button"
        aria-label={text.editOrder(props.line.text, props.line.at)}
        title={text.dragHint}
        onClick={() => props.edit({ id: props.line.orderId, at: '' })}
      >
        {sign()} {props.line.text} {ghost() === '' ? '' : `→ ${ghost()}`}
      </button>
    </div>
  )
}

type Drag = Readonly<{ move: (y: number) => void; end: (isDone: boolean) => void }>

/** Follows a pointer from where it is pressed. Escape, and whatever takes it away, undoes it. */
function createDrag(drag: Drag) {
  let stop = () => {}
  onCleanup(() => stop())
  return (down: PointerEvent, strip: HTMLElement | undefined) => {
    if (strip === undefined || down.button !== 0) return
    const top = strip.parentElement?.getBoundingClientRect().top ?? 0
    const listening = new AbortController()
    const options = { signal: listening.signal, capture: true }
    let isMoved = false
    const end = (isDone: boolean) => {
      listening.abort()
      stop = () => {}
      if (isMoved) drag.end(isDone)
    }
    stop = () => end(false)
    strip.setPointerCapture(down.pointerId)
    strip.addEventListener(
      'pointermove',
      (event) => {
        isMoved ||= Math.abs(event.clientY - down.clientY) >= DRAG_PX
        if (isMoved) drag.move(event.clientY - top)
      },
      options,
    )
    strip.addEventListener('pointerup', () => end(true), options)
    strip.addEventListener('pointercancel', () => end(false), options)
    // The click that ends a drag is none.
    strip.addEventListener('click', (event) => isMoved && event.stopPropagation(), {
      capture: true,
      once: true,
    })
    addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        end(false)
      },
      options,
    )
  }
}
