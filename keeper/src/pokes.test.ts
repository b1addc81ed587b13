// Pokes of several markets, one of which takes none for a while.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import {
  type Abi,
  type AbiParameter,
  decodeFunctionData,
  encodeErrorResult,
  encodeFunctionResult,
  type Hex,
} from 'viem'
import { type FakeTaskContext, startFakeContext } from '../test/fake-task-context.ts'
import { pokesTask } from './pokes.ts'

const MARKETS = [1, 2, 3]
const WAITING = 2

/** Returns a value of the type: zeros, except for the fields in `values`. */
function zeroed(parameter: AbiParameter, values: Readonly<Record<string, unknown>>): unknown {
  const parts = (parameter as { components?: readonly AbiParameter[] }).components
  if (parts !== undefined)
    return Object.fromEntries(parts.map((part) => [part.name, zeroed(part, values)]))
  if (parameter.name !== undefined && parameter.name in values) return values[parameter.name]
  if (parameter.type === 'bool') return false
  if (parameter.type === 'bytes32') return `0x${'00'.repeat(32)}`
  return Number(/\d+$/.exec(parameter.type)?.[0]) <= 48 ? 0 : 0n
}

/** The views of markets that were poked at `pokedAt` and whose hour began at `time`. */
function viewed(data: Hex, readings: Readonly<Record<string, unknown>>): Hex {
  const { functionName } = decodeFunctionData({ abi: perpsAbi, data })
  const view = (perpsAbi as Abi).find(
    (item) => item.type === 'function' && item.name === functionName,
  )
  const outputs = (view as { outputs: readonly AbiParameter[] }).outputs
  const values = outputs.map((output) => zeroed(output, readings))
  const result = values.length === 1 ? values[0] : values
  return encodeFunctionResult({ abi: perpsAbi as Abi, functionName, result })
}

describe('a market that refuses a poke', () => {
  let fake: FakeTaskContext
  beforeEach(() => {
    fake = startFakeContext()
    const { node } = fake
    node.lies = {
      eth_call: (params) => {
        const { data } = params[0] as { data: Hex }
        return { result: viewed(data, { pokedAt: 3_500, time: 3_600 }) }
      },
    }
  })
  afterEach(() => fake.stop())

  const marketIn = (data: Hex) => Number(decodeFunctionData({ abi: perpsAbi, data }).args?.[0])
  const refuse = (errorName: string, args: readonly unknown[]) => {
    const data = encodeErrorResult({ abi: perpsAbi as Abi, errorName, args })
    fake.node.refusal = (call) =>
      marketIn(call) === WAITING ? { refused: 'execution reverted', data } : undefined
  }
  const pokedIn = async (round: () => Promise<void>) => {
    const from = fake.node.given.length
    await round()
    return fake.node.given
      .slice(from)
      .map(({ data }) => marketIn(data))
      .sort()
  }

  for (const [situation, errorName, args] of [
    ['the book has just changed', 'BookChanged', [WAITING]],
  ] as const)
    test(`a poke refused because ${situation} keeps no other waiting, and is tried again`, async () => {
      const { round } = pokesTask(fake.context, () => MARKETS)
      refuse(errorName, args)
      assert.deepEqual(await pokedIn(round), [1, 3])
      fake.node.refusal = () => undefined
      const again = await pokedIn(round)
      assert.ok(again.includes(WAITING), 'in the next round')
    })

  test('a poke refused for another reason throws, after all other markets were poked', async () => {
    const { round } = pokesTask(fake.context, () => MARKETS)
    refuse('NotTighter', [WAITING])
    const poked = pokedIn(() => assert.rejects(round(), /market 2 refuses a poke: NotTighter/))
    assert.deepEqual(await poked, [1, 3])
  })
})
