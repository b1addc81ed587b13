// Waits for a lease, works while it is held, and waits again: of several processes one works.
import type { Lease, TakeLease } from '@openvenue/store/lease'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'

type Turns = Readonly<{
  store: Readonly<{ lease: TakeLease }>
  clock: Clock
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  /** Of the lease. */
  name: string
  /** For the log: who takes turns, and its wallet. */
  what: string
  address: string
  onTurn: (isOn: boolean) => void
  /** Asked before each try to take the turn. Absent: nothing stands in its way. */
  mayTry?: () => Promise<boolean>
  /** Works until `ends` aborts: the lease is lost then, or all is over. */
  work: (lease: Lease, ends: AbortSignal) => Promise<void>
}>

/** A standby asks this often whether the turn is free. */
export const STANDBY_MS = 500

/** Logged at each try in vain. */
export const TRIED = 'the turn is not free'

/** Takes turns until `signal` aborts. Rejects with what a turn rejects with. */
export async function takeTurns(turns: Turns, signal: AbortSignal): Promise<void> {
  const { store, name, what, address, clock, log, mayTry = async () => true } = turns
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
      if (!isLogged) log.info({ address }, `another ${what} leads, on standby`)
      isLogged = true
      log.debug({ what }, TRIED)
      await clock.delay(STANDBY_MS, signal)
      continue
    }
    isLogged = false
    await takeTurn(turns, lease, signal)
  }
}

async function takeTurn(
  { what, address, log, onTurn, work }: Turns,
  lease: Lease,
  signal: AbortSignal,
) {
  const over = new AbortController()
  const end = () => over.abort()
  signal.addEventListener('abort', end, { once: true })
  void lease.lost.then(end)
  if (signal.aborted) end()
  onTurn(true)
  log.info({ address }, `this ${what} leads`)
  try {
    await work(lease, over.signal)
  } finally {
    onTurn(false)
    signal.removeEventListener('abort', end)
    await lease.release()
    log.info({ address }, `this ${what} no longer leads`)
  }
}
