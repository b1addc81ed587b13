import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RpcError, type RpcErrorKind } from '@openvenue/store/json-rpc'
import { Endpoints } from './endpoints.ts'
import type { Rpc } from './rpc.ts'

const CALL = { method: 'eth_blockNumber', params: [] }
const header = (number: number) => ({ number, hash: `0x${number}`, parentHash: '0x', seconds: 0 })

/** Endpoints that answer with their index, or fail as `kinds` say; with a clock to be set. */
function endpointsThat(...kinds: (RpcErrorKind | 'revert' | undefined)[]) {
  const clock = { ms: 0 }
  const asked: number[] = []
  const rpcs = kinds.map(
    (_, index): Rpc =>
      async () => {
        asked.push(index)
        const kind = kinds[index]
        if (kind === 'revert') throw new RpcError('refused', 'reverted', { code: 3 })
        if (kind !== undefined) throw new RpcError(kind, `endpoint ${index}`)
        return [index]
      },
  )
  const endpoints = new Endpoints(rpcs, { nowMs: () => clock.ms })
  return { endpoints, asked, clock, kinds }
}

describe('several endpoints', () => {
  test('the first that is configured answers, while all are as good', async () => {
    const { endpoints, asked } = endpointsThat(undefined, undefined)
    assert.deepEqual(await endpoints.rpc([CALL]), [0])
    assert.deepEqual(asked, [0])
  })

  for (const kind of ['timeout', 'unreachable', 'http', 'malformed'] as const) {
    test(`one that fails (${kind}) is passed over, and asked again after a while`, async () => {
      const { endpoints, asked, clock, kinds } = endpointsThat(kind, undefined)
      assert.deepEqual(await endpoints.rpc([CALL]), [1])
      assert.deepEqual(await endpoints.rpc([CALL]), [1])
      assert.deepEqual(asked, [0, 1, 1])
      kinds[0] = undefined
      clock.ms = 60_000
      assert.deepEqual(await endpoints.rpc([CALL]), [0])
    })
  }

  test('one that refuses is not moved back: the next may know the block', async () => {
    const { endpoints, asked } = endpointsThat('refused', undefined)
    assert.deepEqual(await endpoints.rpc([CALL]), [1])
    assert.deepEqual(await endpoints.rpc([CALL]), [1])
    assert.deepEqual(asked, [0, 1, 0, 1])
  })

  test('what all refuse is refused, though another was not reached', async () => {
    const { endpoints } = endpointsThat('refused', 'unreachable')
    await assert.rejects(endpoints.rpc([CALL]), { kind: 'refused', message: 'endpoint 0' })
  })

  for (const kind of ['revert', 'tooLarge'] as const) {
    test(`${kind} is so everywhere: nobody else is asked`, async () => {
      const { endpoints, asked } = endpointsThat(kind, undefined)
      await assert.rejects(endpoints.rpc([CALL]), RpcError)
      assert.deepEqual(asked, [0])
    })
  }

  test('the one with the highest head is asked, unless it is moved back', async () => {
    const { endpoints, clock } = endpointsThat(undefined, undefined, undefined)
    for (const [index, number] of [7, 9, 8].entries()) endpoints.heard(index, header(number))
    assert.equal(endpoints.head?.number, 9)
    assert.deepEqual(await endpoints.rpc([CALL]), [1])
    endpoints.penalise(1)
    assert.equal(endpoints.head?.number, 8)
    assert.deepEqual(await endpoints.rpc([CALL]), [2])
    clock.ms = 501
    assert.deepEqual(await endpoints.rpc([CALL]), [1])
  })

  test('the common height is what more than half have reached, of those that are not moved back', () => {
    const { endpoints } = endpointsThat(undefined, undefined, undefined)
    assert.equal(endpoints.commonHeight, undefined)
    for (const [index, number] of [900, 8, 7].entries()) endpoints.heard(index, header(number))
    assert.equal(endpoints.commonHeight, 8)
    endpoints.penalise(2)
    assert.equal(endpoints.commonHeight, 8)
    endpoints.penalise(1)
    assert.equal(endpoints.commonHeight, 900)
  })

  test('strikes keep one back longer each time, a minute at most, until it is forgiven', () => {
    const { endpoints, clock } = endpointsThat(undefined, undefined)
    const backFor = () => {
      const fromMs = clock.ms
      endpoints.penalise(0)
      while (endpoints.isIgnored(0)) clock.ms += 500
      return clock.ms - fromMs
    }
    const times = [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 32_000]
    assert.deepEqual(times.map(backFor), times)
    endpoints.forgive(0)
    assert.equal(backFor(), 500)
  })

  test('heads of all count when all are moved back', () => {
    const { endpoints } = endpointsThat(undefined, undefined)
    endpoints.condemn([0, 1])
    assert.ok(!endpoints.isIgnored(0) && !endpoints.isIgnored(1))
  })

  test('in a dispute those that fail abstain, and when all do nothing is known', async () => {
    const { endpoints, kinds } = endpointsThat('timeout', undefined, 'refused')
    assert.deepEqual(await endpoints.ask([CALL]), [undefined, [1], undefined])
    kinds[1] = 'http'
    await assert.rejects(endpoints.ask([CALL]), { kind: 'unreachable' })
  })

  test('none is used before it is admitted', async () => {
    const rpc: Rpc = async () => ['answer']
    const endpoints = new Endpoints([rpc, rpc], { nowMs: () => 0, areAdmitted: false })
    await assert.rejects(endpoints.rpc([CALL]), { kind: 'unreachable' })
    endpoints.admit(1)
    assert.deepEqual(await endpoints.rpc([CALL]), ['answer'])
    assert.deepEqual(await endpoints.ask([CALL]), [undefined, ['answer']])
  })
})
