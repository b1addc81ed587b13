import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type StatusFacts, viewStatus } from './status-view.ts'

const NOTHING: StatusFacts = {
  ...{ info: undefined, ready: undefined, relay: undefined, ledger: undefined },
  ...{ connection: 'connecting', staleAfter: '2 s', pingMs: undefined, reorgs: 0 },
  ...{ block: '', blockAgeMs: undefined },
}
const ready = (lag: number | 'unknown', ok = true): StatusFacts['ready'] => ({
  status: ok ? 'ready' : 'not_ready',
  checks: {
    redis: { ok: true },
    rpc: ok ? { ok, head: 1204551 } : { ok, error: 'timeout' },
    indexer: { ok, lag },
  },
  timestamp: 0,
})

const lineOf = (facts: Partial<StatusFacts>, title: string) => {
  const lines = viewStatus({ ...NOTHING, ...facts }).flatMap(({ lines }) => lines)
  const line = lines.find(({ name }) => name === title)
  return line && [line.value, line.judgement]
}

describe('the status of the venue', () => {
  test('the status is not judged before anything is known, unless the API does not respond', () => {
    assert.deepEqual(lineOf({}, 'Network'), ['not known yet', 'none'])
    assert.deepEqual(lineOf({}, 'Ready'), ['no answer', 'bad'])
    assert.deepEqual(lineOf({}, 'Newest block'), ['not known yet', 'none'])
  })

  test('the venue is not live while its API does not respond, whatever it reported before', () => {
    const network = { name: 'base', chain_id: 8453, trading: 'live' } as const
    const info = { network, version: '1' } as unknown as StatusFacts['info']
    const trading = (facts: Partial<StatusFacts>) => lineOf({ info, ...facts }, 'Trading')
    assert.deepEqual(trading({ connection: 'open', ready: ready(0) }), ['live', 'good'])
    const away = ['no new orders while the API does not respond', 'bad']
    assert.deepEqual(trading({ connection: 'down' }), away)
    const isCut = { connection: 'down', ready: ready(0) } as const
    assert.deepEqual(trading(isCut), ['live', 'good'], 'orders go by REST')
  })

  test('the status of the venue shows which check fails and why', () => {
    assert.deepEqual(lineOf({ ready: ready(0, false) }, 'Ready'), ['no', 'bad'])
    assert.deepEqual(lineOf({ ready: ready(0, false) }, 'Chain node'), ['fails: timeout', 'bad'])
    assert.deepEqual(lineOf({ ready: ready(0) }, 'Chain node'), ['at block 1,204,551', 'good'])
  })

  test('the status warns of a lagging indexer, an old block and a slow round trip', () => {
    const lag = (blocks: number | 'unknown') => lineOf({ ready: ready(blocks) }, 'Indexer')
    assert.deepEqual(lag(1), ['1 block behind', 'good'])
    assert.deepEqual(lag(3), ['3 blocks behind', 'warn'])
    assert.deepEqual(lag('unknown'), ['responds; lag unknown', 'good'])
    assert.deepEqual(lineOf({ block: '7', blockAgeMs: 5_100 }, 'Newest block'), [
      '7, 5.1 s old',
      'warn',
    ])
    assert.deepEqual(lineOf({ pingMs: 0.3 }, 'Round trip'), ['1 ms', 'good'])
  })

  test('the status shows from the oldest index price whether the keeper is running', () => {
    const keeper = (keeper?: NonNullable<StatusFacts['ready']>['keeper']) => {
      const facts = { ...ready(0), ...(keeper && { keeper }) } as StatusFacts['ready']
      return lineOf({ ready: facts }, 'Index prices')
    }
    const of = (ms: number | null) =>
      keeper({ asset: 'ETH', index_price_time: ms === null ? null : 1, index_price_age_ms: ms })
    const oldest = 'oldest (ETH):'
    assert.deepEqual(of(1_200), [`updating; ${oldest} 1.2 s old`, 'good'])
    assert.deepEqual(of(15_100), [`late: ${oldest} 15.1 s old`, 'warn'])
    const silent = `${oldest} 61.0 s old; no update since`
    assert.deepEqual(of(61_000), [silent, 'bad'])
    assert.deepEqual(of(null), ['none yet for ETH', 'bad'])
    assert.deepEqual(keeper(), ['not used by any market', 'none'])
    assert.deepEqual(lineOf({}, 'Index prices'), ['not known yet', 'none'])
  })

  test('the status shows the age at which data counts as outdated', () => {
    const socket = lineOf({ connection: 'stale', staleAfter: '36 s' }, 'Socket')
    assert.deepEqual(socket, ['open, but no data for 36 s', 'warn'])
  })

  test('the status describes the promise of the relay', () => {
    const rules = { promised_blocks: 4, promise: 'promised_blocks', queue_blocks_max: 2 }
    const relay = { rules, lanes: [], receipt_key: '0x1', status: null } as unknown
    const [promise = ''] = lineOf({ relay: relay as StatusFacts['relay'] }, 'Promise') ?? []
    assert.match(promise, /within 4 blocks/)
    assert.doesNotMatch(promise, /_/, 'no member of the interface')
  })

  test('the status counts reorganisations, with a warning', () => {
    const seen = (reorgs: number) => lineOf({ reorgs }, 'Reorganisations seen')
    assert.deepEqual(seen(0), ['0 since the page was opened', 'good'])
    assert.deepEqual(seen(2), ['2 since the page was opened', 'warn'])
  })
})
