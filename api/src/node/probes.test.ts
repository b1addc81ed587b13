import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { createProbes } from './probes.ts'

const pingCache = async () => {}

/** Serves `listener` on a free port while `work` runs. */
async function serving<T>(
  listener: RequestListener,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const answering =
  (status: number, body: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body)
  }
const silent: RequestListener = () => {}

const probesAt = (url: string) =>
  createProbes({ pingCache, rpcUrls: [url], indexerUrls: [url], timeoutMs: 700 })

/** A port without a listener. */
const closedUrl = () => serving(silent, async (url) => url)

describe('the RPC probe', () => {
  for (const [listener, check, says] of [
    [answering(200, '{"jsonrpc":"2.0","id":1,"result":"0x2a"}'), { ok: true, head: 42 }, 'a head'],
    [answering(200, '{"jsonrpc":"2.0","id":1,"result":null}'), 'no_head', 'null'],
    [answering(200, '{"jsonrpc":"2.0","error":{}}'), 'no_head', 'an error'],
    [answering(200, 'hello'), 'no_head', 'no JSON'],
    [answering(503, '{}'), 'http_503', '503'],
    [answering(401, 'no'), 'http_401', '401'],
    [silent, 'timeout', 'nothing'],
  ] as const)
    test(`the RPC probe turns ${says} into ${JSON.stringify(check)}`, async () => {
      const result = await serving(listener, (url) => probesAt(url).rpc())
      assert.deepEqual(result, typeof check === 'string' ? { ok: false, error: check } : check)
    })

  test('the RPC probe turns a closed port into "unreachable"', async () => {
    const result = await probesAt(await closedUrl()).rpc()
    assert.deepEqual(result, { ok: false, error: 'unreachable' })
  })
})

describe('the RPC probe of several nodes', () => {
  const head = (number: string) => answering(200, `{"jsonrpc":"2.0","id":1,"result":"${number}"}`)
  const of = (urls: readonly string[]) =>
    createProbes({ pingCache, rpcUrls: urls, indexerUrls: [], timeoutMs: 600 }).rpc()

  test('the RPC probe of several nodes reports the highest head of those that answer in time', async () => {
    const check = await serving(head('0x2a'), (behind) =>
      serving(head('0x2c'), (up) =>
        serving(silent, async (frozen) => of([frozen, behind, await closedUrl(), up])),
      ),
    )
    assert.deepEqual(check, { ok: true, head: 44 })
  })

  test('the RPC probe of several nodes reports the first when none answers', async () => {
    const check = await serving(answering(503, '{}'), async (url) => of([url, await closedUrl()]))
    assert.deepEqual(check, { ok: false, error: 'http_503' })
  })
})

describe('the indexer probe', () => {
  for (const [listener, check, says] of [
    [answering(200, '{"status":"ready","lag":3}'), { ok: true, lag: 3 }, 'its own readiness'],
    [answering(503, '{"lag":99}'), { ok: false, lag: 99, error: 'http_503' }, 'not ready'],
    [answering(503, '{"lag":null}'), { ok: false, error: 'http_503' }, 'not ready, lag unknown'],
    [answering(404, '{}'), { ok: true, lag: 'unknown' }, 'no readiness endpoint'],
    [answering(200, 'fine'), { ok: true, lag: 'unknown' }, 'something else'],
    [silent, { ok: false, error: 'timeout' }, 'nothing'],
  ] as const)
    test(`the indexer probe turns ${says} into ${JSON.stringify(check)}`, async () => {
      assert.deepEqual(await serving(listener, (url) => probesAt(url).indexer()), check)
    })

  test('the indexer probe asks all of several indexers: the one that is ready counts, else the nearest', async () => {
    const [ready, far, near] = [
      answering(200, '{"lag":1,"head":9}'),
      answering(503, '{"lag":90,"head":99}'),
      answering(503, '{"lag":30,"head":39}'),
    ]
    const ask = async (...listeners: RequestListener[]) => {
      const closed = await closedUrl()
      const urls = [closed]
      const next = async ([listener, ...others]: RequestListener[]): Promise<unknown> => {
        if (listener === undefined)
          return createProbes({ pingCache, rpcUrls: [closed], indexerUrls: urls }).indexer()
        return serving(listener, (url) => {
          urls.push(url)
          return next(others)
        })
      }
      return next(listeners)
    }
    assert.deepEqual(await ask(far, ready), { ok: true, lag: 1, head: 9 })
    assert.deepEqual(await ask(far, near), { ok: false, lag: 30, head: 39, error: 'http_503' })
    assert.deepEqual(await ask(), { ok: false, error: 'unreachable' })
  })

  test('the indexer probe turns a closed port into "unreachable"', async () => {
    const result = await probesAt(await closedUrl()).indexer()
    assert.deepEqual(result, { ok: false, error: 'unreachable' })
  })
})

describe('the Redis probe', () => {
  for (const [pingCache, check] of [
    [async () => {}, { ok: true }],
    [() => Promise.reject(new Error('redis://:secret@host')), { ok: false, error: 'unreachable' }],
    [() => new Promise<void>(() => {}), { ok: false, error: 'timeout' }],
  ] as const)
    test(`the Redis probe answers ${JSON.stringify(check)} and no other word`, async () => {
      const url = 'http://127.0.0.1:1'
      const probes = createProbes({ pingCache, rpcUrls: [url], indexerUrls: [url], timeoutMs: 50 })
      assert.deepEqual(await probes.redis(), check)
    })
})
