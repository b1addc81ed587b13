// Drawings of a user on the chart: begun by a tool, selected, moved, removed.
import { type Overlay, registerOverlay } from 'klinecharts'
import { overlays } from 'klinecharts/tools'
import type { KlineEngine } from './kline-engine.ts'

const GROUP = 'drawings'
/** More are not kept. */
const DRAWINGS_MAX = 200
const POINTS_MAX = 2_000

/** Tools as the library spells them. */
export const TOOLS = [
  ...([
    'segment',
    'rayLine',
    'straightLine',
    'horizontalStraightLine',
    'horizontalRayLine',
  ] as const),
  ...(['horizontalSegment', 'verticalStraightLine', 'verticalRayLine', 'verticalSegment'] as const),
  ...(['priceLine', 'priceChannelLine', 'parallelStraightLine', 'fibonacciLine'] as const),
  ...(['brush', 'simpleAnnotation', 'simpleTag'] as const),
] as const
export type ToolName = (typeof TOOLS)[number]
/** Tools with a text. */
export const NOTES: readonly ToolName[] = ['simpleAnnotation', 'simpleTag']

/** A drawing as it is kept. Timestamps are in Unix milliseconds. */
export type Drawing = Readonly<{
  name: ToolName
  points: readonly Readonly<{ timestamp?: number; value?: number }>[]
  text: string
}>

type DrawingsListener = Readonly<{
  /** Called with all drawings after each change by the user. */
  changed: (drawings: readonly Drawing[]) => void
  /** Reports whether a drawing is selected. */
  selected: (isSelected: boolean) => void
  /** Called when a drawing is complete, or was given up. */
  ended: () => void
}>

for (const overlay of overlays) registerOverlay(overlay)

export class KlineDrawings {
  readonly #engine: KlineEngine
  readonly #listener: DrawingsListener
  /** The drawing that is begun and not complete. */
  #begun: string | undefined
  #selected: string | undefined
  #isHeld = false
  /** True while drawings are shown or removed by the page. */
  #isOwnChange = false

  constructor(engine: KlineEngine, listener: DrawingsListener) {
    this.#engine = engine
    this.#listener = listener
  }

  /** True while a pointer draws, or moves a drawing. */
  get isBusy(): boolean {
    return this.#begun !== undefined || this.#isHeld
  }

  get count(): number {
    return this.#all().length
  }

  /** Shows other drawings. */
  show(drawings: readonly Drawing[]): void {
    this.cancel()
    this.#quietly(() => this.#engine.chart.removeOverlay({ groupId: GROUP }))
    for (const { name, points, text } of drawings) this.#create(name, text, points)
  }

  /** Begins a drawing, which the next clicks complete. */
  begin(name: ToolName, text: string): void {
    this.cancel()
    this.#begun = this.#create(name, text)
  }

  /** Gives up a drawing that is begun. Returns whether there was one. */
  cancel(): boolean {
    const id = this.#begun
    if (id === undefined) return false
    this.#begun = undefined
    this.#quietly(() => this.#engine.chart.removeOverlay({ id }))
    this.#listener.ended()
    return true
  }

  removeSelected(): void {
    const id = this.#selected
    if (id === undefined) return
    this.#engine.chart.removeOverlay({ id })
    this.#select(undefined)
  }

  removeAll(): void {
    this.#quietly(() => this.#engine.chart.removeOverlay({ groupId: GROUP }))
    this.#select(undefined)
    this.#changed()
  }

  #create(name: ToolName, text: string, points?: Drawing['points']): string | undefined {
    const id = this.#engine.chart.createOverlay({
      ...{ name, groupId: GROUP, mode: 'weak_magnet', extendData: text },
      ...(points === undefined ? {} : { points: points.map((point) => ({ ...point })) }),
      onDrawEnd: () => this.#drawn(),
      onPressedMoveStart: () => this.#hold(true),
      onPressedMoveEnd: () => {
        this.#hold(false)
        this.#changed()
      },
      onSelected: ({ overlay }) => this.#select(overlay.id),
      onDeselected: () => this.#select(undefined),
      // The page has a menu of its own there, and a button that removes a drawing.
      onRightClick: (event) => event.preventDefault?.(),
      onRemoved: () => this.#removed(),
    })
    return typeof id === 'string' ? id : undefined
  }

  #drawn(): void {
    this.#begun = undefined
    this.#listener.ended()
    this.#changed()
  }

  #hold(isHeld: boolean): void {
    this.#isHeld = isHeld
  }

  #select(id: string | undefined): void {
    this.#selected = id
    this.#listener.selected(id !== undefined)
  }

  /** Called before the library removes it. */
  #removed(): void {
    if (!this.#isOwnChange) queueMicrotask(() => this.#changed())
  }

  #quietly(work: () => void): void {
    this.#isOwnChange = true
    work()
    this.#isOwnChange = false
  }

  #changed(): void {
    this.#listener.changed(this.#all().slice(-DRAWINGS_MAX).map(drawingOf))
  }

  #all(): readonly Overlay[] {
    return this.#engine.chart.getOverlays({ groupId: GROUP }).filter(({ id }) => id !== this.#begun)
  }
}

function drawingOf({ name, points, extendData }: Overlay): Drawing {
  return {
    name: TOOLS.find((tool) => tool === name) ?? 'segment',
    points: points.slice(0, POINTS_MAX).map(({ timestamp, value }) => ({
      ...(timestamp === undefined ? {} : { timestamp }),
      ...(value === undefined ? {} : { value }),
    })),
    text: typeof extendData === 'string' ? extendData : '',
  }
}

/** Returns the valid drawings of a record. */
export function validDrawings(record: unknown): readonly Drawing[] {
  if (!Array.isArray(record)) return []
  return record.slice(-DRAWINGS_MAX).flatMap((kept: Partial<Drawing> | null) => {
    const name = TOOLS.find((tool) => tool === kept?.name)
    const points = Array.isArray(kept?.points) ? kept.points.filter(isPoint) : []
    const text = typeof kept?.text === 'string' ? kept.text : ''
    return name === undefined || points.length === 0 ? [] : [{ name, points, text }]
  })
}

const isPoint = (point: unknown): point is Drawing['points'][number] =>
  typeof point === 'object' &&
  point !== null &&
  Object.values(point).every((value) => typeof value === 'number' && Number.isFinite(value))
