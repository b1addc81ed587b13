import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FakeChain } from '../test/chain.ts'
import { FAKE_DEPLOYMENT } from '../test/venue.ts'
import { Blooms } from './bloom.ts'
import { type ChainHeader, logsCall, parseHeader, parseLogs } from './chain.ts'
import { compileEvents } from './events.ts'
import { addOmittedLogs } from './omitted-logs.ts'

const { filter } = compileEvents(FAKE_DEPLOYMENT)
const NONE = { logs: [], filters: [filter] }

/** The head of a chain with logs, as returned by the node, and the result of a check. */
function checking(prepare: (chain: FakeChain) => void = () => {}) {
  const chain = new FakeChain(3)
  prepare(chain)
  chain.mine({ blocks: 1, actions: 9 })
  const header = parseHeader(chain.headMessage())
  const logs = parseLogs(chain.answer(logsCall({ blockHash: header.hash }, filter)))
  const blooms = new Blooms()
  const methods: string[] = []
  const short: number[] = []
  const rpc: FakeChain['rpc'] = (calls) => {
    methods.push(...calls.map(({ method }) => method))
    return chain.rpc(calls)
  }
  const onShort = ({ number }: ChainHeader) => short.push(number)
  return { deps: { rpc, blooms, onShort }, header, logs, asked: methods, short }
}

describe('an answer without the logs that its block promises', () => {
  for (const hasReceipts of [true, false]) {
    const how = hasReceipts ? 'from its receipts' : 'by asking again, where there are no receipts'
    test(`an answer that omits logs is completed ${how}`, async () => {
      const { deps, header, logs, short } = checking((chain) => {
        chain.hasReceipts = hasReceipts
      })
      assert.deepEqual(await addOmittedLogs(deps, [header], NONE), logs)
      assert.deepEqual(short, [header.number])
    })
  }

  test('an answer with all logs of its blocks causes no further request', async () => {
    const { deps, header, logs, asked } = checking()
    assert.equal(await addOmittedLogs(deps, [header], { ...NONE, logs }), logs)
    assert.deepEqual(asked, [])
  })

  test("a false positive of a header's bloom filter does not make an answer incomplete", async () => {
    const { deps, header, short } = checking()
    // The filter of another block, whose logs it does not have.
    const other = new FakeChain(3)
    other.mine({ blocks: 1, actions: 0 })
    const [empty, rpc] = [parseHeader(other.headMessage()), other.rpc]
    const wrong = { ...empty, bloom: header.bloom }
    assert.deepEqual(await addOmittedLogs({ ...deps, rpc }, [wrong], NONE), [])
    assert.deepEqual(short, [])
  })

  for (const blooms of ['zero', 'full'] as const) {
    test(`bloom filters that are all ${blooms} cause no further request`, async () => {
      const { deps, header, asked } = checking((chain) => {
        chain.blooms = blooms
      })
      assert.deepEqual(await addOmittedLogs(deps, [header], NONE), [])
      assert.deepEqual(asked, [])
    })
  }
})

describe('an empty bloom filter', () => {
  const ZERO = `0x${'0'.repeat(512)}`
  const POLLED = { endpoint: 0, way: 'polled' } as const
  const PUSHED = { endpoint: 0, way: 'pushed' } as const

  test('an empty bloom filter proves nothing before its source has filled one', () => {
    const { header, logs } = checking()
    const blooms = new Blooms()
    const quiet = { ...header, bloom: ZERO, source: POLLED }
    assert.equal(blooms.provesNoLogs(quiet), false)
    blooms.learn({ ...header, source: PUSHED }, logs)
    assert.equal(blooms.provesNoLogs(quiet), false, 'a subscription shows nothing of polls')
    blooms.learn({ ...header, source: POLLED }, logs)
    assert.equal(blooms.provesNoLogs(quiet), true)
  })

  test('an empty bloom filter never proves anything once its source has omitted a log', () => {
    const { header, logs } = checking()
    const blooms = new Blooms()
    blooms.learn(header, logs)
    blooms.learn({ ...header, bloom: ZERO }, logs)
    blooms.learn(header, logs)
    assert.equal(blooms.provesNoLogs({ ...header, bloom: ZERO }), false)
    assert.equal(blooms.promisesLogs(header, filter), false)
  })
})
