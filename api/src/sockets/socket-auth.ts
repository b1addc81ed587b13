// Whose connection it is, and for how long. Interface 3.4 and 5.4.
import type { Identity } from '@openvenue/store/identity'
import type { Caller } from '../identity/caller.ts'
import type { KeyChecks } from '../identity/key-checks.ts'
import type { Connection } from './connection.ts'
import type { SocketCore } from './core.ts'
import { CREDENTIAL_LENGTH_MAX } from './socket-limits.ts'
import { SocketRefusal } from './socket-refusal.ts'

const NS_PER_MS = 1_000_000n
/** A revocation during a check makes it run again; more often than this, the key is not live. */
const CHECKS_MAX = 3

/**
 * Authenticates the connection and returns the reply, or throws why not. `confirm` throws when the
 * identity went again before the reply could go out: AUTH_EXPIRED, then success, would be a lie.
 */
export async function authenticate(core: SocketCore, connection: Connection, data: unknown) {
  await countAttempt(core, connection)
  const { key, secret } = (data ?? {}) as Readonly<Record<string, unknown>>
  const identify = (caller: Caller) => {
    if (connection.isClosed) return
    if (connection.caller?.account !== caller.account) core.forget(connection)
    connection.caller = caller
  }
  const caller =
    isCredential(key) && isCredential(secret)
      ? await core.keys.check(key, secret, identify).catch((error) => {
          throw unavailable(core, connection, error)
        })
      : undefined
  if (caller === undefined) {
    core.forget(connection)
    throw new SocketRefusal('AUTH_INVALID')
  }
  const { account, key: apiKey } = caller
  const expires_timestamp = (BigInt(Math.trunc(apiKey.expiresMs)) * NS_PER_MS).toString()
  const confirm = () => {
    if (connection.caller !== caller) throw new SocketRefusal('AUTH_INVALID')
  }
  return { data: { success: true, account, expires_timestamp }, confirm }
}

/** Refuses the attempt when there were too many; the identity stays as it is. Section 8. */
async function countAttempt(core: SocketCore, connection: Connection): Promise<void> {
  const { consume, clock } = core.deps
  const waitMs = connection.attempts.take(clock.monotonicMs())
  if (waitMs > 0) throw new SocketRefusal('AUTH_RATE_LIMITED', { retryAfterMs: waitMs })
  const verdict = await consume('socket-auth', connection.link.address, 1).catch((error) => {
    throw unavailable(core, connection, error)
  })
  if (!verdict.allowed)
    throw new SocketRefusal('AUTH_RATE_LIMITED', { retryAfterMs: Math.ceil(verdict.resetMs) })
}

function unavailable(core: SocketCore, connection: Connection, error: unknown): SocketRefusal {
  core.failed(error)
  core.forget(connection)
  return new SocketRefusal('AUTH_UNAVAILABLE')
}

const isCredential = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= CREDENTIAL_LENGTH_MAX

export type KeyWatchDeps = Readonly<{ keys: KeyChecks; identity: Identity; nowMs: () => number }>

/** Follows the keys of open connections: their end by time, and by revocation on any node. */
export class KeyWatch {
  readonly #deps: KeyWatchDeps
  readonly #connections: ReadonlySet<Connection>
  readonly #expire: (connection: Connection) => void
  readonly #stop: () => void
  /** Checks under way; one whose key is revoked meanwhile was overtaken. */
  readonly #checks = new Set<{ key: string; isOvertaken: boolean }>()
  /** News may have been missed: the keys of connections must be looked up. */
  #isDoubtful = false
  #isLooking = false

  constructor(
    deps: KeyWatchDeps,
    connections: ReadonlySet<Connection>,
    expire: (connection: Connection) => void,
  ) {
    this.#deps = deps
    this.#connections = connections
    this.#expire = expire
    this.#stop = deps.keys.onRevoked((keys) => this.#revoked(keys))
  }

  /**
   * As `KeyChecks.check`; what was revoked while it asked is not live either. Who is found goes to
   * `identify` at once: a revocation from then on finds the connection.
   */
  async check(
    key: string,
    secret: string,
    identify: (caller: Caller) => void,
  ): Promise<Caller | undefined> {
    for (let checks = 0; checks < CHECKS_MAX; checks++) {
      const underWay = { key, isOvertaken: false }
      this.#checks.add(underWay)
      let caller: Caller | undefined
      try {
        caller = await this.#deps.keys.check(key, secret)
      } finally {
        this.#checks.delete(underWay)
      }
      if (caller === undefined || this.#isOver(caller)) return undefined
      if (underWay.isOvertaken) continue
      identify(caller)
      return caller
    }
    return undefined
  }

  isExpired({ caller }: Connection): boolean {
    return caller !== undefined && this.#isOver(caller)
  }

  sweep(): void {
    for (const connection of this.#connections)
      if (this.isExpired(connection)) this.#expire(connection)
    if (this.#isDoubtful && !this.#isLooking) void this.#lookUp()
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
      if (!this.#isLooking) void this.#lookUp()
      return
    }
    this.#expireKeys(new Set(keys))
  }

  #expireKeys(keys: ReadonlySet<string>): void {
    for (const connection of this.#connections)
      if (connection.caller !== undefined && keys.has(connection.caller.key.key))
        this.#expire(connection)
  }

  /** Looks every key up; as long as the database does not answer, the next sweep tries again. */
  async #lookUp(): Promise<void> {
    this.#isLooking = true
    this.#isDoubtful = false
    try {
      const gone = new Set<string>()
      for (const key of this.#heldKeys()) {
        const live = await this.#deps.identity.find(key, this.#deps.nowMs())
        if (live === undefined) gone.add(key)
      }
      this.#expireKeys(gone)
    } catch {
      // The database is down; that it may be is why the keys are in doubt.
      this.#isDoubtful = true
    } finally {
      this.#isLooking = false
    }
  }

  #heldKeys(): ReadonlySet<string> {
    const keys = new Set<string>()
    for (const { caller } of this.#connections) if (caller !== undefined) keys.add(caller.key.key)
    return keys
  }
}
