// Requests of careless or hostile clients get an answer of the table, never a 5xx.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import type { RefusalCode } from '../src/http/refusals.ts'
import { funded } from './funded.ts'
import { type ScenarioNode, scenarioNode } from './scenario-node.ts'

const REQUEST_TIMEOUT_MS = 300
let node: ScenarioNode
let port = 0
before(async () => {
  const scenario = funded('ETH-USDC', 'ETH-PERP').on('ETH-USDC')
  for (let lots = 1n; lots <= 3n; lots++)
    scenario.place('alice', 'buy', 300_000, lots).place('bob', 'sell', 300_000, lots)
  const overrides = { requestTimeoutMs: REQUEST_TIMEOUT_MS }
  node = await scenarioNode(scenario.blocks(), undefined, overrides)
  await node.host.listen({ port: 0, host: '127.0.0.1' })
  const [address] = node.host.addresses() as { port: number }[]
  port = address?.port ?? 0
})
after(() => node.close())

const RULE = 'expected an integer from 1 to 1000'
type Problem = { error: string; message: string; details?: Record<string, unknown>[] }

describe('a parameter', () => {
  const trades = '/markets/ETH-USDC/trades'
  for (const [url, message, nearest] of [
    [
      `${trades}?limit=1&limit=2`,
      'limit is repeated: got a list of 2, expected one value',
      undefined,
    ],
    [`${trades}?limit=`, `limit is invalid: got "", ${RULE}`, undefined],
    [`${trades}?limit=0`, `limit is out of range: got "0", ${RULE}; the nearest is 1`, 1],
    [`${trades}?limit=-5`, `limit is out of range: got "-5", ${RULE}; the nearest is 1`, 1],
    [`${trades}?limit=2.4`, `limit is invalid: got "2.4", ${RULE}; the nearest is 2`, 2],
    [`${trades}?limit=1e9`, `limit is invalid: got "1e9", ${RULE}; the nearest is 1000`, 1000],
    [`${trades}?limit=0x10`, `limit is invalid: got "0x10", ${RULE}; the nearest is 16`, 16],
    [`${trades}?limit=NaN`, `limit is invalid: got "NaN", ${RULE}`, undefined],
    [`${trades}?limit=%00`, `limit is invalid: got "\\u0000", ${RULE}`, undefined],
    [`${trades}?limit=%EF%BC%91`, `limit is invalid: got "１", ${RULE}`, undefined],
    [`${trades}?limit=1;offset=2`, `limit is invalid: got "1;offset=2", ${RULE}`, undefined],
    [`${trades}?limit=%zz`, `limit is invalid: got "%zz", ${RULE}`, undefined],
    [
      `${trades}?limit=${'9'.repeat(300)}`,
      `limit is too long: got "${'9'.repeat(40)}…" (300 characters), expected at most 256 characters`,
      undefined,
    ],
    [
      '/orderbook/ETH-USDC?group=99999999',
      'group is out of range: got "99999999", expected an integer from 1 to 16777215; the nearest is 16777215',
      16_777_215,
    ],
    ['/orderbook', 'query parameter instrument_name is required', undefined],
    ['/funding?instrument_name=', 'query parameter instrument_name is required', undefined],
    ['/funding-history', 'query parameter instrument_name is required', undefined],
    [
      `/index?asset=${'a'.repeat(257)}`,
      `asset is too long: got "${'a'.repeat(40)}…" (257 characters), expected at most 256 characters`,
      undefined,
    ],
    [
      '/funding-history/ETH-PERP?start_time=-1',
      'start_time is invalid: got "-1", expected Unix seconds, milliseconds or nanoseconds of 1 to 20 digits',
      undefined,
    ],
    [
      '/candles?symbol=ETH&resolution=1&fill=x',
      'fill is invalid: got "x", expected one of none, previous',
      undefined,
    ],
    [
      '/candles?symbol=ETH&resolution=1&from=9&to=5',
      'from is after to: got 9, expected at most 5',
      5,
    ],
  ] as const)
    test(`a parameter as in ${url.slice(0, 60)} is refused: ${message}`, async () => {
      const { status, body } = await node.get(url)
      const { message: said, details = [] } = body as Problem
      assert.deepEqual([status, said], [400, message])
      assert.equal(details[0]?.nearest, nearest)
      assert.equal(typeof details[0]?.field, 'string')
    })

  test('a parameter is refused with all the others that are wrong', async () => {
    const { body } = await node.get('/orderbook?depth=0&group=x')
    assert.deepEqual(
      (body as Problem).details?.map(({ field, code }) => [field, code]),
      [
        ['instrument_name', 'MISSING_PARAMETER'],
        ['depth', 'INVALID_PARAMETER'],
        ['group', 'INVALID_PARAMETER'],
      ],
    )
  })

  test('a parameter of few legal values is refused with all of them', async () => {
    const url = '/candles?symbol=ETH&resolution='
    const listed = async (resolution: string) =>
      ((await node.get(url + resolution)).body as Problem).details?.[0]?.allowed
    const all = '1 3 5 15 30 60 120 240 360 480 720 1D 3D 1W 1M'.split(' ')
    assert.deepEqual(await listed('1h'), all)
    assert.deepEqual(await listed(''), all)
  })

  for (const [query, count] of [
    ['limit[]=1', 3],
    ['limit%5B%5D=1', 3],
    ['Limit=1', 3],
    ['__proto__=1&constructor=2', 3],
    ['limit=%31', 1],
    ['limit=%2B1', 1],
    ['limit=0002', 2],
    [`limit=${'9'.repeat(40)}`, 3],
    ['=&&=x&limit=2&', 2],
    ['?limit=1', 3],
  ] as const)
    test(`a parameter as in ${query.slice(0, 30)} has its plain meaning, or none`, async () => {
      const { status, body } = await node.get(`/markets/ETH-USDC/trades?${query}`)
      assert.deepEqual([status, (body as unknown[]).length], [200, count])
    })

  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '\u{1f600}', '%00'])
    test(`a parameter named ${name} is unknown everywhere`, async () => {
      const text = name === '%00' ? name : encodeURIComponent(name)
      for (const [url, status] of [
        [`/markets/${text}`, 404],
        [`/instrument/${text}`, 404],
        [`/orderbook/${text}`, 404],
        [`/markets/${text}/orderbook`, 404],
        [`/orderbook?instrument_name=${text}`, 404],
        [`/candles?instrument_name=${text}&resolution=1`, 404],
        [`/candles?instrument_name=ETH&resolution=${text}`, 400],
        [`/last-traded-tradingview/history?symbol=ETH&resolution=${text}`, 400],
        [`/markets/${text}/trades`, 200, []],
        [`/instrument/${text}/trade-history`, 200, { count: '0', trade_history: [] }],
        [`/markets?asset=${text}`, 200, []],
        [`/markets?instrument_type=${text}`, 200, []],
        [`/funding-history/${text}`, 200, { funding_history: [] }],
        [`/last-traded-tradingview/history?symbol=${text}&resolution=1`, 200, { s: 'no_data' }],
      ] as const) {
        const answer = await node.get(url)
        assert.equal(answer.status, status, url)
      }
      const [index] = (await node.get(`/index/${text}`)).body as { price: string }[]
      const { funding_rate } = (await node.get(`/funding/${text}`)).body as Record<string, unknown>
      const { mark_price } = (await node.get(`/statistics/${text}/SPOT`)).body as Record<
        string,
        unknown
      >
      assert.deepEqual([index?.price, funding_rate, mark_price], ['0', '0', null])
    })
})

describe('a path', () => {
  for (const [url, same] of [
    ['/markets/', '/markets'],
    ['/markets/ETH-USDC/', '/markets/ETH-USDC'],
    ['/orderbook/ETH-USDC/', '/orderbook/ETH-USDC'],
    ['/orderbook/?instrument_name=ETH-USDC', '/orderbook/ETH-USDC'],
    ['/index/', '/index'],
    ['/statistics/ETH/SPOT/', '/statistics/ETH/SPOT'],
    ['/last-traded-tradingview/config/', '/last-traded-tradingview/config'],
    ['/markets/ETH%2DUSDC', '/markets/ETH-USDC'],
    ['/markets/%2e%2e/time', '/time'],
    ['/time?', '/time'],
    ['/time#there', '/time'],
  ] as const)
    test(`${url} gives the same answer as ${same}`, async () => {
      const [one, other] = [await node.get(url), await node.get(same)]
      assert.deepEqual([one.status, one.text], [200, other.text])
    })

  for (const [url, code] of [
    ['//markets', 'ROUTE_NOT_FOUND'],
    ['/MARKETS', 'ROUTE_NOT_FOUND'],
    ['/statistics/ETH', 'ROUTE_NOT_FOUND'],
    ['/markets/ETH-USDC/trades/1', 'ROUTE_NOT_FOUND'],
    ['/markets//', 'MISSING_PARAMETER'],
    ['/markets/..%2Fetc', 'INSTRUMENT_NOT_FOUND'],
    ['/markets/%E2%82', 'MALFORMED_URL'],
    ['/%', 'MALFORMED_URL'],
    [`/markets/${'a'.repeat(257)}`, 'URL_TOO_LONG'],
    [`/${'a'.repeat(5000)}`, 'ROUTE_NOT_FOUND'],
  ] as const)
    test(`${url.slice(0, 40)} is refused as ${code}`, async () => {
      assert.equal(((await node.get(url)).body as Problem).error, code)
    })

  test('a path in another case is refused with the name that it nearly is', async () => {
    const nearest = async (url: string) =>
      ((await node.get(url)).body as Problem).details?.[0]?.nearest
    assert.equal(await nearest('/markets/eth-usdc'), 'ETH-USDC')
    assert.equal(await nearest('/orderbook?instrument_name=Eth-Perp'), 'ETH-PERP')
    assert.equal(await nearest('/markets/DOGE-USDC'), undefined)
  })
})

describe('a method', () => {
  const asked = async (options: InjectOptions) => {
    const { statusCode, headers, body } = await node.host.inject(options)
    return { statusCode, allow: headers.allow, error: body === '' ? undefined : JSON.parse(body) }
  }
  const endpoints = ['/markets', '/orderbook/ETH-USDC', '/ready', '/docs', '/metrics', '/']
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'] as const)
    test(`${method} is refused with those that the endpoint has`, async () => {
      for (const url of endpoints) {
        const { statusCode, allow, error } = await asked({ method: method as 'POST', url })
        assert.deepEqual([statusCode, allow], [405, 'GET, HEAD, OPTIONS'], url)
        assert.equal(error.error, 'METHOD_NOT_ALLOWED')
        assert.deepEqual(error.details[0].allowed, ['GET', 'HEAD', 'OPTIONS'], url)
      }
      assert.equal((await asked({ method: method as 'POST', url: '/nowhere' })).statusCode, 404)
    })

  for (const [type, payload] of [
    ['application/json', '{"a":'],
    ['application/json', ''],
    ['application/json', '['.repeat(100_000)],
    ['text/xml', '<a/>'],
    ['application/x-www-form-urlencoded', 'a=b'],
  ] as const)
    test(`a method is refused before its body is read: ${type} ${payload.slice(0, 8)}`, async () => {
      const headers = { 'content-type': type }
      const post = (url: string) => asked({ method: 'POST', url, headers, payload })
      assert.equal((await post('/markets')).statusCode, 405)
      assert.equal((await post('/nowhere')).statusCode, 404)
    })

  test('HEAD is GET without the body; OPTIONS is 204', async () => {
    for (const url of endpoints) {
      const head = await node.host.inject({ method: 'HEAD', url })
      assert.deepEqual([head.statusCode, head.body], [200, ''], url)
      const options = await node.host.inject({ method: 'OPTIONS', url })
      assert.deepEqual(
        [options.statusCode, options.headers.allow],
        [204, 'GET, HEAD, OPTIONS'],
        url,
      )
    }
    const nowhere = await node.host.inject({ method: 'OPTIONS', url: '/nowhere' })
    assert.deepEqual([nowhere.statusCode, nowhere.headers.allow], [204, undefined])
    assert.equal((await node.host.inject({ method: 'HEAD', url: '/markets/x' })).statusCode, 404)
  })
})

describe('a connection', () => {
  /** Sends `texts` one after another and returns all that comes back until the server closes. */
  const raw = (...texts: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      let answer = ''
      const socket = connect(port, '127.0.0.1', () => {
        for (const text of texts) socket.write(text)
      })
      socket.on('data', (bytes) => {
        answer += bytes
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', reject)
    })
  const get = (url: string, ...headers: readonly string[]) =>
    [`GET ${url} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')
  const parseStatuses = (answer: string) =>
    [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

  test('a connection with pipelined requests gets its answers in their order', async () => {
    const urls = ['/time', '/markets/x', '/time', '/orderbook', '/markets', '/time', '/nowhere']
    await node.get('/time')
    const answer = await raw(
      [...urls.map((url) => get(url)), get('/time', 'Connection: close')].join(''),
    )
    assert.deepEqual(parseStatuses(answer), [200, 404, 200, 400, 200, 200, 404, 200])
  })

  test('a connection with a body on GET gets the answer to the GET, and to the request after it', async () => {
    const body = get('/version', 'Content-Type: application/json', 'Content-Length: 3')
    const answer = await raw(`${body}{"a${get('/time', 'Connection: close')}`)
    assert.deepEqual(parseStatuses(answer), [200, 200])
  })

  test('a connection without a Host header is served', async () => {
    const answer = await raw('GET /time HTTP/1.1\r\nConnection: close\r\n\r\n')
    assert.deepEqual(parseStatuses(answer), [200])
  })

  for (const [says, text, status, code] of [
    ['that is no HTTP', 'HELLO\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['of TLS', '\u0016\u0003\u0001\u0002\u0000', 400, 'MALFORMED_REQUEST'],
    ['with a header that is none', 'GET / HTTP/1.1\r\nHost x\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'with two lengths',
      'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'MALFORMED_REQUEST',
    ],
    ['with a URL without end', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n`, 431, 'HEADERS_TOO_LARGE'],
    [
      'with headers without end',
      get('/time', `X: ${'a'.repeat(20_000)}`),
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['whose headers do not end', 'GET /time HTTP/1.1\r\nHost: x\r\n', 408, 'REQUEST_TIMEOUT'],
  ] as const satisfies readonly (readonly [string, string, number, RefusalCode])[])
    test(`a connection with ${says} is refused with ${status} and closed`, async () => {
      const startMs = performance.now()
      const answer = await raw(text)
      assert.ok(performance.now() - startMs < 5000, 'slow requests are looked for often')
      assert.deepEqual(parseStatuses(answer), [status])
      assert.match(answer, /Connection: close/)
      assert.equal(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').error, code)
    })
})

describe('a path with a word in place of an address', () => {
  type Answer = Readonly<{ status: number; allow: unknown; error: Problem }>
  const asked = async (host: ScenarioNode['host'], method: 'POST' | 'GET', url: string) => {
    const { statusCode: status, headers, body } = await host.inject({ method, url })
    return { status, allow: headers.allow, error: JSON.parse(body) } satisfies Answer
  }

  test('a path with a word in place of an address is unknown to another method, and the answer names the address', async () => {
    for (const url of ['/account/withdraw', '/account/0x12', '/account/me/orders']) {
      const { status, allow, error } = await asked(node.host, 'POST', url)
      assert.deepEqual([status, allow, error.error], [404, undefined, 'ROUTE_NOT_FOUND'], url)
      assert.equal(error.details?.[0]?.field, 'address', url)
    }
    const nowhere = await asked(node.host, 'POST', '/nowhere')
    assert.deepEqual([nowhere.status, nowhere.error.details], [404, undefined])
  })

  test('a path with a word in place of an address is the endpoint of that word, with its own methods, and never that of an account', async () => {
    const wallet = `/account/0x${'1f'.repeat(20)}`
    for (const url of ['/account/leverages', '/account/collaterals', wallet, `${wallet}/orders`]) {
      const { status, allow } = await asked(node.host, 'POST', url)
      assert.deepEqual([status, allow], [405, 'GET, HEAD, OPTIONS'], url)
    }
    const other = await scenarioNode(funded('ETH-USDC').blocks())
    other.host.post('/account/withdraw', async () => ({ success: true }))
    const set = await asked(other.host, 'POST', '/account/withdraw')
    const read = await asked(other.host, 'GET', '/account/withdraw')
    const collaterals = await asked(other.host, 'GET', '/account/collaterals')
    await other.close()
    assert.deepEqual(set.error, { success: true })
    assert.deepEqual([read.status, read.allow], [405, 'POST, OPTIONS'])
    assert.equal(collaterals.status, 401)
  })
})
