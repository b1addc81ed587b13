// The runner of the browser tests, on files made up for it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const RUNNER = fileURLToPath(new URL('./limited-files.ts', import.meta.url))
const LIMIT_MS = 3_000
const GOOD = "import { test } from 'node:test'\ntest('adds', () => {})\n"
const HANGING = `import { test } from 'node:test'
test('waits for nothing', () => new Promise((resolve) => setTimeout(resolve, 600_000)))
`

describe('a limited run of test files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-limited-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs made-up files in a process of its own: node's runner refuses to run inside itself. */
  const run = (files: Readonly<Record<string, string>>) => {
    const paths = Object.entries(files).map(([name, text]) => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    })
    const script = `
      import { runLimitedFiles } from ${JSON.stringify(RUNNER)}
      const files = ${JSON.stringify(paths)}
      const { counts } = await runLimitedFiles(files, ${LIMIT_MS}, (text) => console.log(text))
      console.log(JSON.stringify(counts))`
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const main = join(folder, 'main.ts')
    writeFileSync(main, script)
    const { stdout } = spawnSync(process.execPath, [main], { cwd: folder, encoding: 'utf8', env })
    const [counts = '', ...lines] = stdout.trim().split('\n').reverse()
    return { counts: JSON.parse(counts) as Record<string, number>, lines: lines.reverse() }
  }

  test('prints a line for each file and counts the tests of all', () => {
    const { counts, lines } = run({ 'a.test.ts': GOOD, 'b.test.ts': GOOD })
    assert.deepEqual(
      lines.map((line) => line.replace(/\s+/g, ' ').replace(/ [\d.]+ s$/, '')),
      ['✔ a.test.ts 1 tests', '✔ b.test.ts 1 tests'],
    )
    assert.deepEqual([counts.tests, counts.passed, counts.suites], [2, 2, 0])
  })

  test('ends a process that takes too long, names the test and fails the files left', () => {
    const { counts, lines } = run({ 'a.test.ts': GOOD, 'b.test.ts': HANGING, 'c.test.ts': GOOD })
    const text = lines.join('\n')
    assert.match(text, /✔ a\.test\.ts/)
    assert.match(text, /ended after 3 s, in: .*b\.test\.ts > waits for nothing/)
    assert.match(text, /✖ b\.test\.ts[\s\S]*✖ c\.test\.ts/)
    assert.ok((counts.failed ?? 0) >= 2, `${counts.failed} have failed`)
  })
})
