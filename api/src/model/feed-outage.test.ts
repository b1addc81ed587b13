import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reader } from '@openvenue/store/store'
import { emptySnapshot } from '../../test/scenario-node.ts'
import { feedOutage } from './feed-outage.ts'
import { followModel, loadModel } from './follow.ts'
import { VenueModel } from './venue-model.ts'

test('a feed that fails a hundred times is logged once, and once when it is read again', async () => {
  const lines: string[] = []
  const stopped = new AbortController()
  let nowMs = 0
  let reads = 0
  const reader = {
    snapshot: async () => emptySnapshot(),
    feedAfter: async () => {
      if (++reads <= 100) throw new Error('cut')
      return []
    },
    onSignal: () => () => {},
  } as unknown as Reader
  const add = (facts: object, text: string) => {
    const { err: _, ...rest } = facts as { err?: unknown }
    lines.push(`${text} ${JSON.stringify(rest)}`)
  }
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
  const delay = async (ms: number) => {
    nowMs += ms
    if (reads === 105) stopped.abort()
  }
  let read = 0
  const watched = feedOutage({ logger: { info: add, warn: add }, clock }, () => {
    read++
  })
  const deps = { model: new VenueModel(), reader, nowMs: clock.nowMs, delay, ...watched }
  await loadModel(deps, stopped.signal)
  await followModel(deps, stopped.signal)
  assert.deepEqual(lines, [
    'model loaded {"seq":0}',
    'the database does not answer {}',
    'the database answers again {"failures":100,"seconds":25}',
  ])
  assert.ok(read >= 4)
})
