// Checks keys, by secret or signature; caches them for a moment, and drops keys revoked on any node
// at once.
import type { KeyObject } from 'node:crypto'
import type { ApiKey, Identity } from '@openvenue/store/identity/identity'
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
  /** Times cache entries, independent of the wall clock. */
  monotonicMs: () => number
  /** Resolves after `ms`, or at once when aborted. Absent: uses are written only at the end. */
  delay?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined
  /** Opens the secrets of signing keys; without it no signature is valid. */
  seal?: SecretSeal | undefined
  /** Writes nothing to the database: a signature is accepted once on this node only. */
  isReadOnly?: boolean
}>

/** The reason why a signed request has no identity. */
export type SignedFault = 'AUTH_INVALID' | 'AUTH_TIMESTAMP_INVALID' | 'AUTH_REPLAYED'

type RevokedListener = (keys: readonly string[] | undefined) => void
type CachedKey = Readonly<{ found: ApiKey | undefined; untilMs: number }>
/** A pending database query. */
type PendingLookup = { isOutdated: boolean; answer: Promise<ApiKey | undefined> }

/** Cache time of a live key, ms. Revocations arrive long before. */
const LIVE_MS = 5000
/** Cache time of an unknown key, ms. */
const UNKNOWN_MS = 1000
/** Cached keys of each kind; the least recently used one is dropped. */
const LIVE_MAX = 10_000
const UNKNOWN_MAX = 1000
/** Used signatures known here; the database knows the others. */
const USED_MAX = 20_000
/** Lookups of a key while notifications of revocations go missing; then the check fails. */
const LOOKS_MAX = 3
/** Interval of writing when keys were used, ms. */
const USES_WRITTEN_MS = 60_000

export class KeyChecks {
  readonly #deps: KeyCheckDeps
  readonly #live = new LRUCache<string, CachedKey>(upTo(LIVE_MAX))
  /** A separate cache, so that invented keys cannot crowd out live ones. */
  readonly #unknown = new LRUCache<string, CachedKey>({ max: UNKNOWN_MAX })
  readonly #used = new LRUCache<string, true>(upTo(USED_MAX))
  readonly #opened = new WeakMap<ApiKey, KeyObject>()
  readonly #asked = new Map<string, PendingLookup>()
  readonly #listeners = new Set<RevokedListener>()
  /** Times at which keys were used that have not been written yet. */
  readonly #uses = new Map<string, number>()
  readonly #closing = new AbortController()
  readonly #stop: () => void
  #writing: Promise<void> | undefined

  constructor(deps: KeyCheckDeps) {
    this.#deps = deps
    this.#stop = deps.identity.onRevoked((keys) => this.#forget(keys))
  }

  /**
   * Returns the owner of the key, or undefined when key or secret is wrong, expired or revoked.
   * Throws when the database does not answer.
   */
  async check(key: string, secret: string): Promise<Caller | undefined> {
    const apiKey = await this.#findText(key)
    const isOwner = isSecret(secret, apiKey?.secretHash)
    return apiKey !== undefined && isOwner ? this.#identify(apiKey) : undefined
  }

  /** Returns the signer of a request, or the fault. Throws when the database does not answer. */
  async checkSigned(request: SignedRequest): Promise<Caller | SignedFault> {
    const { key, timestamp, body } = request
    const signedMs = timestampMs(timestamp, this.#deps.nowMs())
    if (signedMs === undefined) return 'AUTH_TIMESTAMP_INVALID'
    // The body of a request with an unknown key is not read.
    if ((await this.#findText(key)) === undefined) return 'AUTH_INVALID'
    const bytes = await body()
    // Again, because the body may have taken long to arrive.
    const apiKey = await this.#findText(key)
    if (!isSigned(request, bytes, this.#open(apiKey)) || apiKey === undefined) return 'AUTH_INVALID'
    const caller = this.#identify(apiKey)
    if (caller === undefined) return 'AUTH_INVALID'
    return !request.isOnce || (await this.#useOnce(request.signature, signedMs))
      ? caller
      : 'AUTH_REPLAYED'
  }

  /** Returns whether a key was live a moment ago, so that the database need not be queried. */
  remembers(key: string): boolean {
    return (this.#live.get(key)?.untilMs ?? Number.NEGATIVE_INFINITY) > this.#deps.monotonicMs()
  }

  /**
   * Calls `listener` at once with keys that are no longer live, revoked on any node; with undefined
   * when every key must be checked again. Returns a function that stops it.
   */
  onRevoked(listener: RevokedListener): () => void {
    const registered: RevokedListener = (keys) => listener(keys)
    this.#listeners.add(registered)
    return () => this.#listeners.delete(registered)
  }

  /** Returns when a key was last used, on this node or in the database; undefined: never. */
  lastUsedMs({ key, lastUsedMs }: ApiKey): number | undefined {
    return this.#uses.get(key) ?? lastUsedMs
  }

  /** Stops listening for revocations, and writes when keys were used. */
  async close(): Promise<void> {
    this.#stop()
    this.#listeners.clear()
    this.#closing.abort()
    await this.#writing
  }

  #identify(apiKey: ApiKey): Caller | undefined {
    const nowMs = this.#deps.nowMs()
    if (apiKey.expiresMs <= nowMs) return undefined
    if (this.#deps.isReadOnly === true) return { account: apiKey.account, key: apiKey }
    this.#uses.set(apiKey.key, nowMs)
    this.#writing ??= this.#writeLater()
    return { account: apiKey.account, key: apiKey }
  }

  /** A signature used on this node costs no query. */
  async #useOnce(given: string, signedMs: number): Promise<boolean> {
    const signature = given.toLowerCase()
    if (this.#used.has(signature)) return false
    const expiresMs = rememberedUntilMs(signedMs)
    const nowMs = this.#deps.nowMs()
    const { identity, isReadOnly = false } = this.#deps
    const isFirst = isReadOnly || (await identity.useSignature({ signature, expiresMs, nowMs }))
    this.#used.set(signature, true)
    return isFirst
  }

  /** Returns the secret of a signing key, opened once while the key is cached. */
  #open(apiKey: ApiKey | undefined): KeyObject | undefined {
    if (apiKey?.sealedSecret === undefined) return undefined
    const secretOpened = this.#opened.get(apiKey)
    if (secretOpened !== undefined) return secretOpened
    const secret = this.#deps.seal?.open(apiKey.sealedSecret, apiKey.key)
    if (secret !== undefined) this.#opened.set(apiKey, secret)
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
      // The database is down, which readiness reports; the uses are kept for the next time.
      return
    }
    for (const [key, usedMs] of uses) if (this.#uses.get(key) === usedMs) this.#uses.delete(key)
  }

  async #findText(key: string): Promise<ApiKey | undefined> {
    return isKeyText(key) ? this.#find(key) : undefined
  }

  #find(key: string): Promise<ApiKey | undefined> {
    const cached = this.#live.get(key) ?? this.#unknown.get(key)
    if (cached !== undefined && cached.untilMs > this.#deps.monotonicMs())
      return Promise.resolve(cached.found)
    const pending = this.#asked.get(key)
    if (pending !== undefined) return pending.answer
    return this.#ask(key)
  }

  /** Queries the database; concurrent callers for the same key share the answer. */
  #ask(key: string): Promise<ApiKey | undefined> {
    const pending: PendingLookup = { isOutdated: false, answer: Promise.resolve(undefined) }
    pending.answer = this.#answer(key, pending).finally(() => this.#asked.delete(key))
    this.#asked.set(key, pending)
    return pending.answer
  }

  async #answer(key: string, pending: PendingLookup): Promise<ApiKey | undefined> {
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      // Repeats the lookup when a revocation arrived meanwhile.
      pending.isOutdated = false
      const apiKey = await this.#deps.identity.find(key, this.#deps.nowMs())
      if (pending.isOutdated) continue
      this.#remember(key, apiKey)
      return apiKey
    }
    throw new Error(`news of revocations may be missing: looked up ${LOOKS_MAX} times`)
  }

  #remember(key: string, apiKey: ApiKey | undefined): void {
    this.#live.delete(key)
    this.#unknown.delete(key)
    const nowMs = this.#deps.monotonicMs()
    if (apiKey === undefined) this.#unknown.set(key, { found: apiKey, untilMs: nowMs + UNKNOWN_MS })
    else this.#live.set(key, { found: apiKey, untilMs: nowMs + LIVE_MS })
  }

  #forget(keys: readonly string[] | undefined): void {
    if (keys === undefined) this.#live.clear()
    for (const key of keys ?? []) this.#live.delete(key)
    for (const key of keys ?? this.#asked.keys()) {
      const pending = this.#asked.get(key)
      if (pending !== undefined) pending.isOutdated = true
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
