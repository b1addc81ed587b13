import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RpcError } from '@openvenue/runtime/json-rpc'
import type { LogFilter } from './chain.ts'
import { readLogs, readLogsApart } from './logs.ts'
import type { Rpc } from './rpc.ts'

const TOPICS = [['0x01']]
const makeFilter = (...address: string[]): LogFilter => ({ address, topics: TOPICS })
const logAt = (blockNumber: number, logIndex: number) => ({
  address: '0xaa',
  topics: [],
  data: '0x',
  blockHash: '0xbb',
  transactionHash: '0xcc',
  blockNumber: `0x${blockNumber.toString(16)}`,
  logIndex: `0x${logIndex.toString(16)}`,
})

/** A node that only answers with errors of `kind`, and counts the requests. */
const failing = (kind: RpcError['kind']) => {
  const node = { asked: 0 }
  const rpc: Rpc = async () => {
    node.asked++
    throw new RpcError(kind, 'fake')
  }
  return { node, rpc }
}

describe('logs of some blocks', () => {
  test('logs that several filters return are sorted in chain order', async () => {
    const answers = [
      [logAt(1, 0), logAt(2, 10)],
      [logAt(1, 2), logAt(2, 9)],
    ]
    const rpc: Rpc = async (calls) => calls.map((_, index) => answers[index])
    const logs = await readLogs(rpc, { from: 1, to: 2 }, [makeFilter('0x1'), makeFilter('0x2')])
    const places = logs.map(({ blockNumber, logIndex }) => [blockNumber, logIndex])
    assert.deepEqual(places, [
      [1, 0],
      [1, 2],
      [2, 9],
      [2, 10],
    ])
  })

  test('reading logs takes one request for 99 filters and two for more: one call is for the block', async () => {
    for (const [filters, expected] of [
      [99, 1],
      [100, 2],
    ] as const) {
      let requests = 0
      const rpc: Rpc = async (calls) => {
        requests++
        return calls.map(() => [])
      }
      const many = Array.from({ length: filters }, (_, index) => makeFilter(`0x${index}`))
      await readLogs(rpc, { blockHash: '0xbb' }, many)
      assert.equal(requests, expected)
    }
  })

  const two = [makeFilter('0x1', '0x2'), makeFilter('0x3')]
  const tries: [RpcError['kind'], Parameters<typeof readLogs>[1], number][] = [
    // Halves of 4 blocks, 2 and 1; then of 2 filters, and of 2 contracts.
    ['tooLarge', { from: 1, to: 4 }, 5],
    ['refused', { blockHash: '0xbb' }, 3],
    // A node that hangs is not asked for each contract.
    ['timeout', { from: 1, to: 4 }, 3],
    ['timeout', { blockHash: '0xbb' }, 1],
    ['unreachable', { from: 1, to: 4 }, 1],
  ]
  for (const [kind, span, expected] of tries) {
    test(`the error ${kind} for logs of ${JSON.stringify(span)} is thrown after ${expected} requests`, async () => {
      const { node, rpc } = failing(kind)
      await assert.rejects(readLogsApart(rpc, span, two), { kind })
      assert.equal(node.asked, expected)
    })
  }
})
