// Follows the keys of open connections: their end by time, and by revocation on any node. Interface
// 3.4 and 5.4.
import type { Identity } from '@openvenue/store/identity'
import type { Caller } from '../../identity/caller.ts'
import type { KeyChecks } from '../../identity/key-checks.ts'
import type { Connection } from './connection.ts'

/** A revocation during a check makes it run again; more often than this, nothing is known. */
const CHECKS_MAX = 3
/**
 * Identities whose keys could not be looked up for so long, once they had to be, are taken away.
 */
export const KEY_DOUBT_MS_MAX = 10_000

export type KeyWatchDeps = Readonly<{
  keys: KeyChecks
  identity: Identity
  nowMs: () => number
  monotonicMs: () => number
}>

/** Takes the identity of a connection away, and says to the client why. */
type TakeAway = (connection: Connection, code: 'AUTH_EXPIRED' | 'AUTH_UNAVAILABLE') => void

export class KeyWatch {
  readonly #deps: KeyWatchDeps
  readonly #connections: ReadonlySet<Connection>
  readonly #takeAway: TakeAway
  readonly #stop: () => void
  /** Checks under way; one whose key is revoked meanwhile was overtaken. */
  readonly #checks = new Set<{ key: string; isOvertaken: boolean }>()
  /** News may have been missed: the keys of connections must be looked up. */
  #isDoubtful = false
  /** Since when the keys of connections have not been known to be live; undefined: they are. */
  #doubtedMs: number | undefined
  #isLooking = false

  constructor(deps: KeyWatchDeps, connections: ReadonlySet<Connection>, takeAway: TakeAway) {
    this.#deps = deps
    this.#connections = connections
    this.#takeAway = takeAway
    this.#stop = deps.keys.onRevoked((keys) => this.#revoked(keys))
  }

  /**
   * Returns whom `find` finds by `key`, or what else it says; what was revoked while it looked is
   * not live either. Who is found goes to `identify` at once: a revocation from then on finds the
   * connection.
   */
  async check<Fault extends string>(
    key: string,
    find: () => Promise<Caller | Fault | undefined>,
    identify: (caller: Caller) => void,
  ): Promise<Caller | Fault | undefined> {
    for (let checks = 0; checks < CHECKS_MAX; checks++) {
      const underWay = { key, isOvertaken: false }
      this.#checks.add(underWay)
      let caller: Caller | Fault | undefined
      try {
        caller = await find()
      } finally {
        this.#checks.delete(underWay)
      }
      if (typeof caller === 'string' || caller === undefined) return caller
      if (this.#isOver(caller)) return undefined
      if (underWay.isOvertaken) continue
      identify(caller)
      return caller
    }
    throw new Error(`news of revocations may be missing: looked up ${CHECKS_MAX} times`)
  }

  isExpired({ caller }: Connection): boolean {
    return caller !== undefined && this.#isOver(caller)
  }

  sweep(): void {
    for (const connection of this.#connections)
      if (this.isExpired(connection)) this.#takeAway(connection, 'AUTH_EXPIRED')
    if (this.#isDoubtful && !this.#isLooking) void this.#lookUp()
    const doubtMs = this.#deps.monotonicMs() - (this.#doubtedMs ?? Number.POSITIVE_INFINITY)
    if (doubtMs >= KEY_DOUBT_MS_MAX) this.#giveUp()
  }

  close(): void {
    this.#stop()
  }

  #isOver({ key }: Caller): boolean {
    return key.expiresMs <= this.#deps.nowMs()
  }

  #revoked(keys: readonly string[] | undefined): void {
    for (const check of this.#checks)
      if (keys === undefined || keys.includes(check.key)) check.isOvertaken = true
    if (keys === undefined) {
      this.#isDoubtful = true
      this.#doubtedMs ??= this.#deps.monotonicMs()
      if (!this.#isLooking) void this.#lookUp()
      return
    }
    this.#expireKeys(new Set(keys))
  }

  #expireKeys(keys: ReadonlySet<string>): void {
    for (const connection of this.#connections)
      if (connection.caller !== undefined && keys.has(connection.caller.key.key))
        this.#takeAway(connection, 'AUTH_EXPIRED')
  }

  /** Whoever may have been revoked must not go on hearing what is private. */
  #giveUp(): void {
    for (const connection of this.#connections)
      if (connection.caller !== undefined) this.#takeAway(connection, 'AUTH_UNAVAILABLE')
  }

  /** Looks every key up; as long as the database does not answer, the next sweep tries again. */
  async #lookUp(): Promise<void> {
    this.#isLooking = true
    this.#isDoubtful = false
    const askedMs = this.#deps.monotonicMs()
    try {
      const held = this.#heldKeys()
      const live = await this.#deps.identity.liveAmong([...held], this.#deps.nowMs())
      for (const connection of this.#connections)
        if (isOutdated(connection, held, live)) this.#takeAway(connection, 'AUTH_EXPIRED')
      // Keys that were in doubt before it was asked no longer are.
      this.#doubtedMs = this.#isDoubtful ? askedMs : undefined
    } catch {
      // The database is down; that it may be is why the keys are in doubt.
      this.#isDoubtful = true
    } finally {
      this.#isLooking = false
    }
  }

  #heldKeys(): Set<string> {
    const keys = new Set<string>()
    for (const { caller } of this.#connections) if (caller !== undefined) keys.add(caller.key.key)
    return keys
  }
}

/** Whether the key of a connection, one of those looked up, is gone or was narrowed since. */
function isOutdated(
  { caller }: Connection,
  held: ReadonlySet<string>,
  live: ReadonlyMap<string, number>,
): boolean {
  if (caller === undefined || !held.has(caller.key.key)) return false
  return (live.get(caller.key.key) ?? Number.POSITIVE_INFINITY) > caller.key.version
}
