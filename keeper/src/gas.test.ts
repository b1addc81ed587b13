import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { encodeErrorResult } from 'viem'
import { estimateGas } from './gas.ts'
import type { Answer, Node } from './node.ts'

const WALLET = `0x${'a'.repeat(40)}`
const request = { to: `0x${'b'.repeat(40)}`, data: '0x', what: 'a poke' } as const
const tooSoon = encodeErrorResult({ abi: perpsAbi, errorName: 'PokeTooSoon', args: [60n] })
const unsupported: Answer = { refused: 'eth_estimateGas is not supported', data: undefined }

/** A node that answers each method alike, and remembers what it was asked. */
function nodeThat(answers: Readonly<Record<string, Answer>>) {
  const asked: unknown[] = []
  const node: Node = {
    batch: async (calls) =>
      calls.map(({ method, params }) => {
        asked.push([method, (params[0] as { gas?: string }).gas])
        return answers[method] ?? { refused: `${method} is not supported`, data: undefined }
      }),
    call: () => Promise.reject(new Error('nobody calls')),
  }
  return { node, asked }
}

test('gas is what the node says and a third', async () => {
  const { node } = nodeThat({ eth_estimateGas: { result: '0x7530' } })
  assert.deepEqual(await estimateGas(node, WALLET, [request]), [40_000n])
})

test('a node that estimates nothing is asked to try the call, with enough gas', async () => {
  const { node, asked } = nodeThat({ eth_estimateGas: unsupported, eth_call: { result: '0x' } })
  const limited = { ...request, gasMax: 90_000n }
  assert.deepEqual(await estimateGas(node, WALLET, [request, limited]), [4_000_000n, 90_000n])
  assert.deepEqual(asked.slice(2), [
    ['eth_call', '0x3d0900'],
    ['eth_call', '0x15f90'],
  ])
})

test('what reverts is found by either question, and the call is tried only where it must be', async () => {
  const revert: Answer = { refused: 'execution reverted', data: tooSoon }
  const estimated = nodeThat({ eth_estimateGas: revert })
  const tried = nodeThat({ eth_estimateGas: unsupported, eth_call: revert })
  for (const { node } of [estimated, tried])
    assert.deepEqual(await estimateGas(node, WALLET, [request]), [
      { name: 'PokeTooSoon', args: [60n] },
    ])
  assert.equal(estimated.asked.length, 1)
  assert.equal(tried.asked.length, 2)
})
