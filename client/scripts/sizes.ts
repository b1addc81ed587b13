// Measures how much the package adds to a program that uses a part of it: npx node
// client/scripts/sizes.ts writes the table of client/README.md, --check compares it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { TARGET, VIEM, writeLibrary } from './bundle.ts'
import { libraryEntries, ROOT } from './entries.ts'

/** A program that uses a part of the package, and the size limit of that part. */
type Part = Readonly<{ name: string; program: string; limitKb: number }>

const KB = 1000
const all = (entry: string) => `export * from '${entry}'`
const some = (names: string, entry = 'openvenue') => `export { ${names} } from '${entry}'`

/** The first limit is a promise of the library; the others are the measured size plus a tenth. */
const PARTS: readonly Part[] = [
  {
    name: 'sockets and order books: `VenueSocket`, `followBook`',
    program: some('VenueSocket, followBook'),
    limitKb: 8,
  },
  { name: 'REST: `Rest`, `pages`', program: some('Rest, pages'), limitKb: 3.9 },
  {
    name: 'numbers: `toSteps`, `fromSteps`, `toOrderPrice`, `toOrderAmount`',
    program: some('toSteps, fromSteps, toOrderPrice, toOrderAmount'),
    limitKb: 1.6,
  },
  { name: 'everything of `openvenue`', program: all('openvenue'), limitKb: 9.9 },
  {
    name: 'orders: `loadVenue`, `signOrder`, `signCancel`',
    program: some('loadVenue, signOrder, signCancel', 'openvenue/signing'),
    limitKb: 5.5,
  },
  { name: 'everything of `openvenue/signing`', program: all('openvenue/signing'), limitKb: 9.9 },
  { name: 'everything of `openvenue/devnet`', program: all('openvenue/devnet'), limitKb: 1.2 },
  { name: 'everything of `openvenue/verify`', program: all('openvenue/verify'), limitKb: 18.7 },
  { name: 'everything of `openvenue/chain`', program: all('openvenue/chain'), limitKb: 29.5 },
]

/** Returns the size of each part in bytes, minified and gzipped, without viem. */
async function measure(): Promise<ReadonlyMap<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-sizes-'))
  try {
    const entries = libraryEntries()
    await writeLibrary(entries, folder)
    // Allows bundlers to drop unused exports, as in the published package.
    writeFileSync(join(folder, 'package.json'), '{"type":"module","sideEffects":false}')
    const files = Object.fromEntries(
      entries.map(({ key, name }) => [`openvenue${key.slice(1)}`, join(folder, `${name}.js`)]),
    )
    const sizes = PARTS.map(async ({ name, program }) => {
      const code = await bundled(program, files)
      return [name, gzipSync(code, { level: constants.Z_BEST_COMPRESSION }).length] as const
    })
    return new Map(await Promise.all(sizes))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const PROGRAM = 'program.js'

async function bundled(program: string, files: Readonly<Record<string, string>>) {
  const plugin = {
    name: 'program',
    resolveId: (name: string) => (name === PROGRAM ? name : (files[name] ?? null)),
    load: (name: string) => (name === PROGRAM ? program : null),
  }
  const bundle = await rolldown({
    input: PROGRAM,
    platform: 'neutral',
    external: VIEM,
    plugins: [plugin],
    transform: { target: TARGET },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return output.map((item) => (item.type === 'chunk' ? item.code : '')).join('')
}

const README = `${ROOT}client/README.md`
const TABLE = /(?<=<!-- sizes -->\n)[\s\S]*?(?=<!-- \/sizes -->)/
/** Differences below this are not worth an update of the table. */
const TOLERANCE_KB = 0.2

const kbText = (bytes: number) => (bytes / KB).toFixed(1)

function tableOf(sizes: ReadonlyMap<string, number>): string {
  const rows = PARTS.map(
    ({ name, limitKb }) => `| ${name} | ${kbText(sizes.get(name) ?? 0)} | ${limitKb.toFixed(1)} |`,
  )
  return ['| a program uses | kB | at most |', '| --- | --- | --- |', ...rows, ''].join('\n')
}

/** Returns the parts over their limit and the rows of the README's table that are out of date. */
function problemsOf(sizes: ReadonlyMap<string, number>): readonly string[] {
  const written = TABLE.exec(readFileSync(README, 'utf8'))?.[0] ?? ''
  const unmeasured = libraryEntries()
    .map(({ key }) => all(`openvenue${key.slice(1)}`))
    .filter((whole) => PARTS.every(({ program }) => program !== whole))
    .map((whole) => `${whole}: no part measures the whole entry`)
  const wrong = PARTS.flatMap(({ name, limitKb }) => {
    const bytes = sizes.get(name) ?? 0
    if (bytes > limitKb * KB) return [`${name}: got ${bytes} bytes, expected at most ${limitKb} kB`]
    const row = written.split('\n').find((line) => line.startsWith(`| ${name} |`))
    const [, , kb = '', most = ''] = row?.split('|').map((cell) => cell.trim()) ?? []
    const isRight = Math.abs(Number(kb) - bytes / KB) < TOLERANCE_KB && Number(most) === limitKb
    return isRight ? [] : [`${name}: got ${bytes} bytes, which differs from client/README.md`]
  })
  return [...unmeasured, ...wrong]
}

const sizes = await measure()
process.stdout.write(tableOf(sizes))
if (!process.argv.includes('--check'))
  writeFileSync(README, readFileSync(README, 'utf8').replace(TABLE, tableOf(sizes)))
const problems = problemsOf(sizes)
if (problems.length > 0)
  throw new Error(
    `${problems.join('\n')}\nrun npx node client/scripts/sizes.ts to update the table`,
  )
