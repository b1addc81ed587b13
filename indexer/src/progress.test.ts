import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assessReadiness, noteHead, type Progress } from './progress.ts'

const header = (number: number) => ({ number, hash: `0x${number}`, parentHash: '0x', seconds: 0 })
const NOW_MS = 1_000_000

describe('readiness', () => {
  const of = (head: number | undefined, synced: number | undefined, ageMs = 0) =>
    assessReadiness(
      {
        head: head === undefined ? undefined : header(head),
        headAtMs: NOW_MS - ageMs,
        behindSinceMs: undefined,
        synced: synced === undefined ? undefined : header(synced),
      },
      20,
      NOW_MS,
    )

  const cases: [string, ReturnType<typeof of>, object][] = [
    [
      'no head was published',
      of(undefined, 5),
      { head: null, synced: 5, lag: null, error: 'no_head' },
    ],
    [
      'no block is synced',
      of(9, undefined),
      { head: 9, synced: null, lag: null, error: 'not_synced' },
    ],
    [
      'the indexer lags by more than the limit',
      of(30, 9),
      { head: 30, synced: 9, lag: 21, error: 'lagging' },
    ],
    ['the head is old', of(30, 30, 16_000), { head: 30, synced: 30, lag: 0, error: 'head_stale' }],
  ]
  for (const [title, actual, expected] of cases) {
    test(`readiness is refused while ${title}`, () => {
      assert.deepEqual(actual, { status: 'not_ready', ...expected })
    })
  }

  test('readiness is granted up to the maximum lag, and after a rollback', () => {
    assert.deepEqual(of(30, 10), { status: 'ready', head: 30, synced: 10, lag: 20 })
    assert.deepEqual(of(30, 33), { status: 'ready', head: 30, synced: 33, lag: 0 })
  })

  test('readiness is refused with an unknown lag once the nodes are behind for longer', () => {
    const progress: Progress = {
      head: undefined,
      headAtMs: 0,
      behindSinceMs: undefined,
      synced: header(33),
    }
    const at = (ms: number, head: number) => {
      noteHead(progress, header(head), NOW_MS + ms)
      return assessReadiness(progress, 20, NOW_MS + ms)
    }
    assert.equal(at(0, 30).status, 'ready')
    assert.equal(at(15_000, 30).status, 'ready')
    const behind = { status: 'not_ready', head: 31, synced: 33, lag: null, error: 'node_behind' }
    assert.deepEqual(at(15_001, 31), behind)
    assert.equal(at(15_002, 33).status, 'ready')
    assert.equal(at(16_000, 32).status, 'ready')
  })
})
