// Handles gestures on a chart: mouse, one finger or two, wheel and keys.

/** The touched part of the chart. */
export type ChartPart = 'candles' | 'prices' | 'times'
type Gestures = Readonly<{
  partAt: (x: number, y: number) => ChartPart
  /** A drag by a number of pixels to the right and down. */
  drag: (part: ChartPart, byX: number, byY: number) => void
  /** Multiplies distances around `x`. */
  zoom: (x: number, by: number) => void
  reset: (part: ChartPart) => void
  /** Something is pointed at; undefined: nothing any more. */
  point: (at: Point | undefined, isTap: boolean) => void
  /** Returns whether the key means something. */
  press: (key: string) => boolean
  /** True while the engine handles the pointer: a drawing is made or moved. */
  isPaused: () => boolean
}>
export type Point = Readonly<{ x: number; y: number }>

/** A shorter movement is a tap. Pixels. */
const TAP_PX = 6
/** Pixels per line, for wheels that report lines. */
const LINE_PX = 30
const ZOOM_PER_PX = 0.002
/** A wheel that turns far at once zooms no more than that. Pixels. */
const WHEEL_PX_MAX = 200

/** Listens until what it returns is called. */
export function listenToGestures(frame: HTMLElement, gestures: Gestures): () => void {
  const listening = new AbortController()
  const { signal } = listening
  frame.addEventListener('wheel', (event) => turn(event, frame, gestures), {
    ...{ signal, passive: false },
  })
  frame.addEventListener(
    'dblclick',
    (event) => {
      const { x, y } = pointOf(event, frame)
      gestures.reset(gestures.partAt(x, y))
    },
    { signal },
  )
  frame.addEventListener(
    'keydown',
    (event) => {
      const { ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || !gestures.press(event.key)) return
      event.preventDefault()
      event.stopPropagation()
    },
    { signal },
  )
  listenToPointers(frame, gestures, signal)
  // The engine would keep the page from scrolling.
  for (const name of ['touchstart', 'touchmove', 'touchend'] as const)
    frame.addEventListener(name, (event) => gestures.isPaused() || event.stopPropagation(), {
      ...{ signal, capture: true },
    })
  return () => listening.abort()
}

function turn(event: WheelEvent, frame: HTMLElement, { zoom, drag }: Gestures): void {
  event.preventDefault()
  const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE_PX
  const [byX, byY] = [event.deltaX * pixels, event.deltaY * pixels]
  const turned = Math.min(Math.max(byY, -WHEEL_PX_MAX), WHEEL_PX_MAX)
  if (Math.abs(byX) > Math.abs(byY)) drag('candles', -byX, 0)
  else zoom(pointOf(event, frame).x, Math.exp(-turned * ZOOM_PER_PX))
}

function listenToPointers(frame: HTMLElement, gestures: Gestures, signal: AbortSignal): void {
  const pointers = new Map<number, Point>()
  let part: ChartPart = 'candles'
  let movedPx = 0
  const on = (
    name: 'pointerdown' | 'pointermove' | 'pointerup',
    take: (event: PointerEvent) => void,
  ) => frame.addEventListener(name, take, { signal })
  on('pointerdown', (event) => {
    if (event.button !== 0) return
    const at = pointOf(event, frame)
    if (pointers.size === 0) part = gestures.partAt(at.x, at.y)
    movedPx = 0
    pointers.set(event.pointerId, at)
    // The frame would take the pointer away from the engine in it.
    if (event.target instanceof Element) event.target.setPointerCapture(event.pointerId)
  })
  on('pointermove', (event) => {
    const at = pointOf(event, frame)
    const before = pointers.get(event.pointerId)
    if (event.pointerType === 'mouse') gestures.point(at, false)
    if (before === undefined || gestures.isPaused()) return
    movedPx += Math.abs(at.x - before.x) + Math.abs(at.y - before.y)
    const [other] = [...pointers].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]))
    pointers.set(event.pointerId, at)
    if (other === undefined) gestures.drag(part, at.x - before.x, at.y - before.y)
    else pinch(gestures, other, { before, at })
  })
  on('pointerup', (event) => {
    if (!pointers.delete(event.pointerId)) return
    if (event.pointerType !== 'mouse' && movedPx < TAP_PX)
      gestures.point(pointOf(event, frame), true)
  })
  frame.addEventListener('pointercancel', ({ pointerId }) => pointers.delete(pointerId), { signal })
  frame.addEventListener(
    'pointerleave',
    ({ pointerType, relatedTarget }) => {
      // The button appears under the pointer.
      const isAdding = relatedTarget instanceof Element && relatedTarget.closest('.price-add')
      if (pointerType === 'mouse' && !isAdding) gestures.point(undefined, false)
    },
    { signal },
  )
}

type Move = Readonly<{ before: Point; at: Point }>

/** Two fingers: what is between them moves and grows with them. */
function pinch({ drag, zoom }: Gestures, other: Point, { before, at }: Move): void {
  const wide = ({ x, y }: Point) => Math.max(Math.hypot(x - other.x, y - other.y), 1)
  drag('candles', (at.x - before.x) / 2, 0)
  zoom((at.x + other.x) / 2, wide(at) / wide(before))
}

function pointOf({ clientX, clientY }: MouseEvent, frame: HTMLElement): Point {
  const { left, top } = frame.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}
