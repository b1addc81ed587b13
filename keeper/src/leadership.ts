// Leader election among several processes: one holds the lease and works, the others wait for it.
import type { Lease, TakeLease } from '@openvenue/runtime/lease'
import { DATABASE_TEXTS, Outage } from '@openvenue/runtime/outage'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'

type Leadership = Readonly<{
  store: Readonly<{ lease: TakeLease }>
  clock: Clock
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  /** Name of the lease. */
  name: string
  /** For the log: the role and its wallet. */
  role: string
  address: string
  onLead: (isOn: boolean) => void
  /** Called before each attempt to take the lease. Absent: every attempt is allowed. */
  mayTry?: () => Promise<boolean>
  /** Works until `ends` aborts: when the lease is lost, or on shutdown. */
  work: (lease: Lease, ends: AbortSignal) => Promise<void>
}>

/** Standby poll interval of the lease. */
export const STANDBY_MS = 500

/** A standby waits for the lease in the database for this long, then asks again. */
const LEASE_WAIT_MS = 5_000

/** Logged at each failed attempt. */
export const TRIED = 'the turn is not free'

/** Runs `work` whenever it holds the lease, until `signal` aborts. Rejects if `work` does. */
export async function lead(leadership: Leadership, signal: AbortSignal): Promise<void> {
  const { store, name, role, address, clock, log, mayTry = async () => true } = leadership
  let isLogged = false
  const database = new Outage({
    log,
    ...DATABASE_TEXTS,
    down: 'the database does not answer, trying again',
    nowMs: clock.monotonicMs ?? clock.nowMs,
  })
  const failed = (error: unknown) => {
    database.failed(error)
    return 'failed' as const
  }
  const mayTake = async () => (await mayTry().catch(failed)) === true
  const take = async () => {
    if (!(await mayTake())) return undefined
    // The first attempt only finds out whether this is a standby.
    const wait = isLogged ? { waitMs: LEASE_WAIT_MS, signal } : undefined
    const lease = await store.lease(name, wait).catch(failed)
    if (lease === 'failed') return undefined
    database.recovered()
    if (lease === undefined) {
      if (!isLogged) log.info({ address }, `another ${role} leads, on standby`)
      isLogged = true
      log.debug({ what: role }, TRIED)
      return undefined
    }
    isLogged = false
    // After a wait it may not be allowed any more.
    if (wait === undefined || (await mayTake())) return lease
    await lease.release()
    return undefined
  }
  while (!signal.aborted) {
    const lease = await take()
    if (lease === undefined) await clock.delay(STANDBY_MS, signal)
    else await leadOnce(leadership, lease, signal)
  }
}

async function leadOnce(
  { role, address, log, onLead, work }: Leadership,
  lease: Lease,
  signal: AbortSignal,
) {
  const over = new AbortController()
  const end = () => over.abort()
  signal.addEventListener('abort', end, { once: true })
  void lease.lost.then(end)
  if (signal.aborted) end()
  onLead(true)
  log.info({ address }, `this ${role} leads`)
  try {
    await work(lease, over.signal)
  } finally {
    onLead(false)
    signal.removeEventListener('abort', end)
    await lease.release()
    log.info({ address }, `this ${role} no longer leads`)
  }
}
