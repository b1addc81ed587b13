// The description is checked against what the server answers, and the committed copy against both.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { randomStory } from '@openvenue/core/story/random-story'
import fc from 'fast-check'
import { Compile } from 'typebox/schema'
import { documentText, OPENAPI_FILE } from './openapi-document.ts'
import { type StoryApp, storyApp } from './testing/story-app.ts'

type Parameter = Readonly<{
  name: string
  in: string
  required?: boolean
  description?: string
  example?: unknown
}>
type Operation = Readonly<{
  summary?: string
  tags?: readonly string[]
  parameters?: readonly Parameter[]
  responses: Readonly<Record<string, Response>>
}>
type Response = Readonly<{
  description?: string
  content?: Record<string, { schema: object; example?: unknown }>
}>
type Document = Readonly<{
  openapi: string
  tags: readonly { name: string }[]
  components: Readonly<{ schemas: Readonly<Record<string, { examples?: unknown[] }>> }>
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}>

const document = JSON.parse(await documentText()) as Document
const operations = Object.entries(document.paths).map(([path, { get }]) => ({
  path,
  get: get as Operation,
}))

/** Returns the schema of an answer: its status, else its class. */
function schemaOf({ responses }: Operation, status: number): object | undefined {
  const answer = responses[status] ?? responses[`${String(status)[0]}XX`]
  const schema = answer?.content?.['application/json']?.schema as { $ref?: string } | undefined
  const name = schema?.$ref?.split('/').at(-1)
  return name === undefined ? schema : document.components.schemas[name]
}

const compiled = new Map<object, { Check: (value: unknown) => boolean }>()
function satisfies(schema: object, value: unknown): boolean {
  const known = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, known)
  return known.Check(value)
}

describe('the description of the interface', () => {
  test('is OpenAPI 3.1, and the committed copy is fresh (node api/src/write-openapi.ts)', async () => {
    assert.equal(document.openapi, '3.1.0')
    assert.ok(readFileSync(OPENAPI_FILE, 'utf8') === (await documentText()), 'the copy is old')
  })

  test('has every endpoint of sections 4.1 to 4.3', () => {
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

  test('has an example of each answer, which it satisfies, and of each parameter in a path', () => {
    for (const { path, get } of operations) {
      const { example } = get.responses[200]?.content?.['application/json'] ?? {}
      const schema = schemaOf(get, 200)
      assert.ok(example !== undefined && schema !== undefined, path)
      assert.ok(satisfies(schema, example), path)
      for (const { name, in: place, example: value } of get.parameters ?? [])
        assert.ok(place !== 'path' || typeof value === 'string', `${path}: ${name}`)
    }
    const [problem] = document.components.schemas.Problem?.examples ?? []
    assert.ok(satisfies(document.components.schemas.Problem ?? {}, problem))
  })

  test('says what every endpoint, parameter and answer is for, under one of its tags', () => {
    const tags = document.tags.map(({ name }) => name)
    for (const { path, get } of operations) {
      assert.ok(get.summary && get.tags?.length === 1 && tags.includes(get.tags[0] ?? ''), path)
      for (const { name, description } of get.parameters ?? [])
        assert.ok(description, `${path}: ${name}`)
      assert.notEqual(get.responses[200]?.description, 'Default Response', path)
    }
    const used = new Set(operations.flatMap(({ get }) => get.tags ?? []))
    assert.deepEqual([...used].sort(), [...tags].sort())
  })

  test('describes every answer', () => {
    for (const { path, get } of operations) {
      assert.ok(schemaOf(get, 200), path)
      assert.ok(path === '/health' || schemaOf(get, 400), path)
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
const valuesOf = (name: string): readonly string[] => GOOD[name] ?? ['x']

/** Returns the endpoint with each value of its first path parameter, and of each query parameter. */
function goodUrls(path: string, { parameters = [] }: Operation): string[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const [first, ...others] = parameters.filter((parameter) => parameter.in === 'path')
  const base = inQuery
    .filter((parameter) => parameter.required)
    .map(({ name }) => `${name}=${valuesOf(name)[0]}`)
  const queries = inQuery
    .flatMap(({ name }) => valuesOf(name).map((value) => [`${name}=${value}`, ...base]))
    .concat([base])
  return (first === undefined ? [''] : valuesOf(first.name)).flatMap((value) => {
    const filled = others.reduce(
      (url, { name }) => url.replace(`{${name}}`, valuesOf(name)[0] ?? ''),
      path.replace(`{${first?.name}}`, value),
    )
    return queries.map((query) => `${filled}?${query.join('&')}`)
  })
}

/** Returns the endpoint with `values` for its parameters; each third one of a query is left out. */
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
  let node: StoryApp
  before(async () => {
    node = await storyApp(randomStory(7, 400))
  })
  after(() => node.close())

  const check = async (url: string, get: Operation) => {
    const { status, text, headers, body } = await node.get(url)
    const schema = schemaOf(get, status)
    assert.ok(status < 500 || url.startsWith('/ready'), `${url}: ${status} ${text.slice(0, 200)}`)
    assert.match(String(headers['content-type']), /^application\/json/, url)
    assert.ok(schema !== undefined && satisfies(schema, body), `${url}: ${text.slice(0, 300)}`)
  }

  test('answers as described, for each value of each parameter', async () => {
    for (const { path, get } of operations)
      for (const url of goodUrls(path, get)) await check(url, get)
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
    fc.constantFrom('__proto__', 'constructor', 'toString', '../..', '%', '\u0000', '\ud800', '*'),
    fc.constantFrom('9'.repeat(30), '9007199254740993', '-9007199254740993', 'a'.repeat(300)),
    fc.integer().map(String),
  )
  test('never fails on malformed input: any values of any parameters', async () => {
    const request = fc.record({
      operation: fc.constantFrom(...operations),
      values: fc.array(nasty, { minLength: 8, maxLength: 8 }),
      extra: fc.tuple(nasty, nasty),
    })
    const run = fc.asyncProperty(request, async ({ operation: { path, get }, values, extra }) => {
      const url = `${nastyUrl(path, get, values)}&${extra.map(encoded).join('=')}`
      const { statusCode, body } = await node.app.inject(url)
      assert.ok(statusCode < 500, `${url}: ${statusCode} ${body}`)
    })
    await fc.assert(run, { numRuns: 600 })
  })

  test('never fails on malformed input: any bytes as the target', async () => {
    await node.app.listen({ port: 0, host: '127.0.0.1' })
    const [address] = node.app.addresses() as { port: number }[]
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
