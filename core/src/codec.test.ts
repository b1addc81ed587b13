import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { replay } from '../test/scenario/replay.ts'
import { scenario } from '../test/scenario/scenario.ts'
import { invertChanges } from './changes.ts'
import { decodeChanges, encodeChanges } from './codec.ts'

describe('encoded changes', () => {
  test('decode to the same changes, applied and undone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        for (const { changes } of replay(randomScenario(seed, 80)).all)
          for (const list of [changes, invertChanges(changes)])
            assert.deepEqual(decodeChanges(encodeChanges(list)), list)
      }),
      { numRuns: 8 },
    )
  })

  test('preserve text with quotes, line breaks and letters of any script', () => {
    const after = { address: '0x1', symbol: '"\\\n', name: 'é 漢 \u{1f600}', decimals: 6 }
    const change = { what: 'token', key: '0x1', before: undefined, after } as const
    assert.deepEqual(decodeChanges(encodeChanges([change])), [change])
  })

  test('default to not ended and no flagged loss in records written before these fields existed', () => {
    const { changes } = replay(scenario().list('ETH-USDC').blocks()).all.at(-1) ?? {}
    const market = changes?.find(({ what }) => what === 'market')
    assert.ok(market?.what === 'market' && market.after !== undefined)
    const [[kind, after, before]] = JSON.parse(encodeChanges([market]))
    assert.deepEqual([after.pop(), after.pop()], [null, false])
    assert.deepEqual(decodeChanges(JSON.stringify([[kind, after, before]])), [market])
  })

  test('of an empty list decode to an empty list', () => {
    assert.deepEqual(decodeChanges(encodeChanges([])), [])
  })
})
