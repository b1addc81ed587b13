// Builds the page into dist, unless dist was built from the same sources:
// npm run build -w terminal
// The served page stays complete meanwhile: the new one replaces it at the end.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const TERMINAL = fileURLToPath(new URL('..', import.meta.url))
const REPOSITORY = join(TERMINAL, '..')
const DIST = join(TERMINAL, 'dist')
/** Records the hash of the page's sources beside it. */
const BUILT = '.built'
const SUMMARY_MAX = 300
/** Everything that can become part of the page, and its build tools. */
const SOURCES = [
  'terminal/{index.html,package.json,vite.config.ts}',
  'terminal/{src,public,scripts}/**/*.*',
  '{client,core,wire}/{src,generated}/**/*.ts',
  'contracts/{abi,events}/**/*.{ts,json}',
  'package-lock.json',
]

async function main(): Promise<void> {
  const wanted = hashSources()
  if (wanted === builtOf()) return
  const making = `${DIST}-${process.pid}`
  try {
    const { build } = await import('vite')
    const own = { outDir: making, emptyOutDir: true }
    await build({ root: TERMINAL, logLevel: 'warn', build: own })
    writeFileSync(join(making, BUILT), wanted)
    replaceDist(making, wanted)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  process.stdout.write(`the page is in ${DIST}\n`)
}

function replaceDist(making: string, wanted: string): void {
  rmSync(DIST, { recursive: true, force: true })
  try {
    renameSync(making, DIST)
  } catch (error) {
    // Another build of the same sources may have finished first.
    if (builtOf() !== wanted) throw error
  }
}

function hashSources(): string {
  const hash = createHash('sha256')
  const exclude = (path: string) => path.endsWith('.test.ts')
  for (const path of globSync(SOURCES, { cwd: REPOSITORY, exclude }).sort())
    hash.update(`${path}\0`).update(readFileSync(join(REPOSITORY, path)))
  return hash.digest('hex')
}

function builtOf(): string | undefined {
  try {
    return readFileSync(join(DIST, BUILT), 'utf8')
  } catch {
    return undefined
  }
}

/** Returns one line for the person who starts the venue, followed by the full output. */
function summary(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return stripVTControlCharacters(lines.slice(0, 2).join(' ')).slice(0, SUMMARY_MAX)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`the page was not built: ${summary(error)}\n`)
  throw error
}
