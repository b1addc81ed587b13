// Whose connection it is, and for how long. Interface 3.4 and 5.4.
import type { Identity } from '@openvenue/store/identity'
import type { Caller } from '../identity/caller.ts'
import type { KeyChecks } from '../identity/key-checks.ts'
import type { Connection } from './connection.ts'
import type { SocketCore } from './core.ts'
import { OPERATION_MS_MAX } from './deadlines.ts'
import { CREDENTIAL_LENGTH_MAX } from './socket-limits.ts'
import { SocketRefusal } from './socket-refusal.ts'

const NS_PER_MS = 1_000_000n
/** A revocation during a check makes it run again; more often than this, nothing is known. */
const CHECKS_MAX = 3

/**
 * Authenticates the connection and returns the reply, or throws why not. `confirm` throws when the
 * identity went again before the reply could go out: AUTH_EXPIRED, then success, would be a lie.
 */
export async function authenticate(core: SocketCore, connection: Connection, data: unknown) {
  let isOver = false
  const identify = (caller: Caller) => {
    if (connection.isClosed || isOver) return
    if (connection.caller?.account !== caller.account) core.forget(connection)
    connection.caller = caller
  }
  const found = find(core, connection, { data, identify })
  const caller = await core.deadlines.within(OPERATION_MS_MAX, found).catch((error) => {
    // What is found later identifies nobody.
    isOver = true
    throw error instanceof SocketRefusal ? error : unavailable(core, connection, error)
  })
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

type Attempt = Readonly<{ data: unknown; identify: (caller: Caller) => void }>

/** Returns whose the key is; undefined: nobody's. Throws when that cannot be known now. */
async function find(core: SocketCore, connection: Connection, { data, identify }: Attempt) {
  await countAttempt(core, connection)
  const { key, secret } = (data ?? {}) as Readonly<Record<string, unknown>>
  if (!isCredential(key) || !isCredential(secret)) return undefined
  return core.keys.check(key, secret, identify)
}

/** Refuses the attempt when there were too many; the identity stays as it is. Section 8. */
async function countAttempt(core: SocketCore, connection: Connection): Promise<void> {
  const { consume, clock } = core.deps
  const waitMs = connection.attempts.take(clock.monotonicMs())
  if (waitMs > 0) throw new SocketRefusal('AUTH_RATE_LIMITED', { retryAfterMs: waitMs })
  const verdict = await consume('socket-auth', connection.socket.address, 1)
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

/** Identities whose keys could not be looked up for so long, once they had to be, are taken away. */
export const KEY_DOUBT_MS_MAX = 10_000

export type KeyWatchDeps = Readonly<{
  keys: KeyChecks
  identity: Identity
  nowMs: () => number
  monotonicMs: () => number
}>

/** Takes the identity of a connection away, and tells the client why. */
type TakeAway = (connection: Connection, code: 'AUTH_EXPIRED' | 'AUTH_UNAVAILABLE') => void

/** Follows the keys of open connections: their end by time, and by revocation on any node. */
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
      this.#expireKeys(new Set([...held].filter((key) => !live.has(key))))
      // What was in doubt before it was asked no longer is.
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
