// A turn that one process has at a time: the others stand by. Whoever holds it may act; when its
// connection to the database ends, or the process dies, another takes over.

export type Lease = Readonly<{
  /** False from the moment it is known, or must be feared, that another may have it. */
  isHeld(): boolean
  /** Fulfilled when it is held no more, for whatever reason. */
  lost: Promise<void>
  /** Gives it back. */
  release(): Promise<void>
}>

/**
 * Takes the lease of that name (ours, ASCII); undefined while another holds it. Throws when the
 * database cannot be reached.
 */
export type TakeLease = (name: string) => Promise<Lease | undefined>

/** The holder asks its database this often whether it is still there. */
export const LEASE_BEAT_MS = 500
/** A holder without an answer for so long stops to act. */
export const LEASE_SILENCE_MS_MAX = 1_500
/**
 * The database ends the session of a holder that has said nothing for so long, be its machine away
 * or its process stopped. The silent holder has stopped to act by then.
 */
export const LEASE_ENDED_MS = 3_000

/** Returns leases among the keepers of one process. */
export function leasesInProcess(): TakeLease {
  const held = new Set<string>()
  return async (name) => {
    if (held.has(name)) return undefined
    held.add(name)
    return createLease(async () => void held.delete(name)).lease
  }
}

/**
 * Returns a lease that `give` gives back, and what ends it without giving it back. While `isSure`
 * says no, it does not count as held.
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
