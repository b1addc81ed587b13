// The pages for newcomers name files; here, that they exist.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const PAGES = { 'docs/WHERE-TO-CHANGE.md': 40, 'CONTRIBUTING.md': 8 } as const
const PATH =
  /\b(?:adapters|api|bench|cli|client|contracts|core|deploy|devnet|docs|drills|e2e|examples|indexer|keeper|ops|runtime|scripts|store|terminal|wire)\/[\w./-]*/g

for (const [page, countMin] of Object.entries(PAGES))
  test(`every file that ${page} names exists`, () => {
    const named = new Set(readFileSync(page, 'utf8').match(PATH))
    assert.ok(named.size >= countMin, `${named.size} files`)
    assert.deepEqual(
      [...named].filter((path) => !existsSync(path)),
      [],
    )
  })

test('the page of changes has ten of them', () => {
  const page = readFileSync('docs/WHERE-TO-CHANGE.md', 'utf8')
  assert.equal(page.match(/^## \d+\. /gm)?.length, 10)
})
