// Writes core/test/vectors/*.json: cases that the contracts have computed and core must reproduce.
// With --check it writes nothing and fails when a committed file differs from a fresh generation;
// it compiles only when the sources have changed.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './forge.ts'
import { findStale, fingerprint, hashInputs, recall, remember } from './generation-record.ts'
import { runForgeTest } from './shipped.ts'

const LINES = join(ROOT, 'out', 'vectors')
const VECTORS = join(ROOT, '..', 'core', 'test', 'vectors')
const LINES_END = '.jsonl'

/** Runs the tests of test/vectors, which write their cases, one JSON object a line. */
function generate(): Record<string, string> {
  rmSync(LINES, { recursive: true, force: true })
  const run = runForgeTest(['--match-path', 'test/vectors/*'])
  if (run.error) throw run.error
  if (run.status !== 0) throw new Error(`forge test failed\n${run.stdout}${run.stderr}`)
  const files = readdirSync(LINES).filter((file) => file.endsWith(LINES_END))
  if (files.length === 0) throw new Error(`test/vectors has written nothing to ${LINES}`)
  return Object.fromEntries(
    files.map((file) => [
      join(VECTORS, `${file.slice(0, -LINES_END.length)}.json`),
      joinCases(readFileSync(join(LINES, file), 'utf8')),
    ]),
  )
}

/** Returns the cases in `lines` as an array, still one a line, so that a diff is readable. */
const joinCases = (lines: string) => `[\n${lines.trimEnd().replaceAll('\n', ',\n')}\n]\n`

const MEMORY = 'contracts-vectors'
const inputs = hashInputs(['contracts/src/**', 'contracts/test/**'])
if (process.argv.includes('--check')) {
  const fresh = recall(MEMORY, inputs) ?? remember(MEMORY, inputs, fingerprint(generate()))
  const stale = findStale(fresh)
  if (stale.length > 0) {
    const paths = stale.join('\n  ')
    process.stderr.write(
      `differs from what the contracts compute; run npm run vectors -w contracts:\n  ${paths}\n`,
    )
    process.exitCode = 1
  }
} else {
  const texts = generate()
  const fresh = remember(MEMORY, inputs, fingerprint(texts))
  mkdirSync(VECTORS, { recursive: true })
  for (const path of findStale(fresh)) writeFileSync(path, texts[path] ?? '')
}
