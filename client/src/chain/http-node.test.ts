// Nodes that are slow, cut off, too verbose or lying are reported as such, and never block the
// page.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { HttpNode } from './http-node.ts'
import { ChainError, NodeRefusal, NodeUnreachable, readHeader, readLogsInHalves } from './rpc.ts'

const ANSWER_MS_MAX = 300
const servers: Server[] = []
after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function nodeThat(answers: RequestListener, answerMsMax = ANSWER_MS_MAX): Promise<HttpNode> {
  const server = createServer(answers)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return new HttpNode(`http://127.0.0.1:${port}`, answerMsMax)
}

const saying = (body: unknown) =>
  nodeThat((_, response) => response.end(typeof body === 'string' ? body : JSON.stringify(body)))

const unreachable = (error: unknown) => error instanceof NodeUnreachable
const refusal = (message: RegExp) => (error: unknown) =>
  error instanceof ChainError && message.test(error.message)

describe('a chain node', () => {
  test('a request to a node that never answers or stops midway times out', async () => {
    const silent = await nodeThat(() => {})
    await assert.rejects(silent.request({ method: 'eth_chainId' }), unreachable)
    const half = await nodeThat((_, response) => response.write('{"result":'))
    await assert.rejects(half.request({ method: 'eth_chainId' }), unreachable)
    const cut = await nodeThat(({ socket }) => socket.destroy())
    await assert.rejects(cut.request({ method: 'eth_chainId' }), unreachable)
  })

  test("the reason of a node's refusal is reported, and answers that are not JSON-RPC rejected", async () => {
    const busy = await saying({ error: { code: -32005, message: 'rate limited' } })
    await assert.rejects(busy.request({ method: 'eth_call' }), (error) => {
      return error instanceof NodeRefusal && /eth_call: rate limited/.test(error.message)
    })
    for (const body of ['<html>', '[]', '{}', 'null', '7']) {
      const node = await saying(body)
      await assert.rejects(node.request({ method: 'eth_call' }), refusal(/not JSON-RPC/), body)
    }
  })

  test('a node gets at most 8 requests at a time', async () => {
    let [open, most] = [0, 0]
    const responses: (() => void)[] = []
    const node = await nodeThat((_, response) => {
      open += 1
      most = Math.max(most, open)
      responses.push(() => {
        open -= 1
        response.end(JSON.stringify({ result: '0x1' }))
      })
    }, 60_000)
    const requests = Array.from({ length: 30 }, () => node.request({ method: 'eth_chainId' }))
    await until('8 requests have arrived', () => responses.length === 8)
    for (let answered = 0; answered < requests.length; answered++) {
      await until('another has arrived', () => responses.length > answered)
      responses[answered]?.()
    }
    await Promise.all(requests)
    assert.equal(most, 8)
  })

  test('at most 10,000 requests wait for a node', async () => {
    const node = await nodeThat(() => {}, 60_000)
    const server = servers.at(-1)
    const requests = Array.from({ length: 10_008 }, () => node.request({ method: 'eth_chainId' }))
    const ended = Promise.allSettled(requests)
    await assert.rejects(node.request({ method: 'eth_chainId' }), refusal(/at most 10000/))
    server?.close()
    server?.closeAllConnections()
    for (const { status } of await ended) assert.equal(status, 'rejected')
  })

  test('a node on another chain than the venue is rejected', async () => {
    const node = await saying({ result: '0x5' })
    await node.expectChain(5)
    await assert.rejects(node.expectChain(1), refusal(/on chain 5, the venue on chain 1/))
  })

  test('a node that answers a malformed block or log is rejected', async () => {
    for (const result of [7, {}, { number: 'x', hash: '0x12', timestamp: '0x1' }])
      await assert.rejects(readHeader(await saying({ result }), 'latest'), ChainError)
    const filter = { address: [], topics: [] }
    for (const result of [null, [7], [{ blockNumber: '0x1', topics: 'x' }]]) {
      const node = await saying({ result })
      await assert.rejects(readLogsInHalves(node, filter, { from: 1, to: 1 }), ChainError)
    }
  })

  test('a node whose answer is too large is cut off', async () => {
    const node = await nodeThat((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(1 << 20)));
      }
      response.on('drain', more)
      more()
    }, 60_000)
    await assert.rejects(node.request({ method: 'eth_getLogs' }), refusal(/node is too large/))
  })

  test('a node that refuses a range of logs is asked for halves, down to a block', async () => {
    const ranges: string[] = []
    const node = await nodeThat(async (request, response) => {
      const { params } = JSON.parse(`${await request.setEncoding('utf8').reduce((a, b) => a + b)}`)
      const [{ fromBlock, toBlock }] = params
      ranges.push(`${Number(fromBlock)}-${Number(toBlock)}`)
      const isTooMuch = Number(toBlock) - Number(fromBlock) > 1
      const answer = isTooMuch ? { error: { message: 'range' } } : { result: [] }
      response.end(JSON.stringify(answer))
    })
    await readLogsInHalves(node, { address: [], topics: [] }, { from: 1, to: 4 })
    assert.deepEqual(ranges, ['1-4', '1-2', '3-4'])
  })
})
