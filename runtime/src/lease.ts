// A lease that one process holds at a time while the others are on standby. When the holder dies or
// loses its database connection, another takes over.

export type Lease = Readonly<{
  /** False as soon as another process may hold it. */
  isHeld(): boolean
  /** Resolves when it is no longer held, for whatever reason. */
  lost: Promise<void>
  /** Releases it. */
  release(): Promise<void>
}>

/** How long to wait for a lease that another process holds, at most until `signal` aborts. */
export type LeaseWait = Readonly<{ waitMs: number; signal: AbortSignal }>

/**
 * Takes the lease of that name (ASCII); undefined while another process holds it, after `wait` if
 * the database can wait. Throws when the database is unreachable.
 */
export type TakeLease = (name: string, wait?: LeaseWait) => Promise<Lease | undefined>

/** How often the holder checks its database connection. */
export const LEASE_BEAT_MS = 1_000
/** A holder without an answer for this long stops acting. */
export const LEASE_SILENCE_MS_MAX = 2_000
/** The database ends a silent holder's session after this time; it has stopped acting by then. */
export const LEASE_ENDED_MS = 3_000

/** Returns leases for the keepers within one process. */
export function leasesInProcess(): TakeLease {
  const names = new Set<string>()
  return async (name) => {
    if (names.has(name)) return undefined
    names.add(name)
    return createLease(async () => void names.delete(name)).lease
  }
}

/**
 * Returns a lease that `give` releases, and a function that ends it without releasing it. It does
 * not count as held while `isSure` returns false.
 */
export function createLease(
  give: () => Promise<void>,
  isSure: () => boolean = () => true,
): Readonly<{ lease: Lease; end: () => void }> {
  let isOn = true
  const { promise: lost, resolve } = Promise.withResolvers<void>()
  const end = () => {
    isOn = false
    resolve()
  }
  const release = async () => {
    if (!isOn) return
    end()
    await give()
  }
  return { lease: { isHeld: () => isOn && isSure(), lost, release }, end }
}
