// Runs a keeper task: recurring, idempotent work with its own backoff.
import { Signal } from '@openvenue/runtime/signal'
import type { Clock } from './clock.ts'

export const TASKS = [
  'prices',
  'reports',
  'pokes',
  'liquidations',
  'deleveraging',
  'sweeps',
  'keys',
] as const
export type TaskName = (typeof TASKS)[number]

export type Task = Readonly<{
  name: TaskName
  /** Pause between successful rounds. */
  everyMs: number
  /** Ends a pause when it rings. */
  trigger?: Signal
  /** Runs one round. Throws when it failed; it is retried with growing pauses. */
  round(): Promise<void>
}>

/** Receives the result of each round. `backoffMs` is 0 after success. */
export type TaskWatch = Readonly<{
  done(name: TaskName, nowMs: number): void
  failed(name: TaskName, error: unknown, backoffMs: number): void
}>

/** Pause after the first failure; each further failure doubles it. */
export const BACKOFF_MS = 500
/** Maximum pause after a failure. */
export const BACKOFF_MS_MAX = 30_000

/** Returns the pause after that many failures in a row. */
export const backoffAfter = (failures: number): number =>
  Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** (failures - 1))

/** Runs `task` until `signal` aborts. */
export async function keepRunning(
  task: Task,
  { clock, watch }: Readonly<{ clock: Clock; watch: TaskWatch }>,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  const trigger = task.trigger ?? new Signal()
  while (!signal.aborted) {
    const startMs = clock.nowMs()
    try {
      await task.round()
      failures = 0
      watch.done(task.name, clock.nowMs())
      // A clock that was set back must not lengthen the pause.
      const tookMs = Math.max(0, clock.nowMs() - startMs)
      await trigger.wait((quiet) =>
        clock.delay(Math.max(0, task.everyMs - tookMs), AbortSignal.any([quiet, signal])),
      )
    } catch (error) {
      failures += 1
      const backoffMs = backoffAfter(failures)
      watch.failed(task.name, error, backoffMs)
      await clock.delay(backoffMs, signal)
    }
  }
}
