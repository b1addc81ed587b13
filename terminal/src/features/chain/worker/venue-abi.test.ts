// The ABI fragments in this folder match the compiled contracts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountsAbi as accounts } from '@openvenue/contracts/abi/accounts'
import { lensAbi as lens } from '@openvenue/contracts/abi/lens'
import { perpsAbi as perps } from '@openvenue/contracts/abi/perps'
import { spotAbi as spot } from '@openvenue/contracts/abi/spot'
import { type Abi, type AbiParameter, toEventSelector } from 'viem'
import { ACCOUNTS, LENS } from '../../wallet/worker/chain-reads.ts'
import { LISTED_TOPICS } from './chain-listing.ts'
import { PLACED_TOPIC } from './own-resting.ts'
import { accountsAbi, engineAbi, lensAbi, perpsAbi, spotAbi } from './venue-abi.ts'

/** Names and types in order: the shape of a call and its result. */
function shapeOf(parameters: readonly AbiParameter[], hasNames: boolean): unknown {
  return parameters.map((parameter) => [
    hasNames ? parameter.name : '',
    parameter.type,
    'components' in parameter ? shapeOf(parameter.components, true) : [],
  ])
}

const functionsOf = (abi: Abi) =>
  abi.flatMap((item) =>
    item.type === 'function'
      ? [[item.name, shapeOf(item.inputs, false), shapeOf(item.outputs, false)] as const]
      : [],
  )

test('the functions that the page calls without the API match the contracts', () => {
  const pairs: readonly (readonly [Abi, Abi])[] = [
    [lensAbi, lens],
    [engineAbi, spot],
    [engineAbi, perps],
    [spotAbi, spot],
    [perpsAbi, perps],
    [accountsAbi, accounts],
    [LENS, lens],
    [ACCOUNTS, accounts],
  ]
  for (const [ours, theirs] of pairs) {
    const declared = new Map(functionsOf(theirs).map((entry) => [entry[0], entry]))
    for (const entry of functionsOf(ours)) assert.deepEqual(entry, declared.get(entry[0]), entry[0])
  }
})

test('the logs that the page searches for match the contracts', () => {
  const topicOf = (abi: Abi, name: string) =>
    abi.flatMap((item) =>
      item.type === 'event' && item.name === name ? [toEventSelector(item)] : [],
    )[0]
  assert.deepEqual(LISTED_TOPICS, [topicOf(spot, 'Listed'), topicOf(perps, 'Listed')])
  assert.deepEqual(
    [PLACED_TOPIC, PLACED_TOPIC],
    [topicOf(spot, 'Placed'), topicOf(perps, 'Placed')],
  )
})
