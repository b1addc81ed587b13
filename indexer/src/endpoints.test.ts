import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RpcError, type RpcErrorKind } from '@openvenue/runtime/json-rpc'
import { Endpoints } from './endpoints.ts'
import type { Rpc } from './rpc.ts'

const CALL = { method: 'eth_blockNumber', params: [] }
const header = (number: number) => ({ number, hash: `0x${number}`, parentHash: '0x', seconds: 0 })

/** Endpoints that answer with their index, or fail as given by `kinds`, on a manual clock. */
function endpointsThat(...kinds: (RpcErrorKind | 'revert' | undefined)[]) {
  const clock = { ms: 0 }
  const calledIndexes: number[] = []
  const rpcs = kinds.map(
    (_, index): Rpc =>
      async () => {
        calledIndexes.push(index)
        const kind = kinds[index]
        if (kind === 'revert') throw new RpcError('refused', 'reverted', { code: 3 })
        if (kind !== undefined) throw new RpcError(kind, `endpoint ${index}`)
        return [index]
      },
  )
  const endpoints = new Endpoints(rpcs, { nowMs: () => clock.ms })
  return { endpoints, asked: calledIndexes, clock, kinds }
}

describe('several endpoints', () => {
  test('the first configured endpoint answers while all endpoints are equally good', async () => {
    const { endpoints, asked } = endpointsThat(undefined, undefined)
    assert.deepEqual(await endpoints.rpc([CALL]), [0])
    assert.deepEqual(asked, [0])
  })

  for (const kind of ['timeout', 'unreachable', 'http', 'malformed'] as const) {
    test(`an endpoint that fails (${kind}) is skipped, and used again after a while`, async () => {
      const { endpoints, asked, clock, kinds } = endpointsThat(kind, undefined)
      assert.deepEqual(await endpoints.rpc([CALL]), [1])
      assert.deepEqual(await endpoints.rpc([CALL]), [1])
      assert.deepEqual(asked, [0, 1, 1])
      kinds[0] = undefined
      clock.ms = 60_000
      assert.deepEqual(await endpoints.rpc([CALL]), [0])
    })
  }

  test('an endpoint that refuses a call is not penalised: the next one may know the block', async () => {
    const { endpoints, asked } = endpointsThat('refused', undefined)
    assert.deepEqual(await endpoints.rpc([CALL]), [1])
    assert.deepEqual(await endpoints.rpc([CALL]), [1])
    assert.deepEqual(asked, [0, 1, 0, 1])
  })

  test('a call that all reachable endpoints refuse is refused', async () => {
    const { endpoints } = endpointsThat('refused', 'unreachable')
    await assert.rejects(endpoints.rpc([CALL]), { kind: 'refused', message: 'endpoint 0' })
  })

  for (const kind of ['revert', 'tooLarge'] as const) {
    test(`a failure of kind ${kind} applies to all endpoints: no second one is asked`, async () => {
      const { endpoints, asked } = endpointsThat(kind, undefined)
      await assert.rejects(endpoints.rpc([CALL]), RpcError)
      assert.deepEqual(asked, [0])
    })
  }

  test('the endpoint with the highest head is used, unless that endpoint is penalised', async () => {
    const { endpoints, clock } = endpointsThat(undefined, undefined, undefined)
    for (const [index, number] of [7, 9, 8].entries()) endpoints.recordHead(index, header(number))
    assert.equal(endpoints.head?.number, 9)
    assert.deepEqual(await endpoints.rpc([CALL]), [1])
    endpoints.penalise(1)
    assert.equal(endpoints.head?.number, 8)
    assert.deepEqual(await endpoints.rpc([CALL]), [2])
    clock.ms = 501
    assert.deepEqual(await endpoints.rpc([CALL]), [1])
  })

  test('the common height is reached by more than half of the endpoints without a penalty', () => {
    const { endpoints } = endpointsThat(undefined, undefined, undefined)
    assert.equal(endpoints.commonHeight, undefined)
    for (const [index, number] of [900, 8, 7].entries()) endpoints.recordHead(index, header(number))
    assert.equal(endpoints.commonHeight, 8)
    endpoints.penalise(2)
    assert.equal(endpoints.commonHeight, 8)
    endpoints.penalise(1)
    assert.equal(endpoints.commonHeight, 900)
  })

  test('each strike lengthens the penalty of an endpoint, up to a limit, until it is forgiven', () => {
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

  test('the heads of all endpoints count when all of them are penalised', () => {
    const { endpoints } = endpointsThat(undefined, undefined)
    endpoints.condemn([0, 1])
    assert.ok(!endpoints.isIgnored(0) && !endpoints.isIgnored(1))
  })

  test('endpoints that fail abstain from a dispute, and the dispute fails when all do', async () => {
    const { endpoints, kinds } = endpointsThat('timeout', undefined, 'refused')
    assert.deepEqual(await endpoints.ask([CALL]), [undefined, [1], undefined])
    kinds[1] = 'http'
    await assert.rejects(endpoints.ask([CALL]), { kind: 'unreachable' })
  })

  test('an endpoint is not used before it is admitted', async () => {
    const rpc: Rpc = async () => ['answer']
    const endpoints = new Endpoints([rpc, rpc], { nowMs: () => 0, areAdmitted: false })
    await assert.rejects(endpoints.rpc([CALL]), { kind: 'unreachable' })
    endpoints.admit(1)
    assert.deepEqual(await endpoints.rpc([CALL]), ['answer'])
    assert.deepEqual(await endpoints.ask([CALL]), [undefined, ['answer']])
  })
})
