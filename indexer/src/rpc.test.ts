import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, test } from 'node:test'
import { RESPONSE_BYTES_MAX, RpcError } from '@openvenue/runtime/json-rpc'
import { connectRpc, type Rpc } from './rpc.ts'

type RpcRequest = { id: number; method: string }

describe('the JSON-RPC client', () => {
  const servers: Server[] = []
  const closes: (() => void)[] = []

  afterEach(async () => {
    for (const close of closes.splice(0)) close()
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  })

  const serveClient = async (answer: RequestListener, timeoutMs = 2000): Promise<Rpc> => {
    const server = createServer(answer)
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { rpc, close } = connectRpc({
      url: `http://127.0.0.1:${port}/secret`,
      timeoutMs,
      attempts: 3,
    })
    closes.push(close)
    return rpc
  }

  /** Answers each call with the result of `makeResult`, in reverse order. */
  const answering =
    (makeResult: (request: RpcRequest) => object): RequestListener =>
    async (request, response) => {
      const body = JSON.parse(String((await request.toArray()).join(''))) as
        | RpcRequest
        | RpcRequest[]
      const answers = [body].flat().map((call) => ({ id: call.id, ...makeResult(call) }))
      response.end(JSON.stringify(Array.isArray(body) ? answers.reverse() : answers[0]))
    }

  const call = { method: 'eth_chainId', params: [] }
  const isKind = (kind: string) => (error: unknown) => {
    assert.ok(error instanceof RpcError)
    assert.equal(error.kind, kind)
    assert.ok(!String(error).includes('secret'), 'the URL stays out of messages')
    return true
  }

  test('the JSON-RPC client returns results in the order of the calls, not of the answers', async () => {
    const rpc = await serveClient(answering(({ method }) => ({ result: method })))
    const calls = ['a', 'b', 'c'].map((method) => ({ method, params: [] }))
    assert.deepEqual(await rpc(calls), ['a', 'b', 'c'])
    assert.deepEqual(await rpc([call]), ['eth_chainId'])
    assert.deepEqual(await rpc([]), [])
  })

  test('the JSON-RPC client retries when the node fails for a moment', async () => {
    let requests = 0
    const rpc = await serveClient((request, response) => {
      requests++
      if (requests === 1) response.writeHead(503).end()
      else if (requests === 2) response.end('not json')
      else answering(() => ({ result: '0x1' }))(request, response)
    })
    assert.deepEqual(await rpc([call]), ['0x1'])
  })

  test('the JSON-RPC client gives up after its attempts with the last error', async () => {
    let requests = 0
    const rpc = await serveClient((_request, response) => {
      requests++
      response.writeHead(502).end()
    })
    await assert.rejects(rpc([call]), isKind('http'))
    assert.equal(requests, 3)
  })

  test('the JSON-RPC client does not repeat a refused request', async () => {
    let requests = 0
    const rpc = await serveClient(
      answering(() => {
        requests++
        return { error: { code: -32000, message: 'unknown block' } }
      }),
    )
    await assert.rejects(rpc([call]), isKind('refused'))
    assert.equal(requests, 1)
  })

  test('the JSON-RPC client refuses an oversized answer without storing it', async () => {
    const rpc = await serveClient((_request, response) => {
      response.end(Buffer.alloc(RESPONSE_BYTES_MAX + 1, ' '))
    })
    await assert.rejects(rpc([call]), isKind('tooLarge'))
  })

  test('the JSON-RPC client treats an answer that omits a call of the batch as malformed', async () => {
    const rpc = await serveClient((_request, response) => {
      response.end(JSON.stringify([{ id: 0, result: '0x1' }]))
    })
    await assert.rejects(rpc([call, call]), isKind('malformed'))
  })

  test('the JSON-RPC client treats a node that accepts and stays silent as a timeout', async () => {
    const rpc = await serveClient(() => {}, 30)
    await assert.rejects(rpc([call]), isKind('timeout'))
  })

  test('the JSON-RPC client treats a node without a listener as unreachable', async () => {
    const { rpc, close } = connectRpc({ url: 'http://127.0.0.1:9', attempts: 1 })
    closes.push(close)
    await assert.rejects(rpc([call]), isKind('unreachable'))
  })
})
