// Checks the colours of the page's stylesheets against the contrast rules of WCAG 2.2 AA.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

const css = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const [STYLE, SHELL, BOOK, ORDER] = [
  ...['./style.css', './shell/shell.css'],
  ...['./features/book/book.css', './features/order/order.css'],
].map(css) as [string, string, string, string]
const CONTRAST_MIN = 4.5
const THEMES = ['light', 'dark'] as const
const PALETTES = ['green-red', 'blue-orange'] as const

type Theme = (typeof THEMES)[number]
type Color = readonly [red: number, green: number, blue: number]
type Colors = Readonly<Record<string, Color>>

/** Returns the colours of a block of declarations by variable name. */
function declared(block: string, theme: Theme): Colors {
  const pairs = [...block.matchAll(/--([a-z]+): light-dark\((#\w{6}), (#\w{6})\)/g)]
  return Object.fromEntries(
    pairs.map(([, name = '', light = '', dark = '']) => [
      name,
      hex(theme === 'light' ? light : dark),
    ]),
  )
}

const hex = (text: string): Color =>
  [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as unknown as Color

const blockOf = (text: string, selector: string): string => {
  const block = text.slice(text.indexOf(`${selector} {`)).split('}')[0]
  assert.ok(block && text.includes(`${selector} {`), `there is no ${selector}`)
  return block
}

function colorsOf(theme: Theme, palette: (typeof PALETTES)[number]): Colors {
  const base = declared(blockOf(STYLE, ':root'), theme)
  const other = declared(blockOf(SHELL, ":root[data-palette='blue-orange']"), theme)
  return palette === 'blue-orange' ? { ...base, ...other } : base
}

/** Returns the share of a colour mixed into its background: `--bar-part: 13%`. */
const partOf = (name: string): number => {
  const [, percent] = new RegExp(`--${name}: (\\d+)%`).exec(BOOK) ?? []
  assert.ok(percent, `there is no --${name}`)
  return Number(percent) / 100
}

const over = (behind: Color, color: Color, part: number): Color =>
  behind.map((value, at) => value * (1 - part) + (color[at] ?? 0) * part) as unknown as Color

function luminance(color: Color): number {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Color
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(ink: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(ink), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Returns every background of text by name, with the colours of its text. */
function pairsOf(colors: Colors): readonly (readonly [text: string, behind: string, Color])[] {
  const color = (name: string): Color => colors[name] ?? assert.fail(`there is no --${name}`)
  const panel = color('panel')
  const everything = ['text', 'quiet', 'buy', 'sell', 'accent']
  const tinted = (name: string, part: number) => over(panel, color(name), part)
  const backs: [texts: readonly string[], name: string, behind: Color][] = [
    [everything, 'the page', color('back')],
    [everything, 'a panel', panel],
    [everything, 'a raised control', color('raised')],
    ...['buy', 'sell', 'accent'].map((name): [string[], string, Color] => [
      ['ink'],
      `a button filled with ${name}`,
      color(name),
    ]),
  ]
  const ownRow = over(panel, color('accent'), partOf('own-part'))
  backs.push([everything, 'an own row', ownRow])
  for (const side of ['buy', 'sell']) {
    // A stale side has only muted text.
    const texts = ['text', 'quiet', side]
    const bar = tinted(side, partOf('bar-part'))
    backs.push([texts, `the bar of ${side}`, bar])
    const row = over(bar, color('accent'), partOf('own-part'))
    backs.push([texts, `an own row over the bar of ${side}`, row])
  }
  // Pressed buttons and banners use the colour of plain text.
  for (const [name, part] of MIXED) {
    for (const behind of ['panel', 'back'])
      backs.push([['text'], `${name} on ${behind}`, over(color(behind), color(name), part)])
  }
  return backs.flatMap(([texts, name, behind]) =>
    texts.map((text) => [text, name, behind] as const),
  )
}

/** Every tint of the shell and of the order form: a colour of the page, and its share. */
const MIXED = [
  ...`${STYLE}${SHELL}${ORDER}`.matchAll(/color-mix\(in srgb, var\(--(\w+)\) (\d+)%/g),
].map(([, name = '', percent]) => [name, Number(percent) / 100] as const)

describe('the colours of the page', () => {
  for (const theme of THEMES)
    for (const palette of PALETTES)
      test(`text of the ${theme} theme in ${palette} is readable on every background`, () => {
        const colors = colorsOf(theme, palette)
        assert.ok(MIXED.length >= 4, 'the tints are found')
        const low = pairsOf(colors)
          .map(([text, name, behind]) => {
            const color = colors[text] ?? assert.fail(`there is no --${text}`)
            return [contrast(color, behind), `${text} on ${name}`] as const
          })
          .filter(([value]) => value < CONTRAST_MIN)
          .map(([value, name]) => `${name}: ${value.toFixed(2)}`)
        assert.deepEqual(low, [])
      })
})
