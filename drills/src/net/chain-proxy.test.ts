import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { ChainProxy } from './chain-proxy.ts'

const HEAD = 100
const hex = (value: number) => `0x${value.toString(16)}`
const blockHash = (number: number) => `0x${String(number).padStart(64, '0')}`
type Call = { id: number; method: string; params: unknown[] }

/** A chain of 100 blocks with one log in each. */
function answerTo({ method, params }: Call): unknown {
  const [first] = params
  if (method === 'eth_blockNumber') return hex(HEAD)
  const block = (number: number) => ({
    number: hex(number),
    hash: blockHash(number),
    parentHash: blockHash(number - 1),
  })
  const log = (number: number) => ({ blockNumber: hex(number), blockHash: blockHash(number) })
  if (method === 'eth_getBlockByNumber') {
    const number = first === 'latest' ? HEAD : Number(first)
    return number > HEAD ? null : block(number)
  }
  if (method === 'eth_getBlockByHash') return block(Number(String(first).slice(2)))
  const filter = first as { blockHash?: string; fromBlock: string; toBlock: string }
  if (filter.blockHash !== undefined) return [log(Number(filter.blockHash.slice(2)))]
  const [from, to] = [Number(filter.fromBlock), Math.min(HEAD, Number(filter.toBlock))]
  return Array.from({ length: to - from + 1 }, (_, step) => log(from + step))
}

describe('ChainProxy', () => {
  let server: Server
  let proxy: ChainProxy
  before(async () => {
    server = createServer(async (request, response) => {
      let text = ''
      for await (const piece of request) text += piece
      const calls = JSON.parse(text) as Call[]
      const replies = calls.map((call) => ({ jsonrpc: '2.0', id: call.id, result: answerTo(call) }))
      response.end(JSON.stringify(replies))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    proxy = await ChainProxy.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterEach(() => {
    proxy.fault = { kind: 'honest' }
  })
  after(async () => {
    await proxy.close()
    server.closeAllConnections()
    server.close()
  })

  const post = (body: unknown) =>
    fetch(`http://127.0.0.1:${proxy.port}`, { method: 'POST', body: JSON.stringify(body) })
  const ask = async (method: string, ...params: unknown[]) => {
    const answer = (await (await post({ jsonrpc: '2.0', id: 7, method, params })).json()) as {
      id: number
      // biome-ignore lint/suspicious/noExplicitAny: the result of any method
      result?: any
      error?: { message: string }
    }
    assert.equal(answer.id, 7)
    return answer
  }
  const range = (from: number, to: number) => ({ fromBlock: hex(from), toBlock: hex(to) })

  test('an honest proxy returns the answers of the node, for one call or many', async () => {
    assert.equal((await ask('eth_blockNumber')).result, hex(HEAD))
    const calls = [1, 2].map((id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_blockNumber',
      params: [],
    }))
    const replies = (await (await post(calls)).json()) as unknown[]
    assert.equal(replies.length, 2)
  })

  test('a lagging proxy hides newer blocks, their logs and their hashes', async () => {
    proxy.fault = { kind: 'lag', blocks: 5 }
    assert.equal((await ask('eth_blockNumber')).result, hex(95))
    assert.equal((await ask('eth_getBlockByNumber', 'latest', false)).result.number, hex(95))
    assert.equal((await ask('eth_getBlockByNumber', hex(96), false)).result, null)
    assert.equal((await ask('eth_getBlockByHash', blockHash(96), false)).result, null)
    assert.equal((await ask('eth_getLogs', range(90, 100))).result.length, 6)
    assert.match(
      (await ask('eth_getLogs', { blockHash: blockHash(96) })).error?.message ?? '',
      /unknown block/,
    )
    assert.equal((await ask('eth_getLogs', { blockHash: blockHash(95) })).result.length, 1)
  })

  test('a stuck proxy stays at one block', async () => {
    proxy.fault = { kind: 'stuck', block: 40 }
    assert.equal((await ask('eth_getBlockByNumber', 'latest', false)).result.number, hex(40))
    assert.equal((await ask('eth_getLogs', range(39, 50))).result.length, 2)
  })

  test('a proxy with short logs has every block, but not the logs of the newest', async () => {
    proxy.fault = { kind: 'shortLogs', blocks: 2 }
    assert.equal((await ask('eth_getBlockByNumber', 'latest', false)).result.number, hex(HEAD))
    assert.equal((await ask('eth_getLogs', range(97, 100))).result.length, 2)
    assert.ok((await ask('eth_getLogs', { blockHash: blockHash(100) })).error !== undefined)
  })

  test('a proxy without logs returns an empty list also by hash', async () => {
    proxy.fault = { kind: 'noLogs', blocks: 2 }
    assert.deepEqual((await ask('eth_getLogs', { blockHash: blockHash(100) })).result, [])
  })

  test("a proxy with wrong hashes changes each third block's hash, and accepts it in requests", async () => {
    proxy.fault = { kind: 'wrongHash' }
    const { hash } = (await ask('eth_getBlockByNumber', hex(99), false)).result
    assert.notEqual(hash, blockHash(99))
    assert.equal((await ask('eth_getLogs', { blockHash: hash })).result.length, 1)
    assert.equal((await ask('eth_getBlockByNumber', hex(98), false)).result.hash, blockHash(98))
  })

  test('a refusing proxy responds with 503', async () => {
    proxy.fault = { kind: 'refuse' }
    assert.equal((await post({ id: 1, method: 'eth_blockNumber', params: [] })).status, 503)
  })
})
