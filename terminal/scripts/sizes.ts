// Measures the size of the page: npx node terminal/scripts/sizes.ts builds it and writes the table
// of terminal/README.md, --check compares it with its limits.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, gzipSync } from 'node:zlib'

const TERMINAL = fileURLToPath(new URL('..', import.meta.url))
const ASSETS = join(TERMINAL, 'dist', 'assets')
const README = join(TERMINAL, 'README.md')
const TABLE = /(?<=<!-- sizes -->\n)[\s\S]*?(?=<!-- \/sizes -->)/
const KB = 1000
/**
 * Largest tolerated difference between the table and the measured sizes, so that small changes do
 * not need a new table.
 */
const TOLERANCE_KB = 3

type Files = readonly string[]
/** A part of the page, and its size limit. */
type Part = Readonly<{ name: string; limitKb: number; files: (all: Files) => Files }>

const script = (name: string) => (all: Files) =>
  withImports(all.filter((file) => file.startsWith(`${name}-`) && file.endsWith('.js')))
const page = script('index')
const worker = script('venue-worker')
const styles = (name: string) => (all: Files) =>
  all.filter((file) => file.startsWith(`${name}-`) && file.endsWith('.css'))
const style = styles('index')
const both =
  (...parts: readonly Part['files'][]) =>
  (all: Files) => [...new Set(parts.flatMap((files) => files(all)))]
const chart = both(script('price-chart'), script('candle-feed'))
const less = (files: Part['files'], others: Part['files']) => (all: Files) => {
  const known = new Set(others(all))
  return files(all).filter((file) => !known.has(file))
}
const begin = both(page, worker)
const looking = both(begin, style, chart, script('handlers'))
const tray = 'notification-tray'
const account = both(
  ...[looking, script('account-part'), script('account-facts')],
  ...[script(tray), styles(tray)],
)
const trading = both(account, script('key-signer'))
/** Loaded while the page is idle, for when the API is down, or earlier on a click. */
const kept = both(script('chain-mode'), script('account-actions'))

/** Measured sizes with a small margin, except the guaranteed limits of 60 and 180 kB. */
const PARTS: readonly Part[] = [
  { name: 'the page', limitKb: 41, files: page },
  { name: 'its style', limitKb: 7.5, files: style },
  { name: 'the worker', limitKb: 20.5, files: less(worker, page) },
  { name: '**script before the chart**', limitKb: 60.5, files: begin },
  { name: 'the chart', limitKb: 59, files: less(chart, begin) },
  { name: '**everything without an account**', limitKb: 132, files: looking },
  {
    name: 'an account: its session, orders and tables',
    limitKb: 30,
    files: less(account, looking),
  },
  { name: 'all that a page with an account loads', limitKb: 162, files: account },
  { name: 'the curve, with the first order', limitKb: 22, files: less(trading, account) },
  { name: '**everything, with the first order** (goal: 180)', limitKb: 180, files: trading },
  { name: 'kept for when the API is away', limitKb: 31.5, files: less(kept, trading) },
  {
    name: 'other pages and dialogs, together',
    limitKb: 61.5,
    files: less((all) => all, both(trading, kept)),
  },
]

/** Returns files and their static imports, without those loaded later. */
function withImports(files: Files): Files {
  const found = new Set(files)
  for (const file of found) {
    const code = readFileSync(join(ASSETS, file), 'utf8')
    for (const [, path = ''] of code.matchAll(/(?:from|import)\s*["'](\.\/[^"']+\.js)["']/g))
      found.add(basename(path))
  }
  return [...found]
}

function measure(): ReadonlyMap<string, number> {
  const all = readdirSync(ASSETS)
  const level = constants.Z_BEST_COMPRESSION
  const weigh = (file: string) => gzipSync(readFileSync(join(ASSETS, file)), { level }).length
  const bytes = new Map(all.map((file) => [file, weigh(file)]))
  return new Map(
    PARTS.map(({ name, files }) => {
      const chosen = files(all)
      if (chosen.length === 0) throw new Error(`${name}: there is no such file in ${ASSETS}`)
      return [name, chosen.reduce((sum, file) => sum + (bytes.get(file) ?? 0), 0)]
    }),
  )
}

const kbText = (bytes: number) => (bytes / KB).toFixed(1)

function tableOf(sizes: ReadonlyMap<string, number>): string {
  const rows = PARTS.map(
    ({ name, limitKb }) => `| ${name} | ${kbText(sizes.get(name) ?? 0)} | ${limitKb} |`,
  )
  return ['| minified, gzip | kB | at most |', '| --- | --- | --- |', ...rows, ''].join('\n')
}

/** Returns the parts over their limits, and wrong entries of the table. */
function problemsOf(sizes: ReadonlyMap<string, number>): readonly string[] {
  const written = TABLE.exec(readFileSync(README, 'utf8'))?.[0] ?? ''
  return PARTS.flatMap(({ name, limitKb }) => {
    const bytes = sizes.get(name) ?? 0
    if (bytes > limitKb * KB) return [`${name}: ${bytes} bytes, and at most ${limitKb} kB`]
    const row = written.split('\n').find((line) => line.startsWith(`| ${name} |`))
    const [, , kb = '', most = ''] = row?.split('|').map((cell) => cell.trim()) ?? []
    const isRight = Math.abs(Number(kb) - bytes / KB) < TOLERANCE_KB && Number(most) === limitKb
    return isRight ? [] : [`${name}: ${bytes} bytes, missing in terminal/README.md`]
  })
}

const { status } = spawnSync(process.execPath, [join(TERMINAL, 'scripts', 'build.ts')], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
if (status !== 0) throw new Error('the page cannot be built')
const sizes = measure()
process.stdout.write(tableOf(sizes))
if (!process.argv.includes('--check'))
  writeFileSync(README, readFileSync(README, 'utf8').replace(TABLE, tableOf(sizes)))
const problems = problemsOf(sizes)
if (problems.length > 0)
  throw new Error(`${problems.join('\n')}\nnpx node terminal/scripts/sizes.ts writes the table`)
