// Verifies the README's claims about the page outside its worker: it does no arithmetic with
// amounts, knows no URL and no socket, and signs nothing.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const SRC = fileURLToPath(new URL('.', import.meta.url))
/** Packages of the page itself: only rendering. */
const MAY_IMPORT = ['solid-js', 'klinecharts']

/** Code that would send a request, or that contains an address. */
const ASKS =
  /\bfetch\(|\bWebSocket\b|\bXMLHttpRequest\b|\bEventSource\b|\bsendBeacon\b|\b(?:https?|wss?):/
/** Compared as whole lines, so that no other code passes with them. */
const MAY_ASK: Readonly<Record<string, readonly string[]>> = {
  // Reads the config for the worker, and checks that the faucet is a web page.
  'begin.ts': [
    "const config = (await (await fetch('./config.json')).json()) as PageConfig",
    "faucetUrl: /^https?:\\/\\//.test(faucetUrl) ? faucetUrl : '',",
  ],
}

const SIGNS = /\bcrypto\.|\b(?:sign|hash)(?:TypedData|Message|Transaction)\b|privateKey|\bkeccak/i

/** Converts text to a number, or uses big integers. */
const COUNTS = /\b(?:Number|BigInt|parseFloat|parseInt)\(|\.toFixed\(|\b\d[\d_]*n\b/
/** Files with numbers that are not money. */
const MAY_COUNT: Readonly<Record<string, string>> = {
  'features/chart/chart-colors.ts': 'parts of a colour',
  'features/chart/chart-times.ts': 'times',
  'features/order/leverage-dialog.tsx': 'whole times of leverage, of which some are offered',
  'features/market/market-list.ts': 'whether a name is behind another',
}
/** Arithmetic on a name that means money. */
const MONEY_SUM =
  /\b(?:price|amount|mark|entry|fees?|margin|equity|pnl|total|spread|volume|balance|free)\(?\)?\s(?:[-*%]|\+(?!\s*['"`]))\s/i
/** Pixels of a drawing, from coordinates that the worker has computed. */
const MAY_DRAW = ['features/chart/depth-chart.tsx', 'features/chart/kline/kline-engine.ts']

const files = globSync('**/*.{ts,tsx}', { cwd: SRC })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }))
/** Folders of the worker; everything else is the page. */
const WORKER = /(^|\/)(worker|text)\//
const page = files.filter(({ path }) => !WORKER.test(path))

/** Lines of code of the page, without comments. */
const lines = page.flatMap(({ path, text }) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^(?:\/\/|\/?\*|\{\/\*)/.test(line))
    .map((line) => ({ path, line })),
)
const linesWith = (pattern: RegExp) => lines.filter(({ line }) => pattern.test(line))
const named = (uses: typeof lines) => uses.map(({ path, line }) => `${path}: ${line}`)

/** Returns the runtime imports of a file; types are erased. A worker is a separate program. */
const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:import|export)(?! type)[^'"]*?from '([^']+)'|\bimport\(\s*'([^']+)'/gms)]
    .map(([, name, loaded]) => name ?? loaded ?? '')
    .filter((name) => !name.includes('?worker'))

/** Messages between both sides, and texts; the script that starts the worker also knows its URL. */
const BOTH_SIDES = /^protocol\/(?!worker\/)|-protocol\.ts$|\/text\.ts$/
const STARTS_WORKER = 'begin.ts'

/** Returns imports of files on the other side, types included. */
const crossings = (fromWorker: boolean) =>
  files
    .filter(({ path }) => WORKER.test(path) === fromWorker && path !== STARTS_WORKER)
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
        .map(([, name = '']) => relative(SRC, join(SRC, dirname(path), name)))
        .filter((target) => WORKER.test(target) !== fromWorker && !BOTH_SIDES.test(target))
        .map((target) => `${path}: ${target}`),
    )

/** Returns all packages that the page imports, directly or not, each with its importer. */
function packagesOfPage(): readonly string[] {
  const waiting = page.map(({ path }) => path)
  const seen = new Set(waiting)
  const uses: string[] = []
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { text = '' } = files.find((file) => file.path === path) ?? {}
    for (const name of importsOf(text)) {
      if (!name.startsWith('.')) uses.push(`${path}: ${name}`)
      const target = relative(SRC, join(SRC, dirname(path), name))
      if (!name.startsWith('.') || seen.has(target) || !/\.tsx?$/.test(target)) continue
      seen.add(target)
      waiting.push(target)
    }
  }
  return uses
}

describe('the page outside its worker', () => {
  test('the page boundary check covers the code outside the worker', () => {
    assert.ok(page.length > 60, `${page.length} files`)
    assert.ok(page.some(({ path }) => path === 'features/order/order-panel.tsx'))
    assert.ok(packagesOfPage().length > 40)
  })

  test('the page loads rendering code, and nothing that knows a venue, a chain or a curve', () => {
    const strange = packagesOfPage().filter((use) => {
      const [, name = ''] = use.split(': ')
      return !MAY_IMPORT.some((allowed) => name === allowed || name.startsWith(`${allowed}/`))
    })
    assert.deepEqual(strange, [])
  })

  test('the page shares only the protocol and the texts with its worker', () => {
    assert.deepEqual(crossings(false), [])
    assert.deepEqual(crossings(true), [])
  })

  test('the page outside its worker contains no URL and no socket', () => {
    const asking = linesWith(ASKS).filter(({ path, line }) => !MAY_ASK[path]?.includes(line))
    assert.deepEqual(named(asking), [])
  })

  test('the page outside its worker signs nothing and creates no key', () => {
    assert.deepEqual(named(linesWith(SIGNS)), [])
  })

  test('the page outside its worker does no arithmetic with numbers of the venue', () => {
    const counting = linesWith(COUNTS).filter(({ path }) => MAY_COUNT[path] === undefined)
    assert.deepEqual(named(counting), [])
    assert.deepEqual(named(linesWith(MONEY_SUM).filter(({ path }) => !MAY_DRAW.includes(path))), [])
  })

  test('the page boundary check finds every kind of violation', () => {
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

  test('the page boundary check has no unused exception', () => {
    for (const path of MAY_DRAW)
      assert.ok(
        linesWith(MONEY_SUM).some((use) => use.path === path),
        path,
      )
    for (const [path, allowed] of Object.entries(MAY_ASK))
      for (const line of allowed)
        assert.ok(
          lines.some(({ path: at, line: text }) => at === path && text === line),
          `${path}: ${line}`,
        )
    for (const path of Object.keys(MAY_COUNT))
      assert.ok(
        linesWith(COUNTS).some((use) => use.path === path),
        path,
      )
  })
})
