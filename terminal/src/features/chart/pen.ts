// Draws on the pixels of the screen, not between them: a line is as sharp at any scale.

type Box = Readonly<{ x: number; y: number; width: number; height: number }>
type LineStyle = Readonly<{ color: string; dash?: readonly number[] }>
type TextLabel = Readonly<{
  text: string
  x: number
  y: number
  color: string
  align?: CanvasTextAlign
  /** A colour about the letters, so that they are read above anything. */
  halo?: string
}>

const HALO_PX = 3

export class Pen {
  readonly context: CanvasRenderingContext2D
  /** Pixels of the screen to one of the page. */
  readonly #ratio: number

  readonly #font: string

  constructor(context: CanvasRenderingContext2D, ratio: number, font: string) {
    this.context = context
    this.#ratio = ratio
    this.#font = font
  }

  /** Begins on an empty canvas of such a size. */
  begin(size: Readonly<{ width: number; height: number }>): void {
    const { context } = this
    const { canvas } = context
    const ratio = this.#ratio
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)]
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== height) canvas.height = height
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, size.width, size.height)
    context.font = this.#font
    context.textBaseline = 'middle'
  }

  /** The width of a line. */
  get thin(): number {
    return Math.max(1, Math.floor(this.#ratio)) / this.#ratio
  }

  /** Returns the nearest edge between two pixels of the screen. */
  sharp(at: number): number {
    return Math.round(at * this.#ratio) / this.#ratio
  }

  /** Returns the width of what is in the middle of a line: as far on both of its sides. */
  about(width: number): number {
    const thin = this.thin * this.#ratio
    const wide = Math.max(thin, Math.floor(width * this.#ratio))
    return (wide - ((wide - thin) % 2)) / this.#ratio
  }

  /** Fills a box, to the next pixel. */
  fill({ x, y, width, height }: Box, color: string): void {
    const [left, top] = [this.sharp(x), this.sharp(y)]
    this.context.fillStyle = color
    this.context.fillRect(left, top, this.sharp(x + width) - left, this.sharp(y + height) - top)
  }

  /** Draws a line from the left to the right. */
  level(y: number, [from, to]: readonly [number, number], line: LineStyle): void {
    const middle = this.sharp(y - this.thin / 2) + this.thin / 2
    this.#stroke([from, middle], [to, middle], line)
  }

  /** Draws a line from the top to the bottom. */
  upright(x: number, [from, to]: readonly [number, number], line: LineStyle): void {
    const middle = this.sharp(x - this.thin / 2) + this.thin / 2
    this.#stroke([middle, from], [middle, to], line)
  }

  write({ text, x, y, color, align = 'left', halo }: TextLabel): void {
    const { context } = this
    context.textAlign = align
    if (halo !== undefined) {
      context.strokeStyle = halo
      context.lineWidth = HALO_PX
      context.setLineDash([])
      context.strokeText(text, x, y)
    }
    context.fillStyle = color
    context.fillText(text, x, y)
  }

  widthOf(text: string): number {
    return this.context.measureText(text).width
  }

  /** Draws nothing beside a box until what it returns is called. */
  clip({ x, y, width, height }: Box): () => void {
    this.context.save()
    this.context.beginPath()
    this.context.rect(x, y, width, height)
    this.context.clip()
    return () => this.context.restore()
  }

  #stroke(
    from: readonly [number, number],
    to: readonly [number, number],
    { color, dash }: LineStyle,
  ) {
    const { context } = this
    context.strokeStyle = color
    context.lineWidth = this.thin
    context.setLineDash(dash === undefined ? [] : [...dash])
    context.beginPath()
    context.moveTo(...from)
    context.lineTo(...to)
    context.stroke()
  }
}
