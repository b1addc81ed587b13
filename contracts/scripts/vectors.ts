// Writes core/test/vectors/*.json: cases that the contracts have computed, for core to compute alike.
// With --check it writes nothing and fails when a committed file differs from a fresh generation.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runForge } from './forge.ts'

const LINES = join(ROOT, 'out', 'vectors')
const VECTORS = join(ROOT, '..', 'core', 'test', 'vectors')
const LINES_END = '.jsonl'

/** Has the tests of test/vectors write their cases, one JSON object a line. */
function generate(): void {
  rmSync(LINES, { recursive: true, force: true })
  const run = runForge(['test', '--match-path', 'test/vectors/*'])
  if (run.error) throw run.error
  if (run.status !== 0) throw new Error(`forge test failed\n${run.stdout}${run.stderr}`)
}

/** Returns the array of the cases in `lines`, still one a line, so that a difference can be read. */
const arrayOf = (lines: string) => `[\n${lines.trimEnd().replaceAll('\n', ',\n')}\n]\n`

const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

generate()
const files = readdirSync(LINES)
  .filter((file) => file.endsWith(LINES_END))
  .map((file) => ({
    path: join(VECTORS, `${file.slice(0, -LINES_END.length)}.json`),
    text: arrayOf(readFileSync(join(LINES, file), 'utf8')),
  }))
if (files.length === 0) throw new Error(`test/vectors has written nothing to ${LINES}`)
const stale = files.filter(({ path, text }) => textOf(path) !== text)
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    const paths = stale.map(({ path }) => path).join('\n  ')
    process.stderr.write(
      `differs from what the contracts compute; run npm run vectors -w contracts:\n  ${paths}\n`,
    )
    process.exitCode = 1
  }
} else {
  mkdirSync(VECTORS, { recursive: true })
  for (const { path, text } of stale) writeFileSync(path, text)
}
