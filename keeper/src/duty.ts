// A duty of the keeper: work that is done again and again, each with its own backoff. Doing it once
// too often does no harm.
import { Bell, type Clock } from './clock.ts'

export const DUTIES = [
  'prices',
  'reports',
  'pokes',
  'liquidations',
  'deleveraging',
  'sweeps',
  'keys',
] as const
export type DutyName = (typeof DUTIES)[number]

export type Duty = Readonly<{
  name: DutyName
  /** Pause between rounds that went well. */
  everyMs: number
  /** Ends a pause when it rings. */
  bell?: Bell
  /** One round. Throws when it could not be done; it is tried again later and later. */
  round(): Promise<void>
}>

/** What is told of rounds. `backoffMs` 0: the next one comes as usual. */
export type DutyWatch = Readonly<{
  done(name: DutyName, nowMs: number): void
  failed(name: DutyName, error: unknown, backoffMs: number): void
}>

/** The first pause after a failure; each further one doubles it. */
export const BACKOFF_MS = 500
/** No failure keeps a duty away for longer. */
export const BACKOFF_MS_MAX = 30_000

/** Returns the pause after so many failures in a row. */
export const backoffOf = (failures: number): number =>
  Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** (failures - 1))

/** Does `duty` until `signal` aborts. */
export async function keepDoing(
  duty: Duty,
  { clock, watch }: Readonly<{ clock: Clock; watch: DutyWatch }>,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  const bell = duty.bell ?? new Bell()
  while (!signal.aborted) {
    const startMs = clock.nowMs()
    try {
      await duty.round()
      failures = 0
      watch.done(duty.name, clock.nowMs())
      // A clock that was set back must not make the pause longer.
      const tookMs = Math.max(0, clock.nowMs() - startMs)
      await bell.heard(clock, Math.max(0, duty.everyMs - tookMs), signal)
    } catch (error) {
      failures += 1
      const backoffMs = backoffOf(failures)
      watch.failed(duty.name, error, backoffMs)
      await clock.delay(backoffMs, signal)
    }
  }
}
