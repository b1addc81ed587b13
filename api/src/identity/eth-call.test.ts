// eth_call: the answers of a node, and the difference between its refusals and silence.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { CallReverted, createEthCall } from './eth-call.ts'

describe('eth_call', () => {
  let server: Server
  let answer = ''
  let asked: unknown
  before(async () => {
    server = createServer(async (request, response) => {
      asked = JSON.parse((await request.toArray()).join(''))
      response.end(answer)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => server.close())
  const call = (text: string, blockHash?: string) => {
    answer = text
    const { port } = server.address() as AddressInfo
    return createEthCall([`http://127.0.0.1:${port}`])({ to: '0x1', data: '0x2' }, blockHash)
  }

  test('eth_call asks the next node when one is unavailable or does not know the block', async () => {
    const away = 'http://127.0.0.1:1'
    const asked: string[] = []
    const behind = createServer((_request, response) => {
      asked.push('behind')
      response.end('{"error":{"code":-32000,"message":"header not found"}}')
    })
    const up = createServer((_request, response) => {
      asked.push('up')
      response.end('{"result":"0x07"}')
    })
    const urls = [away]
    try {
      for (const server of [behind, up]) {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      }
      const call = createEthCall(urls)
      assert.equal(await call({ data: '0x' }), '0x07')
      assert.equal(await call({ data: '0x' }), '0x07')
      assert.deepEqual(asked, ['behind', 'up', 'up'])
    } finally {
      for (const server of [behind, up]) {
        server.closeAllConnections()
        server.close()
      }
    }
  })

  test('eth_call reads at the newest block, or at the block with a hash, and returns the bytes', async () => {
    assert.equal(await call('{"result":"0x05"}'), '0x05')
    const request = { jsonrpc: '2.0', id: 0, method: 'eth_call' }
    assert.deepEqual(asked, { ...request, params: [{ to: '0x1', data: '0x2' }, 'latest'] })
    await call('{"result":"0x"}', '0xff')
    assert.deepEqual(asked, {
      ...request,
      params: [{ to: '0x1', data: '0x2' }, { blockHash: '0xff' }],
    })
  })

  for (const error of [
    { code: 3, message: 'execution reverted', data: '0x08c379a0' },
    { code: 3, message: 'what a node may call it' },
    { code: -32000, message: 'execution reverted' },
    { code: -32000, message: 'VM execution error: Reverted 0x' },
    { code: -32000, message: 'out of gas' },
    { code: -32000, message: 'invalid opcode: INVALID' },
    { code: -32000, message: 'invalid jump destination' },
    { code: -32000, message: 'stack underflow (0 <=> 1)' },
  ])
    test(`eth_call takes ${JSON.stringify(error)} as the end of the call by the contract`, async () => {
      await assert.rejects(call(JSON.stringify({ error })), CallReverted)
    })

  test('eth_call keeps the revert data of the contract, where the node returns it', async () => {
    for (const [data, kept] of [
      ['0x08c379a0', '0x08c379a0'],
      [{ data: '0x' }, undefined],
      [undefined, undefined],
    ])
      await assert.rejects(call(JSON.stringify({ error: { code: 3, data } })), { data: kept })
  })

  test('eth_call reads no more than a megabyte of an answer', async () => {
    const result = `0x${'00'.repeat(500_000)}`
    assert.equal(await call(JSON.stringify({ result })), result)
    for (const error of [undefined, { code: 3, message: 'execution reverted' }]) {
      const text = JSON.stringify({ result: `${result}${result}`, error })
      await assert.rejects(call(text), { kind: 'tooLarge', message: /at most 1048576 bytes/ })
    }
  })

  test('eth_call fails when the node does not answer, or stops in the middle', async () => {
    for (const begin of ['', '{"result":']) {
      const silent = createServer((_request, response) => {
        if (begin !== '') response.write(begin)
      }).listen(0, '127.0.0.1')
      await once(silent, 'listening')
      const { port } = silent.address() as AddressInfo
      const asked = createEthCall([`http://127.0.0.1:${port}`], 50)({ data: '0x' })
      await assert.rejects(asked, { name: 'RpcError', kind: 'timeout' })
      silent.closeAllConnections()
      silent.close()
    }
  })

  for (const text of [
    '{"error":{"code":-32005,"message":"limit exceeded"}}',
    '{"error":{"code":-32603,"message":"internal error"}}',
    '{"error":{"code":-32000,"message":"header not found"}}',
    '{"result":null}',
    '{}',
    'bad gateway',
  ])
    test(`eth_call takes ${text} as no answer`, async () => {
      const isOther = (error: unknown) => !(error instanceof CallReverted)
      await assert.rejects(call(text), isOther)
    })
})
