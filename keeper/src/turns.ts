// Takes a lease, works while it is held, and waits for it again: one of several processes works.
import type { Lease, TakeLease } from '@openvenue/runtime/lease'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'

type Turns = Readonly<{
  store: Readonly<{ lease: TakeLease }>
  clock: Clock
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  /** Name of the lease. */
  name: string
  /** For the log: the role and its wallet. */
  role: string
  address: string
  onTurn: (isOn: boolean) => void
  /** Called before each attempt to take the lease. Absent: every attempt is allowed. */
  mayTry?: () => Promise<boolean>
  /** Works until `ends` aborts: when the lease is lost, or on shutdown. */
  work: (lease: Lease, ends: AbortSignal) => Promise<void>
}>

/** Standby poll interval of the lease. */
export const STANDBY_MS = 500

/** Logged at each failed attempt. */
export const TRIED = 'the turn is not free'

/** Takes turns until `signal` aborts. Rejects with the error of a turn. */
export async function takeTurns(turns: Turns, signal: AbortSignal): Promise<void> {
  const { store, name, role, address, clock, log, mayTry = async () => true } = turns
  let isLogged = false
  while (!signal.aborted) {
    const failed = (error: unknown) => {
      log.warn({ err: error }, 'the database does not answer, trying again')
      return undefined
    }
    if ((await mayTry().catch(failed)) !== true) {
      await clock.delay(STANDBY_MS, signal)
      continue
    }
    const lease = await store.lease(name).catch(failed)
    if (lease === undefined) {
      if (!isLogged) log.info({ address }, `another ${role} leads, on standby`)
      isLogged = true
      log.debug({ what: role }, TRIED)
      await clock.delay(STANDBY_MS, signal)
      continue
    }
    isLogged = false
    await takeTurn(turns, lease, signal)
  }
}

async function takeTurn(
  { role, address, log, onTurn, work }: Turns,
  lease: Lease,
  signal: AbortSignal,
) {
  const over = new AbortController()
  const end = () => over.abort()
  signal.addEventListener('abort', end, { once: true })
  void lease.lost.then(end)
  if (signal.aborted) end()
  onTurn(true)
  log.info({ address }, `this ${role} leads`)
  try {
    await work(lease, over.signal)
  } finally {
    onTurn(false)
    signal.removeEventListener('abort', end)
    await lease.release()
    log.info({ address }, `this ${role} no longer leads`)
  }
}
