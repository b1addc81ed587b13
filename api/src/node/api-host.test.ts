import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Problem } from '@openvenue/wire/field'
import { pino } from 'pino'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { scenarioNode } from '../../test/scenario-node.ts'
import { REFUSALS, type RefusalCode } from '../http/refusals.ts'
import type { ApiHostDeps } from './api-host.ts'

const open = (overrides: Partial<ApiHostDeps> = {}) =>
  scenarioNode(funded('ETH-USDC').blocks(), undefined, overrides)
type Node = Awaited<ReturnType<typeof open>>

/** Starts a node with a route that takes a body, and listens on a free port. */
async function listening(overrides: Partial<ApiHostDeps> = {}): Promise<Node & { port: number }> {
  const node = await open(overrides)
  node.host.post('/echo', { schema: { hide: true } }, (request, reply) => reply.send(request.body))
  node.host.get('/broken', { schema: { hide: true } }, () => {
    throw new Error('a secret of ours')
  })
  await node.host.listen({ port: 0, host: '127.0.0.1' })
  const [address] = node.host.addresses() as { port: number }[]
  return { ...node, port: address?.port ?? 0 }
}

test('a fault of ours is logged with its path, without the query', async () => {
  const texts: string[] = []
  const logger = pino({ level: 'info' }, { write: (text) => void texts.push(text) })
  const node = await listening({ logger })
  assert.equal((await fetch(`http://127.0.0.1:${node.port}/broken?secret=mine`)).status, 500)
  await node.close()
  const [line] = texts.map((text) => JSON.parse(text)).filter(({ msg }) => msg === 'failed')
  assert.equal(line.path, '/broken')
  assert.ok(!texts.join('').includes('mine'))
})

describe('an error', () => {
  let node: Node & { port: number }
  before(async () => {
    node = await listening()
  })
  after(() => node.close())

  const json = { 'content-type': 'application/json' }
  for (const [says, request, code] of [
    ['an unknown route', { url: '/nowhere' }, 'ROUTE_NOT_FOUND'],
    ['a route in another case', { url: '/Markets' }, 'ROUTE_NOT_FOUND'],
    ['an unknown market', { url: '/markets/x' }, 'INSTRUMENT_NOT_FOUND'],
    ['a method that an endpoint lacks', { url: '/markets', method: 'POST' }, 'METHOD_NOT_ALLOWED'],
    ['another', { url: '/markets/ETH-USDC/trades', method: 'DELETE' }, 'METHOD_NOT_ALLOWED'],
    ['bad percent-encoding', { url: '/markets/%zz' }, 'MALFORMED_URL'],
    ['half a character', { url: '/markets/%C3' }, 'MALFORMED_URL'],
    ['a parameter too many times', { url: '/markets?asset=a&asset=b' }, 'INVALID_PARAMETER'],
    ['a long parameter', { url: `/markets?asset=${'a'.repeat(257)}` }, 'INVALID_PARAMETER'],
    [
      'malformed JSON',
      { url: '/echo', method: 'POST', headers: json, payload: '{"a":' },
      'MALFORMED_JSON',
    ],
    ['no JSON', { url: '/echo', method: 'POST', headers: json, payload: '' }, 'MALFORMED_JSON'],
    [
      'a prototype in JSON',
      { url: '/echo', method: 'POST', headers: json, payload: '{"__proto__":{}}' },
      'MALFORMED_JSON',
    ],
    [
      'another media type',
      { url: '/echo', method: 'POST', headers: { 'content-type': 'text/xml' }, payload: '<a/>' },
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a body too large',
      { url: '/echo', method: 'POST', headers: json, payload: `"${'a'.repeat(70_000)}"` },
      'BODY_TOO_LARGE',
    ],
    ['a fault of ours', { url: '/broken' }, 'INTERNAL_ERROR'],
  ] as const)
    test(`an error for ${says} is ${code}, in the one body`, async () => {
      const headers = {
        ...('headers' in request ? request.headers : {}),
        origin: 'https://a.example',
      }
      const answer = await node.host.inject({ ...request, headers })
      assert.equal(answer.headers['access-control-allow-origin'], '*')
      assert.match(String(answer.headers['access-control-expose-headers']), /X-Request-Id/)
      assert.equal(answer.statusCode, REFUSALS[code].status)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
      const body = answer.json()
      assert.ok(Value.Check(Problem, body), answer.body)
      assert.equal(body.error, code)
      assert.equal(body.request_id, answer.headers['x-request-id'])
      assert.ok(!answer.body.includes('secret'))
    })

  test('an error for a path segment too long is 404 or 414, and JSON', async () => {
    const { statusCode, headers } = await node.host.inject(`/markets/${'a'.repeat(300)}`)
    assert.ok(statusCode === 404 || statusCode === 414, String(statusCode))
    assert.match(String(headers['content-type']), /^application\/json/)
  })

  test('an error names the methods that the endpoint has', async () => {
    const { headers } = await node.host.inject({ url: '/time', method: 'PUT' })
    assert.equal(headers.allow, 'GET, HEAD, OPTIONS')
  })

  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(node.port, '127.0.0.1', () => socket.end(text))
      let answer = ''
      socket.on('data', (bytes) => {
        answer += bytes
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', reject)
    })
  for (const [says, text, code] of [
    ['bytes that are no HTTP', 'HELLO\r\n\r\n', 'MALFORMED_REQUEST'],
    ['a URL without end', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 'HEADERS_TOO_LARGE'],
  ] as const)
    test(`an error for ${says} is ${code}, and the connection closes`, async () => {
      const [head = '', body = ''] = (await raw(text)).split('\r\n\r\n')
      assert.ok(head.startsWith(`HTTP/1.1 ${REFUSALS[code].status} `), head)
      assert.match(head, /Connection: close/)
      assert.equal(JSON.parse(body).error, code)
    })
})

test('every code has its own entry with a status and a text', () => {
  for (const [code, { status, message }] of Object.entries(REFUSALS)) {
    assert.match(code as RefusalCode, /^[A-Z_]+$/)
    assert.ok(status >= 400 && status < 600 && message.length > 0)
  }
})

describe('every answer', () => {
  test('every answer has an id of its own, or the one that the client chose', async () => {
    const { host, close } = await open()
    const readId = async (headers: Record<string, string>) =>
      (await host.inject({ url: '/time', headers })).headers['x-request-id']
    assert.notEqual(await readId({}), await readId({}))
    assert.equal(await readId({ 'x-request-id': 'mine-1' }), 'mine-1')
    assert.notEqual(await readId({ 'x-request-id': 'bad id\u00e9' }), 'bad id\u00e9')
    assert.notEqual(await readId({ 'x-request-id': 'a'.repeat(65) }), 'a'.repeat(65))
    await close()
  })

  test('every answer made of chain data names its block; the others do not', async () => {
    const { get, host, close } = await open()
    await host.ready()
    type Described = Readonly<{ get?: Readonly<{ security?: readonly object[] }> }>
    const { paths = {} } = host.swagger() as { paths?: Record<string, Described> }
    const charting = '/last-traded-tradingview'
    const ours = ['/time', '/version', '/health', '/ready', '/relay', '/relay/ledger']
    const others = [...ours, '/abi/{file}', '/errors', `${charting}/config`, `${charting}/time`]
    for (const [path, { get: described }] of Object.entries(paths)) {
      // Endpoints that need a key, or a database, have tests of their own.
      if (described === undefined || (described.security ?? []).length > 0) continue
      if (path === '/liquidations') continue
      const url = path
        .replace(/\{instrument_(id|name)\}/, 'ETH-USDC')
        .replace('{file}', 'perps.json')
        .replace('{asset}', 'ETH')
        .replace('{instrument_type}', 'SPOT')
      const query =
        'instrument_name=ETH-USDC&symbol=ETH-USDC&resolution=1&symbols=ETH-USDC&asset=ETH'
      const { headers, status } = await get(`${url}?${query}`)
      assert.equal(status, 200, url)
      const isChainData = !others.includes(path)
      assert.equal(headers['x-block-number'], isChainData ? '1' : undefined, url)
      assert.equal(headers['x-block-hash'] !== undefined, isChainData, url)
    }
    for (const url of ['/markets/x/trades', '/funding/x', '/funding-history/x', '/index/x'])
      assert.equal((await get(url)).headers['x-block-number'], '1', url)
    await close()
  })

  test('every answer to a HEAD request has no body', async () => {
    const { host, close } = await open()
    const got = await host.inject('/orderbook/ETH-USDC')
    const head = await host.inject({ url: '/orderbook/ETH-USDC', method: 'HEAD' })
    await close()
    assert.equal(head.statusCode, 200)
    assert.equal(head.body, '')
    assert.equal(head.headers['content-length'], got.headers['content-length'])
  })
})

describe('other origins', () => {
  const asked = async (corsOrigins: readonly string[], origin: string) => {
    const { host, close } = await open({ corsOrigins })
    const headers = { origin, 'access-control-request-method': 'GET' }
    const answer = await host.inject({ url: '/time', headers })
    const preflight = await host.inject({ url: '/time', method: 'OPTIONS', headers })
    const options = await host.inject({ url: '/time', method: 'OPTIONS' })
    await close()
    return { answer, preflight, options }
  }

  test('other origins may read public answers and their headers by default', async () => {
    const { answer, preflight, options } = await asked(['*'], 'https://a.example')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.match(String(answer.headers['access-control-expose-headers']), /X-Block-Number/)
    assert.equal(preflight.statusCode, 204)
    assert.match(String(preflight.headers['access-control-allow-methods']), /GET/)
    assert.equal(options.statusCode, 204)
  })

  test('other origins are those of CORS_ORIGINS, where it is set', async () => {
    const { answer } = await asked(['https://a.example'], 'https://a.example')
    assert.equal(answer.headers['access-control-allow-origin'], 'https://a.example')
    const other = await asked(['https://a.example'], 'https://b.example')
    assert.notEqual(other.answer.headers['access-control-allow-origin'], 'https://b.example')
    assert.notEqual(other.answer.headers['access-control-allow-origin'], '*')
  })
})
