import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import type { CallAnswer, RpcNode } from '@openvenue/runtime/node'
import { encodeErrorResult } from 'viem'
import { readChainSnapshot, readTip } from './chain-snapshot.ts'
import { estimateGas, withoutGasQuestions } from './gas.ts'

const WALLET = `0x${'a'.repeat(40)}`
const request = { to: `0x${'b'.repeat(40)}`, data: '0x', description: 'a poke' } as const
const tooSoon = encodeErrorResult({ abi: perpsAbi, errorName: 'PokeTooSoon', args: [60n] })
const unsupported: CallAnswer = { refused: 'eth_estimateGas is not supported', data: undefined }

/** Returns a node that gives each method a fixed answer and records its calls. */
function nodeThat(answers: Readonly<Record<string, CallAnswer>>) {
  const made: (readonly [string, string | undefined])[] = []
  const node: RpcNode = {
    batch: async (calls) =>
      calls.map(({ method, params }) => {
        made.push([method, (params[0] as { gas?: string } | undefined)?.gas])
        return answers[method] ?? { refused: `${method} is not supported`, data: undefined }
      }),
    call: () => Promise.reject(new Error('nobody calls')),
  }
  return { node, calls: made }
}

test('a call gets a third more gas than the node estimates', async () => {
  const { node } = nodeThat({ eth_estimateGas: { result: '0x7530' } })
  assert.deepEqual(await estimateGas(node, WALLET, [request]), [40_000n])
})

test('a node without gas estimates gets a trial call with enough gas', async () => {
  const { node, calls } = nodeThat({
    eth_estimateGas: unsupported,
    eth_call: { result: '0x' },
  })
  const limited = { ...request, gasMax: 90_000n }
  assert.deepEqual(await estimateGas(node, WALLET, [request, limited]), [4_000_000n, 90_000n])
  assert.deepEqual(calls.slice(2), [
    ['eth_call', '0x3d0900'],
    ['eth_call', '0x15f90'],
  ])
})

test('a revert is found by an estimate, or by a trial call where a node does not estimate', async () => {
  const revert: CallAnswer = { refused: 'execution reverted', data: tooSoon }
  const estimated = nodeThat({ eth_estimateGas: revert })
  const tried = nodeThat({ eth_estimateGas: unsupported, eth_call: revert })
  for (const { node } of [estimated, tried])
    assert.deepEqual(await estimateGas(node, WALLET, [request]), [
      { name: 'PokeTooSoon', args: [60n] },
    ])
  assert.equal(estimated.calls.length, 1)
  assert.equal(tried.calls.length, 2)
})

test('calls are tried with fixed gas limits when nodes are not asked for gas', async () => {
  const wrong = { eth_estimateGas: { result: '0x1' }, eth_call: { result: '0x' } }
  const { node, calls } = nodeThat(wrong)
  const quiet = withoutGasQuestions(node, 7n)
  assert.deepEqual(await estimateGas(quiet, WALLET, [request]), [4_000_000n])
  assert.deepEqual(calls, [['eth_call', '0x3d0900']])
  const reverting = nodeThat({ eth_call: { refused: 'execution reverted', data: tooSoon } })
  assert.deepEqual(await estimateGas(withoutGasQuestions(reverting.node, 7n), WALLET, [request]), [
    { name: 'PokeTooSoon', args: [60n] },
  ])
})

test('nodes that are not asked for gas are not asked for a tip either: the configured one applies', async () => {
  const block = { number: '0x5', hash: '0x0', timestamp: '0x1', baseFeePerGas: '0x64' }
  const { node, calls } = nodeThat({
    eth_maxPriorityFeePerGas: { result: '0xffffff' },
    eth_getBlockByNumber: { result: block },
    eth_getTransactionCount: { result: '0x2' },
  })
  const quiet = withoutGasQuestions(node, 7n)
  assert.equal(await readTip(quiet), 7n)
  const request = { address: WALLET, receipts: [], presence: [], anchorNumber: 5 }
  const { tip, head, mined, anchorHash } = await readChainSnapshot(quiet, request)
  assert.deepEqual([tip, head.baseFee, mined, anchorHash], [7n, 100n, 2, '0x0'])
  assert.ok(calls.every(([method]) => method !== 'eth_maxPriorityFeePerGas'))
})
