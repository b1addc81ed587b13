// docs/INTERFACE.md names a test for every claim of the interface; here, that they all exist.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../../', import.meta.url)
const [map = '', claims = ''] = readFileSync(new URL('docs/INTERFACE.md', ROOT), 'utf8').split(
  '\n## Claims\n',
)
const rows = claims
  .split('\n')
  .filter((line) => /^\| (\d|ours)/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))

/** Paths without a package are under api/src. */
const fileUrl = (path: string) =>
  new URL(/^(api|wire|store|core|keeper|scripts|e2e)\//.test(path) ? path : `api/src/${path}`, ROOT)

const SECTIONS =
  '2.0 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.12 2.13 3.3 3.4 4.1 4.2 4.3 4.5 4.7 5 5.1 5.2 5.3 5.4 5.5 6 7 8'

test('the map of the interface has a row for every section that is served', () => {
  const sections = new Set(rows.map(([, section]) => section))
  for (const section of SECTIONS.split(' ')) assert.ok(sections.has(section), section)
})

test('every file that the map names exists', () => {
  const named = [...map.matchAll(/`([^`]+\/[^`]*)`/g)].map(([, path = '']) => path)
  assert.ok(named.length > 40, `${named.length} files`)
  for (const path of named) assert.ok(existsSync(new URL(path, ROOT)), path)
  for (const [, section, claim, code = ''] of rows) {
    const paths = [...code.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
    assert.ok(paths.length > 0, `${section} ${claim}`)
    for (const path of paths) assert.ok(existsSync(fileUrl(path)), path)
  }
})

test('every test that the map names exists, under that title', () => {
  for (const [, section, claim, , cell = ''] of rows) {
    const tests = [...cell.matchAll(/`([^`]+)` (.+?)(?=<br>|$)/g)]
    assert.ok(tests.length > 0, `${section} ${claim}`)
    for (const [, path = '', title = ''] of tests) {
      const text = readFileSync(fileUrl(path), 'utf8')
      const words = title.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      const pattern = new RegExp(`test\\(\\s*['\`]${words.join('\\$\\{.+?\\}')}['\`],`)
      assert.match(text, pattern, `${path}: ${title}`)
    }
  }
})
