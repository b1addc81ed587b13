// The command that runs the tests, on packages made up for it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { parseForge } from './tests/counts.ts'
import { choosePackages, findFiles, PACKAGES } from './tests/packages.ts'

const SCRIPT = resolve('scripts/test.ts')
const GOOD =
  "import { test } from 'node:test'\ntest('adds', () => {})\ntest('subtracts', () => {})\n"
const BAD = `import { test } from 'node:test'
test('multiplies', () => {})
test('divides', () => {
  console.log('about to divide')
  throw new Error('by zero')
})
`
const BROKEN = "throw new Error('does not even load')\n"
const FORGE_LINE =
  'Ran 2 test suites in 1.5s (2.9s CPU time): 7 tests passed, 0 failed, 1 skipped (8 total tests)'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openvenue-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function run(...packages: readonly string[]) {
  // Node's runner refuses to run inside itself, which it knows by this variable.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawnSync(process.execPath, [SCRIPT, ...packages], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, NODE_COMPILE_CACHE: '' },
  })
  return { status: child.status, out: child.stdout, error: child.stderr }
}

/** The totals that the output ends with. */
const totals = (out: string) =>
  Object.fromEntries(
    [...out.matchAll(/^ℹ (\w+) ([\d.]+)$/gm)].map(([, name, n]) => [name, Number(n)]),
  )

describe('npm test', () => {
  test('adds up the tests of all packages, and says how long each took', () => {
    write({
      'core/src/a.test.ts': GOOD,
      'core/test/deep/b.test.ts': GOOD,
      'e2e/src/c.e2e.ts': GOOD,
    })
    const { status, out } = run('core', 'e2e')
    assert.equal(status, 0, out)
    assert.match(out, /^== core: 2 files$/m)
    assert.match(out, /^✔ core\/src\/a\.test\.ts +2 tests +[\d.]+ s$/m)
    assert.match(out, /^core +4 +0 +[\d.]+$/m)
    assert.match(out, /^e2e +2 +0 +[\d.]+$/m)
    const { tests, pass, fail } = totals(out)
    assert.deepEqual({ tests, pass, fail }, { tests: 6, pass: 6, fail: 0 })
    assert.match(out.trimEnd().split('\n').at(-1) ?? '', /^ℹ duration_ms/)
  })

  test('fails when one package fails, runs the others, and repeats the failure at the end', () => {
    write({ 'core/src/a.test.ts': BAD, 'wire/src/b.test.ts': GOOD })
    const { status, out } = run('core', 'wire')
    assert.equal(status, 1)
    const { tests, pass, fail } = totals(out)
    assert.deepEqual({ tests, pass, fail }, { tests: 4, pass: 3, fail: 1 })
    const [progress = '', end = ''] = out.split(/^package +tests/m)
    assert.match(progress, /✖ core\/src\/a\.test\.ts/)
    assert.match(progress, /about to divide/)
    assert.match(progress, /✔ wire\/src\/b\.test\.ts/)
    assert.match(end, /✖ failing tests:[\s\S]*✖ divides[\s\S]*by zero/)
  })

  test('fails when a file does not load', () => {
    write({ 'core/src/a.test.ts': BROKEN, 'wire/src/b.test.ts': GOOD })
    const { status, out } = run('core', 'wire')
    assert.equal(status, 1)
    assert.equal(totals(out).fail, 1)
    assert.match(out, /does not even load/)
  })

  for (const code of [0, 3])
    test(`fails when a process ends with ${code} under a file, and names whom it kept back`, () => {
      const dying = `import { test } from 'node:test'\ntest('dies', () => process.exit(${code}))\n`
      write({ 'core/src/a.test.ts': GOOD, 'core/src/b.test.ts': dying, 'core/src/c.test.ts': GOOD })
      const { status, out } = run('core')
      assert.equal(status, 1)
      assert.ok((totals(out).fail ?? 0) > 0, out)
      for (const name of ['b', 'c'])
        assert.match(out, new RegExp(`^✖ core/src/${name}\\.test\\.ts`, 'm'))
    })

  test('keeps the hooks of a file from the others of its process', () => {
    const hooked = `import { before, beforeEach, test } from 'node:test'
before(() => console.log('once'))
beforeEach(() => console.log('each time'))
test('one', () => {})
`
    write({ 'core/src/a.test.ts': hooked, 'core/src/b.test.ts': BAD })
    const { out } = run('core')
    assert.equal(totals(out).tests, 3)
    const [, ofBad = ''] = out.split(/^✖ core\/src\/b/m)
    assert.doesNotMatch(ofBad, /each time/)
  })

  test('runs the packages named alone', () => {
    write({ 'core/src/a.test.ts': BAD, 'wire/src/b.test.ts': GOOD })
    const { status, out } = run('wire')
    assert.equal(status, 0, out)
    assert.equal(totals(out).tests, 2)
  })

  test('refuses a package that there is not, and a run of nothing', () => {
    assert.match(run('cor').error, /no package cor: there are/)
    assert.equal(run('cor').status, 1)
    assert.match(run('core').error, /there is no test to run/)
  })
})

describe('npm test with programs', () => {
  const program = (text: string, status: number) =>
    `process.stdout.write(${JSON.stringify(`${text}\n`)})\nprocess.exitCode = ${status}\n`

  test("counts forge's tests", () => {
    write({
      'contracts/scripts/a.test.ts': GOOD,
      'contracts/scripts/forge.ts': program(FORGE_LINE, 0),
      'contracts/scripts/gas.ts': program('the table of gas', 0),
    })
    const { status, out } = run('contracts')
    assert.equal(status, 0, out)
    const { tests, pass, skipped } = totals(out)
    assert.deepEqual({ tests, pass, skipped }, { tests: 10, pass: 9, skipped: 1 })
    assert.match(out, /the table of gas/)
  })

  test('fails with the program, and repeats what it printed', () => {
    write({
      'contracts/scripts/a.test.ts': GOOD,
      'contracts/scripts/forge.ts': program(FORGE_LINE, 0),
      'contracts/scripts/gas.ts': program('a goal is MISSED', 1),
    })
    const { status, out } = run('contracts')
    assert.equal(status, 1)
    assert.equal(totals(out).fail, 1)
    assert.match(out.split(/^package +tests/m)[1] ?? '', /a goal is MISSED/)
  })
})

describe('the list of packages', () => {
  test('has every test file once', () => {
    const exclude = (path: string) => path.split('/').includes('node_modules')
    const all = globSync('**/*.{test,e2e}.ts', { exclude }).sort()
    assert.ok(all.length > 200, `${all.length} files`)
    assert.deepEqual(PACKAGES.flatMap(findFiles).sort(), all)
  })

  test('has no module besides the tests that takes hooks for whoever loads it first', () => {
    const exclude = (path: string) => path.split('/').includes('node_modules')
    const shared = PACKAGES.filter(({ together }) => together > 1).map(({ name }) => name)
    const modules = globSync(
      shared.map((name) => `${name}/**/*.ts`),
      { exclude },
    )
    const fixtures = modules.filter((path) => !/\.(test|e2e|browser)\.ts$/.test(path))
    assert.ok(fixtures.length > 100)
    const hook = /^(before|after|beforeEach|afterEach)\(/m
    assert.deepEqual(
      fixtures.filter((path) => hook.test(readFileSync(path, 'utf8'))),
      [],
    )
  })

  test('has every npm package, whose own command runs it', async () => {
    const { workspaces } = (await import(resolve('package.json'), { with: { type: 'json' } }))
      .default
    for (const name of workspaces) {
      const { scripts } = (await import(resolve(name, 'package.json'), { with: { type: 'json' } }))
        .default
      const up = name.replaceAll(/[^/]+/g, '..')
      assert.equal(scripts?.test, `cd ${up} && node scripts/test.ts ${name}`)
      assert.equal(choosePackages([name]).length, 1)
    }
  })

  test('reads the last of the totals that forge prints', () => {
    const failed = FORGE_LINE.replace('0 failed', '3 failed')
    assert.deepEqual(parseForge(`${FORGE_LINE}\n${failed}\n`)?.failed, 3)
    assert.equal(parseForge('no tests found'), undefined)
    assert.equal(parseForge(FORGE_LINE)?.tests, 8)
  })
})
