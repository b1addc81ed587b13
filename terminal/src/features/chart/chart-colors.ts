// Reads the colours of the page for what is drawn on a canvas.

const NAMES = ['buy', 'sell', 'text', 'quiet', 'line', 'panel', 'accent', 'mark', 'index'] as const
export type ChartColors = Readonly<Record<(typeof NAMES)[number], string>>

/** Returns the colours of the theme as they are at `frame`, as `#rrggbb`. */
export function readColors(frame: HTMLElement): ChartColors {
  const probes = NAMES.map((name) => {
    const probe = document.createElement('span')
    probe.style.color = `var(--${name})`
    return probe
  })
  // All at once, because each later change would recompute the page's styles.
  frame.append(...probes)
  const colors = probes.map((probe) => hexOf(getComputedStyle(probe).color))
  for (const probe of probes) probe.remove()
  return Object.fromEntries(NAMES.map((name, at) => [name, colors[at]])) as ChartColors
}

function hexOf(color: string): string {
  const [red = '0', green = '0', blue = '0'] = color.match(/\d+/g) ?? []
  return `#${[red, green, blue].map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
}

const [RED, GREEN, BLUE] = [0.299, 0.587, 0.114]
const BRIGHT = 140

/** Returns what can be read on a ground: black or white. `color`: as `#rrggbb`. */
export function inkOn(color: string): string {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return part(1) * RED + part(3) * GREEN + part(5) * BLUE > BRIGHT ? '#000000' : '#ffffff'
}
