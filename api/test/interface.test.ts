// docs/INTERFACE.md names a test for every claim of the interface; checks that they all exist.
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

const CODE_STATUS_OR_DECISION = /`[^`]*`|\b(?:200|304|4\d\d|503)\b(?! days)|decisions? \d+/g

/** Figures of a claim, except those in code, HTTP statuses (of the catalogue) and decisions. */
const figuresIn = (claim: string) =>
  [...claim.replaceAll(CODE_STATUS_OR_DECISION, '').matchAll(/(?<![\w.#/-])\d[\d,]*(?![\w/])/g)]
    .map(([figure]) => figure.replaceAll(',', ''))
    .filter((figure) => figure !== '0')

/** Returns whether a source without digit separators has a figure, perhaps in thousandths. */
const hasFigure = (source: string, figure: string) =>
  new RegExp(`(?<![\\d.])${figure}(000)?(?!\\d)`).test(source)

test('every figure of a claim is in one of the files that the claim names', () => {
  const missing = rows.flatMap(([, section, claim = '', code = '']) => {
    const paths = [...code.matchAll(/`([^`]+\.ts)`/g)].map(([, path = '']) => path)
    const source = paths.map((path) => readFileSync(fileUrl(path), 'utf8').replaceAll('_', ''))
    return figuresIn(claim)
      .filter((figure) => !source.some((text) => hasFigure(text, figure)))
      .map((figure) => `${section} ${claim}: ${figure} is not in ${paths.join(', ')}`)
  })
  assert.deepEqual(missing, [])
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
