// One line per request, when the operator asks for it, and never a secret.
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { funded } from '../../test/funded.ts'
import { headersOf, keyNode } from '../../test/key-node.ts'
import { scenarioNode } from '../../test/scenario-node.ts'

type RequestLine = Readonly<Record<string, unknown>>

/** Returns a logger and a function that returns the request lines so far. */
function openLog() {
  const texts: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      texts.push(String(chunk))
      done()
    },
  })
  const lines = () =>
    texts
      .map((text) => JSON.parse(text) as RequestLine)
      .filter(({ msg }) => msg === 'request')
      .map(({ level, reqId, method, route, status, bytes, ms }) => {
        assert.equal(level, 30, 'info')
        assert.ok(typeof ms === 'number' && ms >= 0)
        return { reqId, method, route, status, bytes }
      })
  return { logger: pino({ level: 'trace' }, stream), lines, text: () => texts.join('') }
}

test('a request is logged with its id, method, route, status and length if LOG_REQUESTS is on', async () => {
  const { logger, lines } = openLog()
  const node = await scenarioNode(funded('ETH-USDC').blocks(), undefined, {
    logger,
    logsRequests: true,
  })
  const headers = { 'x-request-id': 'mine' }
  const market = await node.host.inject({ url: '/markets/ETH-USDC', headers })
  const head = await node.host.inject({ url: '/time', method: 'HEAD', headers })
  const unknown = await node.host.inject({ url: '/nowhere', method: 'POST', headers })
  const malformed = await node.host.inject({ url: '/markets/%', headers })
  assert.deepEqual([head.statusCode, unknown.statusCode], [200, 404])
  const line = (method: string, route: string, status: number, bytes: number) => ({
    ...{ reqId: 'mine', method, route, status, bytes },
  })
  assert.deepEqual(lines(), [
    line('GET', '/markets/:instrument_id', 200, market.rawPayload.length),
    line('HEAD', '/time', 200, 0),
    line('POST', 'none', 404, unknown.rawPayload.length),
    line('GET', 'none', 400, malformed.rawPayload.length),
  ])
  await node.close()
})

test('a request that is answered from memory is logged like any other', async () => {
  const { logger, lines } = openLog()
  const node = await scenarioNode(funded('ETH-USDC').blocks(), undefined, {
    logger,
    logsRequests: true,
  })
  await node.host.listen({ port: 0, host: '127.0.0.1' })
  const [address] = node.host.addresses() as { port: number }[]
  const ask = (headers: Readonly<Record<string, string>>) =>
    new Promise<string>((resolve, reject) => {
      const at = { port: address?.port, path: '/markets/ETH-USDC?secret=5e', headers }
      get(at, (response) =>
        response.resume().on('end', () => resolve(String(response.headers.etag))),
      ).on('error', reject)
    })
  const etag = await ask({ 'x-request-id': 'a' })
  await ask({ 'x-request-id': 'b' })
  await ask({ 'x-request-id': 'c', 'if-none-match': etag })
  assert.equal(node.host.responseCache.hits, 2)
  const [first, ...others] = lines()
  assert.deepEqual(others, [
    { ...first, reqId: 'b' },
    { ...first, reqId: 'c', status: 304, bytes: 0 },
  ])
  assert.deepEqual(
    [first?.reqId, first?.route, first?.status],
    ['a', '/markets/:instrument_id', 200],
  )
  await node.close()
})

test('no request is logged unless LOG_REQUESTS is on', async () => {
  const { logger, lines } = openLog()
  const node = await scenarioNode(funded('ETH-USDC').blocks(), undefined, { logger })
  await node.get('/markets')
  assert.deepEqual(lines(), [])
  await node.close()
})

test('a logged request has no key, secret, signature or value of a query', async () => {
  const { logger, lines, text } = openLog()
  const node = await keyNode({ logger, logsRequests: true })
  const registered = await node.register()
  const headers = headersOf(registered)
  await node.send({ url: `/api-keys?api_secret=${headers['api-secret']}`, headers })
  await node.send({ url: `/${headers['api-secret']}`, headers })
  await node.send({ method: 'DELETE', url: '/api-key', headers, body: { signature: '0xbeef' } })
  await node.close()
  assert.deepEqual(
    lines().map(({ route }) => route),
    ['/register', '/api-keys', 'none', '/api-key'],
  )
  for (const secret of [...Object.values(headers), '0xbeef'])
    assert.ok(!text().includes(secret), secret)
})
