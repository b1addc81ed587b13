// The command that runs the tests, on packages made up for it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { parseForge } from './tests/counts.ts'
import { createJobs, longestFirst, readDurations } from './tests/jobs.ts'
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

const run = (...args: readonly string[]) => runWith({}, ...args)

function runWith(settings: Readonly<Record<string, string>>, ...args: readonly string[]) {
  // Node's runner refuses to run inside itself, which it knows by this variable.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawnSync(process.execPath, [SCRIPT, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, NODE_COMPILE_CACHE: '', ...settings },
  })
  return { status: child.status, out: child.stdout, error: child.stderr }
}

/** The totals that the output ends with. */
const totals = (out: string) =>
  Object.fromEntries(
    [...out.matchAll(/^ℹ (\w+) ([\d.]+)$/gm)].map(([, name, n]) => [name, Number(n)]),
  )

describe('npm test', () => {
  test('npm test adds up the tests of all packages, and reports how long each took', () => {
    write({
      'core/src/a.test.ts': GOOD,
      'core/test/deep/b.test.ts': GOOD,
      'e2e/src/c.test.ts': GOOD,
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

  test('npm test fails when a package fails, runs the others, and repeats the failure at the end', () => {
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

  test('npm test fails when a file does not load', () => {
    write({ 'core/src/a.test.ts': BROKEN, 'wire/src/b.test.ts': GOOD })
    const { status, out } = run('core', 'wire')
    assert.equal(status, 1)
    assert.equal(totals(out).fail, 1)
    assert.match(out, /does not even load/)
  })

  for (const code of [0, 3])
    test(`npm test fails when a process exits with ${code} in a file, and names the files that did not run`, () => {
      const dying = `import { test } from 'node:test'\ntest('dies', () => process.exit(${code}))\n`
      write({ 'core/src/a.test.ts': GOOD, 'core/src/b.test.ts': dying, 'core/src/c.test.ts': GOOD })
      const { status, out } = run('core')
      assert.equal(status, 1)
      assert.ok((totals(out).fail ?? 0) > 0, out)
      for (const name of ['b', 'c'])
        assert.match(out, new RegExp(`^✖ core/src/${name}\\.test\\.ts`, 'm'))
    })

  test('npm test runs the hooks of a file only for that file', () => {
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

  test('npm test excludes end-to-end tests, which have a command of their own', () => {
    write({ 'core/src/a.test.ts': GOOD, 'core/src/b.e2e.ts': BAD })
    assert.equal(totals(run('core').out).tests, 2)
    const { status, out } = run('--e2e', 'core')
    assert.equal(status, 1)
    assert.match(out, /✖ core\/src\/b\.e2e\.ts +2 tests/)
    assert.doesNotMatch(out, /a\.test\.ts/)
  })

  test('npm run test:services runs the files that need a server or a browser', () => {
    // Assembled, since this file needs neither.
    const [database, browser] = ['DATABASE_URL', 'CHROMIUM']
    write({
      'core/src/database.test.ts': `const url = process.env.${database} ?? ''\n${GOOD}`,
      'core/src/page.test.ts': `const { ${browser} } = process.env\n${GOOD}`,
      'core/src/other.test.ts': BAD,
    })
    const { status, out } = run('--services', 'core')
    assert.equal(status, 0, out)
    assert.equal(totals(out).tests, 4)
  })

  test('npm test skips the packages named by --except', () => {
    write({ 'core/src/a.test.ts': BAD, 'wire/src/b.test.ts': GOOD })
    const { status, out } = run('core', 'wire', '--except', 'core')
    assert.equal(status, 0, out)
    assert.equal(totals(out).tests, 2)
  })

  test('npm test kills a file whose test hangs after the set time, and names it', () => {
    const hanging = `import { test } from 'node:test'
test('hangs', () => { for (;;); })
`
    write({ 'core/src/a.test.ts': GOOD, 'core/src/b.test.ts': hanging })
    const { status, out } = runWith({ TEST_SILENT_MS: '1500' }, 'core')
    assert.equal(status, 1)
    assert.match(out, /^✖ core\/src\/b\.test\.ts was killed: no test .* for 1\.5 s$/m)
    assert.doesNotMatch(out, /a\.test\.ts was killed/)
  })

  test('npm test kills the processes that a hanging file started', () => {
    const starting = `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
test('hangs', () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  writeFileSync('pid', String(child.pid))
  for (;;);
})
`
    write({ 'core/src/a.test.ts': starting })
    assert.equal(runWith({ TEST_SILENT_MS: '1500' }, 'core').status, 1)
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' })
    assert.match(stdout, /^(Z.*\n)?$/, 'gone, or dead and not yet collected')
  })

  test('npm test ends a file that keeps a timer after its tests, and names it', () => {
    const keeping = `import { test } from 'node:test'
test('forgets its timer', () => void setInterval(() => {}, 1000))
`
    write({ 'core/src/a.test.ts': GOOD, 'core/src/b.test.ts': keeping, 'core/src/c.test.ts': GOOD })
    const { status, out } = runWith({ TEST_LEFT_OPEN_MS: '300' }, 'core')
    assert.equal(status, 1)
    assert.match(out, /b\.test\.ts keeps its process alive after its tests: .*Timeout/)
    assert.doesNotMatch(out, /[ac]\.test\.ts keeps its process alive/)
    assert.equal(totals(out).fail, 1)
  })

  test('npm test runs only the named packages', () => {
    write({ 'core/src/a.test.ts': BAD, 'wire/src/b.test.ts': GOOD })
    const { status, out } = run('wire')
    assert.equal(status, 0, out)
    assert.equal(totals(out).tests, 2)
  })

  test('npm test refuses an unknown package and an empty selection', () => {
    assert.match(run('cor').error, /package: got cor, expected root, core/)
    assert.equal(run('cor').status, 1)
    assert.match(run('core').error, /no tests to run/)
  })
})

describe('npm test with programs', () => {
  const program = (text: string, status: number) =>
    `process.stdout.write(${JSON.stringify(`${text}\n`)})\nprocess.exitCode = ${status}\n`

  test("npm test counts forge's tests", () => {
    write({
      'contracts/scripts/a.test.ts': GOOD,
      'contracts/scripts/forge-command.ts': program(FORGE_LINE, 0),
      'contracts/scripts/gas.ts': program('the table of gas', 0),
    })
    const { status, out } = run('contracts')
    assert.equal(status, 0, out)
    const { tests, pass, skipped } = totals(out)
    assert.deepEqual({ tests, pass, skipped }, { tests: 10, pass: 9, skipped: 1 })
    assert.match(out, /the table of gas/)
  })

  test('npm test fails when a program fails, and repeats its output', () => {
    write({
      'contracts/scripts/a.test.ts': GOOD,
      'contracts/scripts/forge-command.ts': program(FORGE_LINE, 0),
      'contracts/scripts/gas.ts': program('a goal is MISSED', 1),
    })
    const { status, out } = run('contracts')
    assert.equal(status, 1)
    assert.equal(totals(out).fail, 1)
    assert.match(out.split(/^package +tests/m)[1] ?? '', /a goal is MISSED/)
  })
})

describe('the list of packages', () => {
  test('the list of packages covers every test file once', () => {
    const exclude = (path: string) => path.split('/').includes('node_modules')
    const all = globSync('**/*.{test,e2e}.ts', { exclude }).sort()
    assert.ok(all.length > 200, `${all.length} files`)
    const files = PACKAGES.flatMap((owner) => [
      ...findFiles(owner, 'test'),
      ...findFiles(owner, 'e2e'),
    ])
    assert.deepEqual(files.sort(), all)
  })

  test('no module except test files registers test hooks', () => {
    const exclude = (path: string) => path.split('/').includes('node_modules')
    const modules = globSync(
      PACKAGES.map(({ name }) => `${name}/**/*.ts`),
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

  test('the list of packages has every npm package with its own test command', async () => {
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

  test('npm test counts the last totals that forge prints', () => {
    const failed = FORGE_LINE.replace('0 failed', '3 failed')
    assert.deepEqual(parseForge(`${FORGE_LINE}\n${failed}\n`)?.failed, 3)
    assert.equal(parseForge('no tests found'), undefined)
    assert.equal(parseForge(FORGE_LINE)?.tests, 8)
  })
})

describe('the processes of a run', () => {
  const core = choosePackages(['core'])[0] as (typeof PACKAGES)[number]
  const paths = (count: number) =>
    Array.from({ length: count }, (_, at) => join(folder, `${at}.test.ts`))
  const writeAll = (files: readonly string[], text = GOOD) => {
    for (const file of files) writeFileSync(file, text)
  }

  test('a test process runs ten files', () => {
    const files = paths(25)
    writeAll(files)
    const jobs = createJobs(core, files, Object.fromEntries(files.map((file) => [file, 0.1])))
    assert.deepEqual(jobs.map((job) => job.files.length).sort(), [8, 8, 9])
    assert.deepEqual(jobs.flatMap((job) => job.files).sort(), files.toSorted())
  })

  test('a test process runs fewer files when they are slow, and processes with the longest start first', () => {
    const files = paths(4)
    writeAll(files)
    const [slow = '', slower = '', quick = '', quicker = ''] = files
    const durations = { [slow]: 70, [slower]: 80, [quick]: 2, [quicker]: 1 }
    const jobs = longestFirst(createJobs(core, files, durations))
    assert.deepEqual(
      jobs.map((job) => job.files[0]),
      [slower, slow, quick],
    )
  })

  test('a test file that states a reason runs in a process of its own', () => {
    const files = paths(3)
    writeAll(files)
    writeFileSync(files[1] ?? '', `// Title.\n// Runs alone: it measures memory.\n${GOOD}`)
    const jobs = createJobs(core, files, {})
    assert.deepEqual(
      jobs.map((job) => job.files),
      [[files[1]], [files[0], files[2]]],
    )
  })

  test('recorded durations of tests belong to existing files', () => {
    const files = Object.values(readDurations()).flatMap((suite) => Object.keys(suite))
    const missing = files.filter((file) => !existsSync(file))
    assert.deepEqual(missing, [], 'npm test -- --record writes scripts/tests/durations.json')
  })
})
