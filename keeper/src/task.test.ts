import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Signal } from '@openvenue/runtime/signal'
import type { Clock } from './clock.ts'
import { createMetrics } from './metrics.ts'
import { BACKOFF_MS, BACKOFF_MS_MAX, backoffAfter, keepRunning, type Task } from './task.ts'

/** Returns a clock without real delays that aborts after `pausesMax` pauses. */
function countingClock(pausesMax: number) {
  const stopping = new AbortController()
  const backoff: number[] = []
  let nowMs = 0
  const clock: Clock = {
    nowMs: () => nowMs,
    delay: async (ms) => {
      backoff.push(ms)
      nowMs += ms
      if (backoff.length === pausesMax) stopping.abort()
    },
  }
  return { clock, backoff, signal: stopping.signal }
}

const createWatch = (events: string[]) => ({
  done: (name: string) => void events.push(`${name} done`),
  failed: (name: string, _: unknown, backoffMs: number) =>
    void events.push(`${name} failed ${backoffMs}`),
})

describe('a task', () => {
  test('a task runs again after its pause', async () => {
    const { clock, backoff, signal } = countingClock(3)
    const events: string[] = []
    const task: Task = { name: 'sweeps', everyMs: 700, round: async () => {} }
    await keepRunning(task, { clock, watch: createWatch(events) }, signal)
    assert.deepEqual(backoff, [700, 700, 700])
    assert.deepEqual(events, ['sweeps done', 'sweeps done', 'sweeps done'])
  })

  test('a failing task is retried with growing pauses up to a cap, and as usual once it succeeds', async () => {
    const failures = 9
    const { clock, backoff, signal } = countingClock(failures + 1)
    let round = 0
    const task: Task = {
      name: 'prices',
      everyMs: 1_000,
      round: async () => {
        if (++round <= failures) throw new Error('not now')
      },
    }
    await keepRunning(task, { clock, watch: createWatch([]) }, signal)
    assert.deepEqual(
      backoff,
      [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 1_000],
    )
    assert.deepEqual([backoffAfter(1), backoffAfter(1_000)], [BACKOFF_MS, BACKOFF_MS_MAX])
  })

  test('a task runs no later when the clock is set back during its round', async () => {
    const { clock, backoff, signal } = countingClock(2)
    let setBackMs = 0
    const task: Task = {
      name: 'prices',
      everyMs: 1_000,
      round: async () => {
        setBackMs += 3_600_000
      },
    }
    const setBack: Clock = { ...clock, nowMs: () => clock.nowMs() - setBackMs }
    await keepRunning(task, { clock: setBack, watch: createWatch([]) }, signal)
    assert.deepEqual(backoff, [1_000, 1_000])
  })

  test('a task runs at once when its trigger is set, but not while it is failing', async () => {
    const trigger = new Signal()
    const stopping = new AbortController()
    let rounds = 0
    const clock: Clock = {
      nowMs: () => 0,
      delay: (_, signal) =>
        new Promise((resolve) => {
          if (signal.aborted) resolve()
          else signal.addEventListener('abort', () => resolve(), { once: true })
        }),
    }
    const task: Task = {
      name: 'keys',
      everyMs: 60_000,
      trigger,
      round: async () => {
        rounds += 1
        if (rounds === 3) stopping.abort()
        else trigger.set()
      },
    }
    await keepRunning(task, { clock, watch: createWatch([]) }, stopping.signal)
    assert.equal(rounds, 3)
  })
})

test('the metrics of each task count rounds, transactions and failures, and have time and backoff', async () => {
  const metrics = createMetrics()
  metrics.done('pokes', 1_700_000_000_500)
  metrics.failed('prices', 4_000)
  metrics.countOutcome('pokes', { kind: 'included', hash: '0x', blockNumber: 1 })
  const reason = { name: 'PokeTooSoon', args: [] }
  metrics.countOutcome('pokes', { kind: 'reverted', hash: '0x', blockNumber: 1, reason })
  metrics.countOutcome('pokes', { kind: 'refused', reason })
  metrics.leads(true)
  const text = await metrics.registry.metrics()
  for (const line of [
    'runs_total{task="pokes"} 1',
    'sent_total{task="pokes"} 1',
    'failed_total{task="pokes"} 1',
    'failed_total{task="prices"} 1',
    'backoff_seconds{task="prices"} 4',
    'backoff_seconds{task="pokes"} 0',
    'last_success_seconds{task="pokes"} 1700000000.5',
    'is_leader 1',
  ])
    assert.ok(text.includes(`openvenue_keeper_${line}\n`), line)
})
