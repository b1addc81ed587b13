// Reads the colours of the page for what is drawn on a canvas.

const NAMES = ['buy', 'sell', 'text', 'quiet', 'line', 'panel', 'accent', 'mark', 'index'] as const
export type ChartColors = Readonly<Record<(typeof NAMES)[number], string>>

/** Returns the colours of the theme as they are at `frame`, as `#rrggbb`. */
export function readColors(frame: HTMLElement): ChartColors {
  const probe = document.createElement('span')
  frame.append(probe)
  const read = (name: string) => {
    probe.style.color = `var(--${name})`
    const [red = '0', green = '0', blue = '0'] = getComputedStyle(probe).color.match(/\d+/g) ?? []
    return `#${[red, green, blue].map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
  }
  const colors = Object.fromEntries(NAMES.map((name) => [name, read(name)])) as ChartColors
  probe.remove()
  return colors
}
