// Runs a task of the keeper: work that is done again and again, each with its own backoff. Doing it
// once too often does no harm.
import { Signal } from '@openvenue/store/signal'
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
  /** Pause between rounds that went well. */
  everyMs: number
  /** Ends a pause when it rings. */
  trigger?: Signal
  /** One round. Throws when it could not be done; it is tried again later and later. */
  round(): Promise<void>
}>

/** Receives how rounds went. `backoffMs` 0: the next one comes as usual. */
export type TaskWatch = Readonly<{
  done(name: TaskName, nowMs: number): void
  failed(name: TaskName, error: unknown, backoffMs: number): void
}>

/** The first pause after a failure; each further one doubles it. */
export const BACKOFF_MS = 500
/** No failure keeps a task away for longer. */
export const BACKOFF_MS_MAX = 30_000

/** Returns the pause after so many failures in a row. */
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
      // A clock that was set back must not make the pause longer.
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
