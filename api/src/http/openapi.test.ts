// Checks the description against the host's answers, and the committed copy against both.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import fc from 'fast-check'
import { documentText, OPENAPI_FILE } from '../../scripts/openapi-document.ts'
import {
  type DescribedRoute,
  type Document,
  findSchema,
  listOperations,
  mediaOf,
  type Operation,
  satisfies,
  successResponse,
} from '../../test/described.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'

const document = JSON.parse(await documentText()) as Document
const operations = listOperations(document)

describe('the description of the interface', () => {
  test('the description of the interface is OpenAPI 3.1, and the committed copy is fresh (node api/scripts/write-openapi.ts)', async () => {
    assert.equal(document.openapi, '3.1.0')
    assert.ok(readFileSync(OPENAPI_FILE, 'utf8') === (await documentText()), 'the copy is old')
  })

  test('the description of the interface has no tuples of an older JSON Schema, which 3.1 refuses as a whole', () => {
    const tuples = { older: 0, newer: 0 }
    JSON.stringify(document, (_name, value: unknown) => {
      const { items, prefixItems } = (value ?? {}) as { items?: unknown; prefixItems?: unknown }
      if (Array.isArray(items)) tuples.older += 1
      if (Array.isArray(prefixItems) && items === false) tuples.newer += 1
      return value
    })
    assert.deepEqual([tuples.older, tuples.newer > 0], [0, true])
  })

  test('the description of the interface has every endpoint of sections 4.1 to 4.3', () => {
    for (const path of [
      '/health',
      '/ready',
      '/version',
      '/time',
      '/markets',
      '/markets/{instrument_id}',
      '/instrument/{instrument_name}',
      '/orderbook/{instrument_name}',
      '/markets/{instrument_id}/orderbook',
      '/orderbook',
      '/markets/{instrument_id}/trades',
      '/instrument/{instrument_name}/trade-history',
      '/statistics/{asset}/{instrument_type}',
      '/statistics',
      '/funding/{instrument_name}',
      '/funding',
      '/funding-history/{instrument_name}',
      '/funding-history',
      '/index/{asset}',
      '/index',
      '/assets',
      '/markets-summary',
      '/candles',
      '/last-traded-tradingview/history',
      '/last-traded-tradingview/config',
    ])
      assert.ok(document.paths[path]?.get, path)
  })

  test('the description of the interface has an example of each answer and body, which it satisfies, and of each path parameter', () => {
    for (const { named, operation } of operations) {
      const { example } = mediaOf(successResponse(operation)) ?? {}
      const schema = findSchema(
        document,
        operation,
        operation.responses[200] === undefined ? 201 : 200,
      )
      assert.ok(example !== undefined && schema !== undefined, named)
      assert.ok(satisfies(document, schema, example), named)
      const body = operation.requestBody?.content['application/json']
      assert.ok(
        body === undefined || satisfies(document, body.schema, body.example),
        `${named}: its body`,
      )
      for (const { name, in: place, example: value } of operation.parameters ?? [])
        assert.ok(place !== 'path' || typeof value === 'string', `${named}: ${name}`)
    }
  })

  test('the description of the interface has an example of a refusal, which it satisfies', () => {
    const { Problem = {} } = document.components.schemas
    const [problem] = Problem.examples as unknown[]
    assert.ok(satisfies(document, Problem, problem))
  })

  test('the description explains every endpoint, parameter and answer, under one of its tags', () => {
    const tags = document.tags.map(({ name }) => name)
    for (const { named, operation } of operations) {
      const { summary, tags: own = [], parameters = [] } = operation
      assert.ok(summary && own.length === 1 && tags.includes(own[0] ?? ''), named)
      for (const { name, description } of parameters) assert.ok(description, `${named}: ${name}`)
      assert.notEqual(successResponse(operation)?.description, 'Default Response', named)
    }
    const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []))
    assert.deepEqual([...used].sort(), [...tags].sort())
  })

  test('the description of the interface describes every answer, each under its own status', () => {
    for (const { named, operation } of operations) {
      assert.ok(successResponse(operation), named)
      for (const status of Object.keys(operation.responses)) {
        assert.match(status, /^[2-5]\d\d$/, named)
        // An unchanged answer (304) has no body.
        const hasBody = findSchema(document, operation, status) !== undefined
        assert.equal(hasBody, status !== '304', `${named}: ${status}`)
      }
    }
  })

  test('the description of the interface names the headers of a key, with its secret or a signature, for the endpoints that need one and no others', async () => {
    const { securitySchemes } = document.components
    const headers = Object.values(securitySchemes).map(({ in: place, name }) => `${place} ${name}`)
    const names = ['API-KEY', 'API-SECRET', 'API-TIMESTAMP', 'API-SIGNATURE']
    assert.deepEqual(
      headers,
      names.map((name) => `header ${name}`),
    )
    const ways = [
      { key: [], secret: [] },
      { key: [], timestamp: [], signature: [] },
    ]
    const PUBLIC = ['Service', 'Markets', 'Order book', 'Trades', 'Statistics', 'Funding']
    const ALSO = ['Index prices and assets', 'Candles', 'Charting']
    for (const { named, operation } of operations) {
      const isPublic = [...PUBLIC, ...ALSO].includes(operation.tags?.[0] ?? '')
      const expected = isPublic || named === 'POST /register' ? [] : ways
      assert.deepEqual(operation.security, expected, named)
    }
  })
})

const GOOD: Readonly<Record<string, readonly string[]>> = {
  instrument_id: ['ETH-USDC', 'BTC-PERP', 'nothing'],
  instrument_name: ['ETH-PERP', 'EURC-USDC', 'eth-perp', 'nothing'],
  instrument_type: ['SPOT', 'PERPETUAL', 'x'],
  asset: ['ETH', 'sol', 'DOGE'],
  symbol: ['ETH-USDC', 'x'],
  resolution: ['1', '60', '1D', '1M', 'x'],
  query: ['ETH', ''],
  limit: ['1', '5000'],
  depth: ['3'],
  group: ['7'],
  countback: ['3'],
  fill: ['previous', 'none'],
  from: ['1767225600'],
  to: ['1767300000'],
  start_time: ['1767225600', '1767225600000', '1767225600000000000'],
  end_time: ['1767300000'],
}
const exampleValues = (name: string): readonly string[] => GOOD[name] ?? ['x']

/**
 * Returns the endpoint with each value of its first path parameter, and of each query parameter.
 */
function goodUrls(path: string, { parameters = [] }: Operation): string[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const [first, ...others] = parameters.filter((parameter) => parameter.in === 'path')
  const base = inQuery
    .filter((parameter) => parameter.required)
    .map(({ name }) => `${name}=${exampleValues(name)[0]}`)
  const queries = inQuery
    .flatMap(({ name }) => exampleValues(name).map((value) => [`${name}=${value}`, ...base]))
    .concat([base])
  return (first === undefined ? [''] : exampleValues(first.name)).flatMap((value) => {
    const filled = others.reduce(
      (url, { name }) => url.replace(`{${name}}`, exampleValues(name)[0] ?? ''),
      path.replace(`{${first?.name}}`, value),
    )
    return queries.map((query) => `${filled}?${query.join('&')}`)
  })
}

/** Returns the endpoint with `values` for its parameters, without every third of the query. */
function nastyUrl(path: string, { parameters = [] }: Operation, values: readonly string[]): string {
  let url = path
  const query: string[] = []
  for (const [i, { name, in: place }] of parameters.entries()) {
    const value = encoded(values[i % values.length] ?? '')
    if (place === 'path') url = url.replace(`{${name}}`, value)
    else if (i % 3 !== 2) query.push(`${name}=${value}`)
  }
  return `${url}?${query.join('&')}`
}

/** A lone surrogate has no percent-encoding. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

describe('the server', () => {
  let node: ScenarioNode
  let store: Store
  before(async () => {
    store = await openMemoryStore()
    node = await scenarioNode(randomScenario(7, 400), store)
  })
  after(async () => {
    await node.close()
    await store.close()
  })

  type Method = DescribedRoute['method']
  const check = async (method: Method, url: string, operation: Operation) => {
    const { statusCode: status, body: text, headers } = await node.host.inject({ method, url })
    const body: unknown = JSON.parse(text)
    const schema = findSchema(document, operation, status)
    assert.ok(status < 500 || url.startsWith('/ready'), `${url}: ${status} ${text.slice(0, 200)}`)
    assert.match(String(headers['content-type']), /^application\/json/, url)
    assert.ok(
      schema !== undefined && satisfies(document, schema, body),
      `${url}: ${text.slice(0, 300)}`,
    )
  }

  test('the server answers as described, for each value of each parameter', async () => {
    for (const { path, method, operation } of operations)
      for (const url of goodUrls(path, operation)) await check(method, url, operation)
  })

  const nasty = fc.oneof(
    fc.string({ maxLength: 40, unit: 'binary' }),
    fc.constantFrom(...Object.values(GOOD).flat()),
    fc.constantFrom(
      '0',
      '-1',
      '1e9',
      '1e999',
      'NaN',
      '0x',
      '0x0',
      `0x${'f'.repeat(48)}`,
      ' 1',
      '+1',
    ),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      '../../..',
      '%',
      '\u0000',
      '\ud800',
      '*',
    ),
    fc.constantFrom('9'.repeat(30), '9007199254740993', '-9007199254740993', 'a'.repeat(300)),
    fc.integer().map(String),
  )
  test('the server never fails on malformed input: any values of any parameters', async () => {
    const request = fc.record({
      operation: fc.constantFrom(...operations),
      values: fc.array(nasty, { minLength: 8, maxLength: 8 }),
      extra: fc.tuple(nasty, nasty),
    })
    const run = fc.asyncProperty(request, async ({ operation: one, values, extra }) => {
      const { path, method, operation } = one
      const url = `${nastyUrl(path, operation, values)}&${extra.map(encoded).join('=')}`
      const { statusCode, body } = await node.host.inject({ method, url })
      // Only a block that is still ahead may be a 5xx without being our fault.
      const isAwaited = body.includes('"BLOCK_NOT_REACHED"')
      assert.ok(statusCode < 500 || isAwaited, `${url}: ${statusCode} ${body}`)
    })
    await fc.assert(run, { numRuns: 600 })
  })

  test('the server never fails on malformed input: any bytes as the target', async () => {
    await node.host.listen({ port: 0, host: '127.0.0.1' })
    const [address] = node.host.addresses() as { port: number }[]
    const target = fc.string({
      unit: fc.integer({ min: 33, max: 255 }).map((code) => String.fromCharCode(code)),
      maxLength: 60,
    })
    const run = fc.asyncProperty(target, async (text) => {
      const answer = await rawGet(address?.port ?? 0, `/${text}`)
      assert.match(answer, /^HTTP\/1\.1 [1-4]\d\d /)
    })
    await fc.assert(run, { numRuns: 200 })
  })
})

/** Sends `target` byte by byte as it is and returns the answer. */
function rawGet(port: number, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
    socket.end(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1')
  })
}
