// Inspects the pixels of the chart. All of it runs in the page.

/** Returns a colour of the theme as red, green and blue. */
export function colorOf(name: string): readonly number[] {
  const probe = document.createElement('span')
  document.querySelector('.drawing-frame')?.append(probe)
  probe.style.color = `var(--${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return (color.match(/\d+/g) ?? []).map(Number)
}

/** Counts the pixels of exactly that colour. */
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
