// Checks the description of the second host against its answers, and the committed copy.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { INTEGRATED_OPENAPI_FILE, integratedDocumentText } from '../../scripts/openapi-document.ts'
import { type Document, findSchema, listOperations, satisfies } from '../../test/described.ts'
import { type IntegratedScenarioNode, integratedNode } from '../../test/integrated-node.ts'
import { POOLS, pooled } from '../../test/pool-scenario.ts'

const text = await integratedDocumentText()
const document = JSON.parse(text) as Document
const operations = listOperations(document)

describe('the description of the second host', () => {
  test('the description of the second host is OpenAPI 3.1, and the committed copy is fresh (node api/scripts/write-openapi.ts)', () => {
    assert.equal(document.openapi, '3.1.0')
    assert.ok(readFileSync(INTEGRATED_OPENAPI_FILE, 'utf8') === text, 'the copy is old')
  })

  test('the description of the second host has the endpoints of section 4.7 and those of the service, all of them GET', () => {
    assert.deepEqual(Object.keys(document.paths).sort(), [
      '/api/clob/info',
      '/api/clob/pools/{poolId}',
      '/api/markets/earn-markets',
      '/api/markets/new-markets',
      '/health',
      '/ready',
      '/time',
      '/version',
    ])
    for (const methods of Object.values(document.paths))
      assert.deepEqual(Object.keys(methods), ['get'])
  })

  test('the description of the second host describes each operation, under one of its tags, with a valid example', () => {
    const tags = document.tags.map(({ name }) => name)
    for (const { path, operation } of operations) {
      const { summary, tags: own = [], parameters = [], responses } = operation
      assert.ok(summary && own.length === 1 && tags.includes(own[0] ?? ''), path)
      for (const { name, in: place, description, example } of parameters) {
        assert.ok(description, `${path}: ${name}`)
        assert.ok(place !== 'path' || typeof example === 'string', `${path}: ${name}`)
      }
      const { example } = responses[200]?.content?.['application/json'] ?? {}
      assert.ok(satisfies(document, findSchema(document, operation, 200) ?? {}, example), path)
    }
    const { Problem = {} } = document.components.schemas
    const [problem] = Problem.examples as unknown[]
    assert.ok(satisfies(document, Problem, problem))
  })

  test('the description of the second host has a default of each limit and names its clamp', () => {
    for (const { operation } of operations)
      for (const { name, description = '', schema } of operation.parameters ?? [])
        if (name === 'limit') {
          assert.deepEqual(schema, { type: 'integer', minimum: 1, default: 100 })
          assert.match(description, /clamped to 1000/)
        }
  })
})

const GOOD: Readonly<Record<string, readonly string[]>> = {
  poolId: ['ETH-USDC', POOLS.pair, 'nothing'],
  limit: ['1', '5000'],
  sort: ['tvl', 'volume24h', 'created', 'x'],
  type: ['amm', 'CLMM', 'x'],
  token: ['eth', 'nothing', ''],
  cursor: ['', 'x'],
}

describe('the second host', () => {
  let node: IntegratedScenarioNode
  before(async () => {
    node = await integratedNode(pooled().blocks())
  })
  after(() => node.close())

  test('the second host answers as described, for each value of each parameter', async () => {
    for (const { path, operation } of operations) {
      const { parameters = [] } = operation
      const inPath = parameters.some((parameter) => parameter.in === 'path')
      const paths = inPath ? (GOOD.poolId ?? []).map((id) => path.replace('{poolId}', id)) : [path]
      const queries = parameters
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name }) => (GOOD[name] ?? []).map((value) => `${name}=${value}`))
      for (const url of paths.flatMap((one) =>
        ['', ...queries].map((query) => `${one}?${query}`),
      )) {
        const { status, body, text: answered } = await node.get(url)
        assert.ok(status < 500, `${url}: ${status}`)
        const schema = findSchema(document, operation, status)
        assert.ok(schema && satisfies(document, schema, body), `${url}: ${answered.slice(0, 300)}`)
      }
    }
  })

  test('the second host never fails on malformed input: any values of any parameters', async () => {
    const nasty = fc.oneof(
      fc.string({ maxLength: 40, unit: 'binary' }),
      fc.constantFrom(...Object.values(GOOD).flat()),
      fc.constantFrom('__proto__', 'constructor', '%', '\u0000', '\ud800', '0x', '9'.repeat(400)),
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify([value])).toString('base64url')),
      fc.integer().map(String),
    )
    const encoded = (value: string) => encodeURIComponent(value.toWellFormed())
    const asked = fc.tuple(fc.constantFrom(...operations), fc.array(nasty, { minLength: 6 }))
    const run = fc.asyncProperty(asked, async ([{ path, operation }, values]) => {
      const { parameters = [] } = operation
      const query = parameters.map(({ name }, at) => `${name}=${encoded(values[at] ?? '')}`)
      const url = `${path.replace('{poolId}', encoded(values[5] ?? ''))}?${query.join('&')}`
      const { statusCode, body } = await node.host.inject(url)
      // Only a block that is still ahead may be a 5xx without being our fault.
      const isAwaited = body.includes('"BLOCK_NOT_REACHED"')
      assert.ok(statusCode < 500 || isAwaited, `${url}: ${statusCode} ${body}`)
    })
    await fc.assert(run, { numRuns: 300 })
  })
})
