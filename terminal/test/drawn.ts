// Looks at what is drawn into the chart, pixel by pixel. All of it runs in the page.

/** Returns a colour of the theme as red, green and blue. */
export function colorOf(name: string): readonly number[] {
  const probe = document.createElement('span')
  document.querySelector('.drawing-frame')?.append(probe)
  probe.style.color = `var(--${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return (color.match(/\d+/g) ?? []).map(Number)
}

/** Counts what is drawn in exactly that colour. */
export function countPixels([red, green, blue]: readonly number[]): number {
  let count = 0
  for (const canvas of document.querySelectorAll<HTMLCanvasElement>('.drawing-frame canvas')) {
    const { width, height } = canvas
    const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) count++
  }
  return count
}

/** Counts the lines of that colour that go all the way across, dotted ones too. */
export function countLines([red, green, blue]: readonly number[]): number {
  const PART_PX = 24
  const upTo = (length: number) => Array.from({ length }, (_, at) => at)
  const linesOf = (canvas: HTMLCanvasElement): readonly number[] => {
    const { width, height } = canvas
    const parts = Math.floor(width / PART_PX)
    const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    const isOf = (at: number) => data[at] === red && data[at + 1] === green && data[at + 2] === blue
    const isLine = (y: number) => {
      const found = upTo(width).filter((x) => isOf((y * width + x) * 4))
      return new Set(found.map((x) => Math.floor(x / PART_PX))).size > parts * 0.9
    }
    return upTo(height).filter(isLine)
  }
  // The axes have canvases of their own, which are narrow or low.
  const panes = [...document.querySelectorAll<HTMLCanvasElement>('.drawing-frame canvas')].filter(
    ({ width, height }) => width > 200 && height > 100,
  )
  const rows = new Set(panes.flatMap(linesOf))
  // Two rows of pixels side by side are one line.
  return [...rows].filter((y) => !rows.has(y - 1)).length
}
