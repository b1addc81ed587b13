// Watches the keys of open connections: their expiry, and their revocation on any node. Interface
// 3.4 and 5.4.
import type { Identity } from '@openvenue/store/identity/identity'
import type { Caller } from '../../identity/caller.ts'
import type { KeyChecks } from '../../identity/key-checks.ts'
import type { Connection } from './connection.ts'

/** Maximum checks of a key: a revocation during a check makes it run again. */
const CHECKS_MAX = 3
/** Time after which identities are removed when their keys cannot be looked up, ms. */
export const KEY_DOUBT_MS_MAX = 10_000

export type KeyWatchDeps = Readonly<{
  keys: KeyChecks
  identity: Identity
  nowMs: () => number
  monotonicMs: () => number
}>

/** Removes the identity of a connection, and sends the code to the client. */
type RemoveIdentity = (connection: Connection, code: 'AUTH_EXPIRED' | 'AUTH_UNAVAILABLE') => void

export class KeyWatch {
  readonly #deps: KeyWatchDeps
  readonly #connections: ReadonlySet<Connection>
  readonly #takeAway: RemoveIdentity
  readonly #stop: () => void
  /** Pending checks; a check is overtaken when its key is revoked meanwhile. */
  readonly #checks = new Set<{ key: string; isOvertaken: boolean }>()
  /** Revocations may have been missed: the keys of connections must be looked up. */
  #isDoubtful = false
  /** Since when keys of connections may have been revoked unnoticed; undefined: they are live. */
  #doubtedMs: number | undefined
  #isLooking = false

  constructor(deps: KeyWatchDeps, connections: ReadonlySet<Connection>, takeAway: RemoveIdentity) {
    this.#deps = deps
    this.#connections = connections
    this.#takeAway = takeAway
    this.#stop = deps.keys.onRevoked((keys) => this.#revoked(keys))
  }

  /**
   * Returns the result of `find` for `key`; a key revoked during the lookup is treated as revoked.
   * A caller goes to `identify` at once, so that a later revocation finds the connection.
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

  /** Connections whose keys may be revoked must not keep receiving private data. */
  #giveUp(): void {
    for (const connection of this.#connections)
      if (connection.caller !== undefined) this.#takeAway(connection, 'AUTH_UNAVAILABLE')
  }

  /** Looks up every key; the next sweep retries while the database does not answer. */
  async #lookUp(): Promise<void> {
    this.#isLooking = true
    this.#isDoubtful = false
    const askedMs = this.#deps.monotonicMs()
    try {
      const keys = this.#heldKeys()
      const live = await this.#deps.identity.liveAmong([...keys], this.#deps.nowMs())
      for (const connection of this.#connections)
        if (isOutdated(connection, keys, live)) this.#takeAway(connection, 'AUTH_EXPIRED')
      // The answer clears doubts from before the query.
      this.#doubtedMs = this.#isDoubtful ? askedMs : undefined
    } catch {
      // The database is down, which may be why the keys are in doubt.
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

/**
 * Returns whether the key of a connection, one of those looked up, is gone or was narrowed since.
 */
function isOutdated(
  { caller }: Connection,
  keys: ReadonlySet<string>,
  live: ReadonlyMap<string, number>,
): boolean {
  if (caller === undefined || !keys.has(caller.key.key)) return false
  return (live.get(caller.key.key) ?? Number.POSITIVE_INFINITY) > caller.key.version
}
