// Holds what the README says of the page: it computes with no number, knows no URL and no socket,
// and signs nothing. All of that is the worker's.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const SRC = fileURLToPath(new URL('.', import.meta.url))
/** Of the page itself: what draws, nothing that asks, reads a chain or signs. */
const MAY_IMPORT = ['solid-js']

/** What would ask somebody, or know where somebody is. */
const ASKS =
  /\bfetch\(|\bWebSocket\b|\bXMLHttpRequest\b|\bEventSource\b|\bsendBeacon\b|\b(?:https?|wss?):/
/** The whole line, so that nothing else comes in with it. */
const MAY_ASK: Readonly<Record<string, readonly string[]>> = {
  // Says where the venue is, to the worker; and that a page of test money is a page of the web.
  'begin.ts': [
    "const config = (await (await fetch('./config.json')).json()) as Config",
    "faucetUrl: /^https?:\\/\\//.test(faucetUrl) ? faucetUrl : '',",
  ],
}

const SIGNS = /\bcrypto\.|\b(?:sign|hash)(?:TypedData|Message|Transaction)\b|privateKey|\bkeccak/i

/** A number made of a text, or of any size. */
const COUNTS = /\b(?:Number|BigInt|parseFloat|parseInt)\(|\.toFixed\(|\b\d[\d_]*n\b/
/** Each of what is no money. */
const MAY_COUNT: Readonly<Record<string, string>> = {
  'chart/chart-colors.ts': 'parts of a colour',
  'chart/chart-times.ts': 'times',
  'order/leverage-dialog.tsx': 'whole times of leverage, of which some are offered',
  'pages/market-order.ts': 'whether a name is behind another',
}
/** Something is added to, or taken from, what is money by its name. */
const MONEY_SUM =
  /\b(?:price|amount|mark|entry|fees?|margin|equity|pnl|total|spread|volume|balance|free)\(?\)?\s(?:[-*%]|\+(?!\s*['"`]))\s/i
/** Pixels of a drawing, of places that the worker has made. */
const MAY_DRAW = ['chart/depth-chart.tsx', 'chart/price-scale.ts']

const files = globSync('**/*.{ts,tsx}', { cwd: SRC })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }))
const page = files.filter(({ path }) => !path.startsWith('worker/'))

/** Lines of code of the page; a comment may name what it likes. */
const lines = page.flatMap(({ path, text }) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^(?:\/\/|\/?\*|\{\/\*)/.test(line))
    .map((line) => ({ path, line })),
)
const linesWith = (pattern: RegExp) => lines.filter(({ line }) => pattern.test(line))
const named = (found: typeof lines) => found.map(({ path, line }) => `${path}: ${line}`)

/** What a file imports to run: types are gone by then. A worker is a program of its own. */
const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:import|export)(?! type)[^'"]*?from '([^']+)'|\bimport\(\s*'([^']+)'/gms)]
    .map(([, name, loaded]) => name ?? loaded ?? '')
    .filter((name) => !name.includes('?worker'))

/** Follows the page's imports to all that is loaded with it, each with who asks for it. */
function packagesOfPage(): readonly string[] {
  const waiting = page.map(({ path }) => path)
  const seen = new Set(waiting)
  const found: string[] = []
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { text = '' } = files.find((one) => one.path === path) ?? {}
    for (const name of importsOf(text)) {
      if (!name.startsWith('.')) found.push(`${path}: ${name}`)
      const target = relative(SRC, join(SRC, dirname(path), name))
      if (!name.startsWith('.') || seen.has(target) || !/\.tsx?$/.test(target)) continue
      seen.add(target)
      waiting.push(target)
    }
  }
  return found
}

describe('the page outside its worker', () => {
  test('is what is looked at here', () => {
    assert.ok(page.length > 60, `${page.length} files`)
    assert.ok(page.some(({ path }) => path === 'order/order-panel.tsx'))
    assert.ok(packagesOfPage().length > 40)
  })

  test('loads what draws and nothing that knows a venue, a chain or a curve', () => {
    const strange = packagesOfPage().filter((found) => {
      const [, name = ''] = found.split(': ')
      return !MAY_IMPORT.some((allowed) => name === allowed || name.startsWith(`${allowed}/`))
    })
    assert.deepEqual(strange, [])
  })

  test('knows no URL and no socket', () => {
    const asking = linesWith(ASKS).filter(({ path, line }) => !MAY_ASK[path]?.includes(line))
    assert.deepEqual(named(asking), [])
  })

  test('signs nothing and makes no key', () => {
    assert.deepEqual(named(linesWith(SIGNS)), [])
  })

  test('computes with no number of the venue', () => {
    const counting = linesWith(COUNTS).filter(({ path }) => MAY_COUNT[path] === undefined)
    assert.deepEqual(named(counting), [])
    assert.deepEqual(named(linesWith(MONEY_SUM).filter(({ path }) => !MAY_DRAW.includes(path))), [])
  })

  test('would be found doing any of it', () => {
    for (const line of ["await fetch('/orders')", 'new WebSocket(url)', "const a = 'https://a.b'"])
      assert.match(line, ASKS)
    for (const line of ['wallet.signTypedData(order)', 'crypto.subtle', 'generatePrivateKey()'])
      assert.match(line, SIGNS)
    for (const line of ['Number(row.price)', 'value.toFixed(2)', 'BigInt(amount)', '10n'])
      assert.match(line, COUNTS)
    for (const line of ['row.price * row.amount', 'equity() - margin()', 'row.fees + other'])
      assert.match(line, MONEY_SUM)
    assert.deepEqual(importsOf("import { type A, b } from 'viem'"), ['viem'])
    assert.deepEqual(importsOf("import type { A } from 'viem'"), [])
    assert.deepEqual(importsOf("const a = await import('./b.ts')"), ['./b.ts'])
  })

  test('has no exception that nothing needs', () => {
    for (const path of MAY_DRAW)
      assert.ok(
        linesWith(MONEY_SUM).some((found) => found.path === path),
        path,
      )
    for (const [path, allowed] of Object.entries(MAY_ASK))
      for (const one of allowed)
        assert.ok(
          lines.some(({ path: at, line }) => at === path && line === one),
          `${path}: ${one}`,
        )
    for (const path of Object.keys(MAY_COUNT))
      assert.ok(
        linesWith(COUNTS).some((found) => found.path === path),
        path,
      )
  })
})
