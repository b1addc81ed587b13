// Stock linters find nothing in the documents, and clients of stock generators compile and work.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { INTEGRATED_OPENAPI_FILE, OPENAPI_FILE } from '../scripts/openapi-document.ts'
import { ARAZZO_FILE } from '../src/rest/program-documents.ts'
import { createWorkFolder, installTools, writeFetchCalls, writeSdkCalls } from './clients.ts'
import { type Document, findSchema, listOperations, satisfies } from './described.ts'
import { type ScenarioNode, scenarioNode } from './scenario-node.ts'

const DOCUMENTS = { api: OPENAPI_FILE, integrated: INTEGRATED_OPENAPI_FILE } as const
type Name = keyof typeof DOCUMENTS
const NAMES = Object.keys(DOCUMENTS) as Name[]
const readDocument = (name: Name) => JSON.parse(readFileSync(DOCUMENTS[name], 'utf8')) as Document
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const STRICT = [
  '--strict',
  '--noEmit',
  '--target',
  'es2024',
  '--lib',
  'es2024,dom,dom.iterable',
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
  '--allowImportingTsExtensions',
  '--types',
  '',
]

const tools = installTools()
const run = (script: string, ...args: readonly string[]) =>
  execFileSync(process.execPath, [join(tools, script), ...args], { encoding: 'utf8' })

test('redocly and spectral find nothing in either document', () => {
  const files = Object.values(DOCUMENTS).map((file) => fileURLToPath(file))
  assert.deepEqual(JSON.parse(run('lint.mjs', ...files)), [])
})

test('redocly finds nothing in the Arazzo document, which spectral does not support', () => {
  const found: readonly string[] = JSON.parse(run('lint.mjs', fileURLToPath(ARAZZO_FILE)))
  assert.deepEqual(
    found.filter((line) => !line.startsWith('arazzo.json spectral unrecognized-format')),
    [],
  )
})

describe('generated clients', () => {
  const folder = createWorkFolder()
  let node: ScenarioNode
  before(async () => {
    symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const name of NAMES) {
      const into = join(folder, name)
      mkdirSync(into)
      run('generate.mjs', fileURLToPath(DOCUMENTS[name]), into)
      const document = readDocument(name)
      writeFileSync(join(into, 'fetch', 'calls.ts'), writeFetchCalls(document))
      writeFileSync(join(into, 'sdk-calls.ts'), writeSdkCalls(document))
    }
    node = await scenarioNode(randomScenario(7, 400))
    await node.host.listen({ port: 0, host: '127.0.0.1' })
  })
  after(async () => {
    await node.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const compile = (files: readonly string[]) => {
    try {
      execFileSync(TSC, [...STRICT, ...files], { cwd: folder, encoding: 'utf8' })
      return ''
    } catch (error) {
      return (error as { stdout: string }).stdout
    }
  }
  // Compiler errors name their file, so one run can check all programs.
  const found = { programs: '', broken: '' }
  before(() => {
    const programs = NAMES.flatMap((name) => [callsOf(name), join(name, 'sdk-calls.ts')])
    found.programs = compile(programs)
    const broken = NAMES.flatMap((name) =>
      BREAKS[name].map(([from, to], at) => {
        const text = readFileSync(join(folder, callsOf(name)), 'utf8')
        assert.ok(text.includes(from), from)
        const file = brokenOf(name, at)
        writeFileSync(join(folder, file), text.replace(from, to))
        return file
      }),
    )
    found.broken = compile(broken)
    for (const file of broken) rmSync(join(folder, file))
  })

  for (const name of NAMES)
    test(`generated clients of the document ${name} compile in strict mode with calls to each operation`, () => {
      assert.equal(found.programs, '')
      // Proves that the compiler checks: a wrong operation name, and an invalid enum value.
      for (const [at, [, to]] of BREAKS[name].entries())
        assert.ok(found.broken.includes(`${brokenOf(name, at)}(`), to)
    })

  test('generated clients answer as typed when one calls a node', async () => {
    const document = readDocument('api')
    const [address] = node.host.addresses() as { port: number }[]
    const { calls } = (await import(
      pathToFileURL(join(folder, 'api', 'fetch', 'calls.ts')).href
    )) as { calls: (baseUrl: string) => Calls }
    const client = calls(`http://127.0.0.1:${address?.port}`)
    for (const { operation, named, method } of listOperations(document)) {
      if (method !== 'GET') continue
      for (const { data, error, response } of await call(client, operation.operationId)) {
        const needsKey = operation.security?.length !== 0
        assert.equal(response.status === 401, needsKey, `${named}: ${response.status}`)
        const schema = findSchema(document, operation, response.status)
        assert.ok(schema && satisfies(document, schema, data ?? error), named)
      }
    }
  })
})

const callsOf = (name: Name) => join(name, 'fetch', 'calls.ts')
const brokenOf = (name: Name, at: number) => join(name, 'fetch', `broken-${at}.ts`)

const BREAKS: Readonly<Record<Name, readonly (readonly [string, string])[]>> = {
  api: [
    ['getMarketsSummary:', 'getSummaries:'],
    ['"resolution":"60"', '"resolution":"61"'],
    ["client.GET('/assets'", "client.GET('/tokens'"],
  ],
  integrated: [['getApiClobInfo:', 'getInfo:']],
}

type Answer = Promise<Readonly<{ data?: unknown; error?: unknown; response: Response }>>
type Calls = Readonly<Record<string, () => Readonly<{ needed: Answer; all: Answer }>>>

/** Returns the answers to a call with the required parameters, and to one with all of them. */
function call(client: Calls, operationId: string) {
  const make = client[operationId]
  assert.ok(make, operationId)
  const { needed, all } = make()
  return Promise.all([needed, all])
}
