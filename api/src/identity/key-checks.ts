// Checks keys, by secret or signature; remembers for a moment, and forgets at once what was revoked
// anywhere.
import type { KeyObject } from 'node:crypto'
import type { ApiKey, Identity } from '@openvenue/store/identity'
import { LRUCache } from 'lru-cache'
import { upTo } from '../http/cached-body.ts'
import type { Caller } from './caller.ts'
import { isKeyText, isSecret } from './new-key.ts'
import {
  isSigned,
  rememberedUntilMs,
  type SignedRequest,
  timestampMs,
} from './request-signature.ts'
import type { SecretSeal } from './secret-seal.ts'

export type KeyCheckDeps = Readonly<{
  identity: Identity
  nowMs: () => number
  /** For how long something is remembered, whatever the wall clock does. */
  monotonicMs: () => number
  /** Resolves after `ms`, or at once when aborted. Absent: uses are written at the end. */
  delay?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined
  /** Opens the secrets of keys that sign; without it no signature is good. */
  seal?: SecretSeal | undefined
}>

/** Why a signed request identifies nobody. */
export type SignedFault = 'AUTH_INVALID' | 'AUTH_TIMESTAMP_INVALID' | 'AUTH_REPLAYED'

type RevokedListener = (keys: readonly string[] | undefined) => void
type Remembered = Readonly<{ found: ApiKey | undefined; untilMs: number }>
/** A question that the database has not answered yet. */
type Asked = { isOutdated: boolean; answer: Promise<ApiKey | undefined> }

/** How long a live key is not asked for again. A revocation is heard of long before. */
const LIVE_MS = 5000
/** How long an unknown key is not asked for again. */
const UNKNOWN_MS = 1000
/** Keys remembered, of each kind; the one used longest ago is forgotten. */
const LIVE_MAX = 10_000
const UNKNOWN_MAX = 1000
/** Signatures known to be used; the database knows the others. */
const USED_MAX = 20_000
/** A key is looked up so often while news of revocations go missing; then nothing is known. */
const LOOKS_MAX = 3
/** How often it is written when keys were used. */
const USES_WRITTEN_MS = 60_000

export class KeyChecks {
  readonly #deps: KeyCheckDeps
  readonly #live = new LRUCache<string, Remembered>(upTo(LIVE_MAX))
  /** Apart, so that nobody can crowd out live keys with invented ones. */
  readonly #unknown = new LRUCache<string, Remembered>({ max: UNKNOWN_MAX })
  readonly #used = new LRUCache<string, true>(upTo(USED_MAX))
  readonly #opened = new WeakMap<ApiKey, KeyObject>()
  readonly #asked = new Map<string, Asked>()
  readonly #listeners = new Set<RevokedListener>()
  /** When keys were used, as far as it is not written yet. */
  readonly #uses = new Map<string, number>()
  readonly #closing = new AbortController()
  readonly #stop: () => void
  #writing: Promise<void> | undefined

  constructor(deps: KeyCheckDeps) {
    this.#deps = deps
    this.#stop = deps.identity.onRevoked((keys) => this.#forget(keys))
  }

  /**
   * Returns who the key belongs to, or undefined when key or secret is wrong, expired or revoked.
   * Throws when the database does not answer.
   */
  async check(key: string, secret: string): Promise<Caller | undefined> {
    const found = await this.#findText(key)
    const isOwner = isSecret(secret, found?.secretHash)
    return found !== undefined && isOwner ? this.#identify(found) : undefined
  }

  /**
   * Returns who signed a request, or why that is nobody. Throws when the database does not answer.
   */
  async checkSigned(request: SignedRequest): Promise<Caller | SignedFault> {
    const { key, timestamp, body } = request
    const signedMs = timestampMs(timestamp, this.#deps.nowMs())
    if (signedMs === undefined) return 'AUTH_TIMESTAMP_INVALID'
    // Nobody's body is read for a key that is not there.
    if ((await this.#findText(key)) === undefined) return 'AUTH_INVALID'
    const bytes = await body()
    // Again: the body may have been long on its way.
    const found = await this.#findText(key)
    if (!isSigned(request, bytes, this.#open(found)) || found === undefined) return 'AUTH_INVALID'
    const caller = this.#identify(found)
    if (caller === undefined) return 'AUTH_INVALID'
    return !request.isOnce || (await this.#useOnce(request.signature, signedMs))
      ? caller
      : 'AUTH_REPLAYED'
  }

  /** True for a key that was live a moment ago: the database need not be asked. */
  remembers(key: string): boolean {
    return (this.#live.get(key)?.untilMs ?? Number.NEGATIVE_INFINITY) > this.#deps.monotonicMs()
  }

  /**
   * Calls `listener` with keys that are no longer live, revoked by whichever node, at once; with
   * undefined when every key must be checked anew. Returns a function that stops it.
   */
  onRevoked(listener: RevokedListener): () => void {
    const own: RevokedListener = (keys) => listener(keys)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  /** Returns when a key was last used, on this node or as it was read; undefined: never. */
  lastUsedMs({ key, lastUsedMs }: ApiKey): number | undefined {
    return this.#uses.get(key) ?? lastUsedMs
  }

  /** Stops hearing of revocations, and writes when keys were used. */
  async close(): Promise<void> {
    this.#stop()
    this.#listeners.clear()
    this.#closing.abort()
    await this.#writing
  }

  #identify(found: ApiKey): Caller | undefined {
    const nowMs = this.#deps.nowMs()
    if (found.expiresMs <= nowMs) return undefined
    this.#uses.set(found.key, nowMs)
    this.#writing ??= this.#writeLater()
    return { account: found.account, key: found }
  }

  /** What this node has seen used costs the database nothing. */
  async #useOnce(given: string, signedMs: number): Promise<boolean> {
    const signature = given.toLowerCase()
    if (this.#used.has(signature)) return false
    const expiresMs = rememberedUntilMs(signedMs)
    const nowMs = this.#deps.nowMs()
    const isFirst = await this.#deps.identity.useSignature({ signature, expiresMs, nowMs })
    this.#used.set(signature, true)
    return isFirst
  }

  /** Returns the secret of a key that signs. It is opened once for as long as it is remembered. */
  #open(found: ApiKey | undefined): KeyObject | undefined {
    if (found?.sealedSecret === undefined) return undefined
    const known = this.#opened.get(found)
    if (known !== undefined) return known
    const secret = this.#deps.seal?.open(found.sealedSecret, found.key)
    if (secret !== undefined) this.#opened.set(found, secret)
    return secret
  }

  async #writeLater(): Promise<void> {
    const { signal } = this.#closing
    await (this.#deps.delay ?? never)(USES_WRITTEN_MS, signal)
    this.#writing = undefined
    const uses = new Map(this.#uses)
    try {
      await this.#deps.identity.markUsed(uses)
    } catch {
      // The database is down, which readiness says; they are kept for the next time.
      return
    }
    for (const [key, usedMs] of uses) if (this.#uses.get(key) === usedMs) this.#uses.delete(key)
  }

  async #findText(key: string): Promise<ApiKey | undefined> {
    return isKeyText(key) ? this.#find(key) : undefined
  }

  #find(key: string): Promise<ApiKey | undefined> {
    const known = this.#live.get(key) ?? this.#unknown.get(key)
    if (known !== undefined && known.untilMs > this.#deps.monotonicMs())
      return Promise.resolve(known.found)
    const asked = this.#asked.get(key)
    if (asked !== undefined) return asked.answer
    return this.#ask(key)
  }

  /** Asks the database; whoever wants the same key meanwhile waits for the same answer. */
  #ask(key: string): Promise<ApiKey | undefined> {
    const asked: Asked = { isOutdated: false, answer: Promise.resolve(undefined) }
    asked.answer = this.#answer(key, asked).finally(() => this.#asked.delete(key))
    this.#asked.set(key, asked)
    return asked.answer
  }

  async #answer(key: string, asked: Asked): Promise<ApiKey | undefined> {
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      // Again, when a revocation was heard of while the database looked.
      asked.isOutdated = false
      const found = await this.#deps.identity.find(key, this.#deps.nowMs())
      if (asked.isOutdated) continue
      this.#remember(key, found)
      return found
    }
    throw new Error(`news of revocations may be missing: looked up ${LOOKS_MAX} times`)
  }

  #remember(key: string, found: ApiKey | undefined): void {
    this.#live.delete(key)
    this.#unknown.delete(key)
    const nowMs = this.#deps.monotonicMs()
    if (found === undefined) this.#unknown.set(key, { found, untilMs: nowMs + UNKNOWN_MS })
    else this.#live.set(key, { found, untilMs: nowMs + LIVE_MS })
  }

  #forget(keys: readonly string[] | undefined): void {
    if (keys === undefined) this.#live.clear()
    for (const key of keys ?? []) this.#live.delete(key)
    for (const key of keys ?? this.#asked.keys()) {
      const asked = this.#asked.get(key)
      if (asked !== undefined) asked.isOutdated = true
    }
    for (const listener of this.#listeners) listener(keys)
  }
}

/** Resolves when aborted. */
const never = (_ms: number, signal: AbortSignal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', resolve, { once: true })
  })
