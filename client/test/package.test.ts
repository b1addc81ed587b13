import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { funded } from '@openvenue/api/test/funded'
import { tradingSockets } from '@openvenue/api/test/trading-sockets'
import { publint } from 'publint'
import { buildPackage, OLDEST_NODE } from '../scripts/build.ts'
import { commandSource, libraryEntries, ROOT } from '../scripts/entries.ts'
import { nodeOf, olderCompiler, runIn, versionOf } from './programs.ts'

/** Arbitrary repository: npm requires one for provenance. */
const REPOSITORY = 'https://git.example/venue'
const VENUE_OF_README = 'http://127.0.0.1:3000'
let folder: string
/** Folders of the published package and of a project that has it installed, and the archive. */
const places = () => ({
  built: join(folder, 'package'),
  project: join(folder, 'project'),
  archive: join(folder, 'openvenue-0.1.0.tgz'),
})

/** Returns the programs of the README in order. */
async function examples(): Promise<string[]> {
  const text = await readFile(join(places().built, 'README.md'), 'utf8')
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, program = '']) => program)
}

const filesOf = (pattern: string): string[] => globSync(pattern, { cwd: places().built })

async function createProject(): Promise<void> {
  const { project, archive } = places()
  await mkdir(project)
  const installed = ['viem', 'ws', '@types/ws'].map((name) => [name, versionOf(name)])
  const dependencies = { openvenue: `file:${archive}`, ...Object.fromEntries(installed) }
  const manifest = { private: true, type: 'module', dependencies }
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest))
  await runIn(project, 'npm', 'install', '--prefer-offline', '--ignore-scripts', '--no-audit')
}

const STRICT = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ target: 'es2022', lib: ['es2023', 'dom'], types: [], outDir: 'compiled' },
}

/** Compiles the programs of the project; throws the compiler's errors. */
async function compile(compiler: string, options: object): Promise<void> {
  const { project } = places()
  const config = { compilerOptions: { ...STRICT, ...options }, include: ['*.ts'] }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config))
  await runIn(project, process.execPath, compiler, '-p', '.')
}

/** Programs that must not compile: the types are not `any`. */
const WRONG = `import { Rest } from 'openvenue'
// @ts-expect-error a venue has an address
new Rest({})
// @ts-expect-error there is no such endpoint
await new Rest({ url: '' }).call('GET /nothing')
const { bids } = await new Rest({ url: '' }).call('GET /orderbook')
// @ts-expect-error prices are text
export const price: number = bids[0]!.price
`

describe('the published package', () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openvenue-package-'))
    const { built } = places()
    await buildPackage(built, REPOSITORY)
    await runIn(built, 'npm', 'pack', '--pack-destination', folder)
    await createProject()
  })
  after(() => rm(folder, { recursive: true }))

  test('the package imports nothing that only this repository or Node has', async () => {
    const scripts = filesOf('**/*.js').filter((file) => !/^(chunks\/)?cli/.test(file))
    const types = filesOf('**/*.d.ts')
    assert.ok(scripts.length > 2 && types.length > 20)
    for (const file of [...scripts, ...types]) {
      const text = await readFile(join(places().built, file), 'utf8')
      const names = [...text.matchAll(/(?:\bfrom |\bimport\(|\bimport )["']([^"']+)["']/g)]
      for (const [, name = ''] of names)
        assert.match(name, /^\.\.?\/[\w./-]+\.js$|^viem(\/|$)/, `${file} imports ${name}`)
    }
  })

  test('the package has its licence, peer dependency and public access', async () => {
    const { built } = places()
    const manifest = JSON.parse(await readFile(join(built, 'package.json'), 'utf8'))
    assert.deepEqual(Object.keys(manifest.peerDependencies), ['viem'])
    assert.equal(manifest.dependencies, undefined)
    assert.equal(manifest.private, undefined)
    assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true })
    assert.match(await readFile(join(built, 'LICENSE'), 'utf8'), /^MIT License/)
    assert.equal(manifest.repository.url, `git+${REPOSITORY}.git`)
  })

  test('package linters and npm report no problems', async () => {
    const { built, archive } = places()
    const tarball = Uint8Array.from(await readFile(archive)).buffer
    const { messages } = await publint({ strict: true, pack: { tarball } })
    assert.deepEqual(messages, [])
    const attw = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    await runIn(built, process.execPath, attw, archive, '--profile', 'esm-only')
    // npm queries the registry for earlier versions, and continues without them.
    const dryRun = ['publish', '--dry-run', '--fetch-retries=0']
    const { stderr } = await runIn(built, 'npm', ...dryRun)
    const warnings = stderr.split('\n').filter((line) => /^npm (warn|error)/i.test(line))
    const foreign = /Unknown \w+ config|requires you to be logged in/
    assert.deepEqual(
      warnings.filter((line) => !foreign.test(line)),
      [],
    )
  })

  test('the README programs compile with an old TypeScript and with ours', async () => {
    const { project } = places()
    const programs = await examples()
    assert.ok(programs.length >= 2)
    for (const [at, program] of [...programs, WRONG].entries())
      await writeFile(join(project, `program-${at}.ts`), program)
    const { version, path } = olderCompiler()
    assert.match(version, /^5\.6\./, 'the README says from which version on')
    const bundler = { module: 'esnext', moduleResolution: 'bundler', noEmit: true }
    await compile(path, { ...bundler, skipLibCheck: true })
    await compile(join(ROOT, 'node_modules/typescript/bin/tsc'), { module: 'nodenext' })
  })

  test(`the first README program runs on Node ${OLDEST_NODE}`, async () => {
    const compiled = join(places().project, 'compiled')
    const scenario = funded('ETH-USDC').place('bob', 'sell', 200_000, 10n).next()
    const venue = await tradingSockets(scenario)
    try {
      const program = await readFile(join(compiled, 'program-0.js'), 'utf8')
      assert.ok(program.includes(VENUE_OF_README))
      const here = program.replaceAll(VENUE_OF_README, venue.urls[0] as string)
      await writeFile(join(compiled, 'here.js'), here)
      const { stdout } = await runIn(compiled, await nodeOf(OLDEST_NODE), 'here.js')
      assert.deepEqual(stdout.trimEnd().split('\n'), [
        'ETH-USDC 3000010000n',
        "best bid undefined best ask [ '2000', '0.001', '1' ]",
      ])
    } finally {
      await venue.close()
    }
  })

  if (commandSource() !== undefined)
    test(`the command openvenue runs on Node ${OLDEST_NODE}`, async () => {
      const { project, built } = places()
      const command = join(project, 'node_modules/.bin/openvenue')
      const { stdout } = await runIn(project, await nodeOf(OLDEST_NODE), command, '--help')
      assert.match(stdout, /^Usage: openvenue /)
      const licences = await readFile(join(built, 'LICENCES.txt'), 'utf8')
      assert.match(licences, /^commander\n\n\(The MIT License\)/)
    })

  test(`the package has all exports of the sources on Node ${OLDEST_NODE}`, async () => {
    const entries = libraryEntries()
    const names = entries.map(({ key }) => `openvenue${key.slice(1)}`)
    const program = `for (const name of ${JSON.stringify(names)})
      process.stdout.write(Object.keys(await import(name)).sort().join() + '\\n')`
    const { project } = places()
    await writeFile(join(project, 'all.js'), program)
    const { stdout } = await runIn(project, await nodeOf(OLDEST_NODE), 'all.js')
    const sources = entries.map(async ({ source }) => Object.keys(await import(source)).sort())
    const expected = await Promise.all(sources)
    assert.deepEqual(
      stdout.trimEnd().split('\n'),
      expected.map((names) => names.join()),
    )
  })
})
