// The steps of `npm run check`, and the two places that run them.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Steps in the order in which a whole check runs them, as listed when a step is unknown. */
function readSteps(): string[] {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/check.ts', 'nothing'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  const [, names = ''] = /step: got nothing, expected (.*)/.exec(stderr) ?? []
  return names.split(', ')
}

/** Returns the steps that lines such as `npm run check -- static sbom` name. */
const checksIn = (text: string) =>
  [...text.matchAll(/npm run check -- ([a-z0-9 ]+?)(?= 2>&1| \|\|| &&|$)/gm)].flatMap(
    ([, names = '']) => names.split(' '),
  )

test('npm run check ends with the tests, whose totals come last', () => {
  assert.equal(readSteps().at(-1), 'tests')
})

test('.ci/run runs every step of npm run check, the tests last', () => {
  const script = read('.ci/run')
  assert.deepEqual([...checksIn(script), 'tests'], readSteps())
  assert.ok(script.indexOf('\nnpm test') > script.lastIndexOf('npm run check'))
})

test('the parallel jobs of the workflow run every step of npm run check once', () => {
  const workflow = read('.github/workflows/ci.yml')
  const others = { e2e: /run: npm run e2e$/m, tests: /run: npm test -- --except contracts$/m }
  for (const pattern of Object.values(others)) assert.match(workflow, pattern)
  assert.match(workflow, /&& npm test -w contracts$/m)
  assert.deepEqual([...checksIn(workflow), ...Object.keys(others)].sort(), readSteps().toSorted())
})
