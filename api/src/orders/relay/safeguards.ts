// Safeguards of an account: parses the bodies of /account/cancel-after, /account/cancel-on-
// disconnect, /mmp and /reset-mmp, and keeps the rules in memory, so that a node refuses orders at
// once.

import { nearestName } from '@openvenue/core/nearest-name'
import { Outage, type OutageLog } from '@openvenue/runtime/outage'
import { Signal } from '@openvenue/runtime/signal'
import { LISTEN_FALLBACK_MS } from '@openvenue/store/db/db'
import {
  isFrozen,
  type MmpRule,
  type MmpSettings,
  type Safeguards,
  thawMs,
} from '@openvenue/store/intents/safeguards'
import { MMP_SECONDS_MAX, TIMEOUT_MS_MAX, TIMEOUT_MS_MIN } from '@openvenue/wire/safeguards'
import { fieldRefusal, invalid, missing, type Near, unknownName } from '../../http/validation.ts'
import { type Members, requireMembers } from '../../identity/registration-body.ts'
import type { Clock } from '../../model/clock.ts'

/** Decimals of the family's amounts. */
const AMOUNT_DECIMALS = 6
const AMOUNT_MAX = 10n ** 30n

const refuse = (field: string, expected: string, near: Near = {}) =>
  fieldRefusal([invalid(field, expected, near)])

export function parseCancelAfter(
  body: unknown,
): Readonly<{ timeoutMs: number; includesTriggers: boolean; cancelAlls: unknown }> {
  const members = readMembers(body, ['timeout_ms', 'include_triggers', 'cancel_alls'])
  const { include_triggers: includesTriggers = false, cancel_alls: cancelAlls } = members
  if (typeof includesTriggers !== 'boolean')
    throw refuse('include_triggers', 'true or false', { given: includesTriggers })
  const given = integer(members, 'timeout_ms')
  if (given === 0n) return { timeoutMs: 0, includesTriggers, cancelAlls }
  const nearest = given < TIMEOUT_MS_MIN ? TIMEOUT_MS_MIN : TIMEOUT_MS_MAX
  if (given < TIMEOUT_MS_MIN || given > TIMEOUT_MS_MAX) {
    const rule = `0, or ${TIMEOUT_MS_MIN} to ${TIMEOUT_MS_MAX} milliseconds`
    throw refuse('timeout_ms', rule, { given, nearest })
  }
  return { timeoutMs: Number(given), includesTriggers, cancelAlls }
}

export function parseDisconnect(body: unknown): boolean {
  const { enabled } = readMembers(body, ['enabled'])
  if (enabled === undefined || enabled === null)
    throw fieldRefusal([missing('enabled', 'body member enabled')])
  if (typeof enabled !== 'boolean') throw refuse('enabled', 'true or false', { given: enabled })
  return enabled
}

/** Returns the rule of a body; `assets` are those that there are markets of. */
export function parseMmp(
  body: unknown,
  assets: readonly string[],
): Omit<MmpSettings, 'account' | 'wallet'> {
  const fields = ['asset', 'interval', 'frozen', 'amount_limit', 'delta_limit']
  const members = readMembers(body, fields)
  const asset = parseAsset(members, assets)
  const amountLimit = integer(members, 'amount_limit')
  if (amountLimit > AMOUNT_MAX)
    throw refuse('amount_limit', `at most ${AMOUNT_MAX}`, {
      fault: 'is above the maximum',
      given: amountLimit,
      nearest: `${AMOUNT_MAX}`,
    })
  return {
    asset,
    intervalSeconds: seconds(members, 'interval'),
    frozenSeconds: seconds(members, 'frozen'),
    amountLimit,
    deltaLimit: parseDelta(members.delta_limit),
  }
}

export function parseMmpReset(body: unknown, assets: readonly string[]): string {
  return parseAsset(readMembers(body, ['asset']), assets)
}

function readMembers(body: unknown, known: readonly string[]): Members {
  const members = requireMembers(body ?? {})
  const unknown = Object.keys(members).find((name) => !known.includes(name))
  if (unknown === undefined) return members
  throw fieldRefusal([unknownName(unknown.slice(0, 64), 'member of this body', { allowed: known })])
}

function parseAsset(members: Members, assets: readonly string[]): string {
  const { asset } = members
  if (asset === undefined || asset === null || asset === '')
    throw fieldRefusal([missing('asset', 'body member asset')])
  return knownAsset(String(asset), assets)
}

/** Returns one of `assets`, named in any case. */
export function knownAsset(text: string, assets: readonly string[]): string {
  const asset = assets.find((symbol) => symbol.toUpperCase() === text.toUpperCase())
  if (asset !== undefined) return asset
  const near = nearestName(assets, text)
  const nearest = near === undefined ? {} : { nearest: near }
  throw refuse('asset', 'an underlying of GET /assets', {
    given: text,
    fault: 'is unknown',
    ...nearest,
  })
}

function integer(members: Members, field: string): bigint {
  const value = members[field]
  if (value === undefined || value === null || value === '')
    throw fieldRefusal([missing(field, `body member ${field}`)])
  const text = ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : ''
  if (/^\d{1,40}$/.test(text)) return BigInt(text)
  // Zero sets no limit: it is near to nothing that was meant as one.
  const nearest = Math.round(text.trim() === '' ? 0 : Number(text))
  const near = nearest > 0 && Number.isSafeInteger(nearest) ? { nearest } : {}
  throw refuse(field, 'a whole number of at least 0', { given: value, ...near })
}

function seconds(members: Members, field: string): number {
  const given = integer(members, field)
  if (given <= MMP_SECONDS_MAX) return Number(given)
  const fault = 'is above the maximum'
  throw refuse(field, `at most ${MMP_SECONDS_MAX} seconds`, {
    given,
    fault,
    nearest: MMP_SECONDS_MAX,
  })
}

/** Returns whole base units in millionths; what is finer is cut. */
function parseDelta(value: unknown): bigint | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const [, units, part = ''] = /^(\d{1,24})(?:\.(\d{1,18}))?$/.exec(String(value)) ?? []
  if (units === undefined)
    throw refuse('delta_limit', 'a decimal number of at least 0', { given: value })
  return BigInt(units + part.padEnd(AMOUNT_DECIMALS, '0').slice(0, AMOUNT_DECIMALS))
}

/** Pause after a failed read. */
const RETRY_MS = 1000

declare module 'fastify' {
  interface FastifyInstance {
    safeguardBook: SafeguardBook
  }
}

type SafeguardDeps = Readonly<{
  safeguards: Pick<Safeguards, 'changesAfter' | 'onChange'>
  clock: Pick<Clock, 'monotonicMs'>
  /** Resolves after that many milliseconds, or at once when `signal` aborts. Never rejects. */
  delay: (ms: number, signal: AbortSignal) => Promise<unknown>
  log: OutageLog
}>

const keyOf = (account: number, asset: string) => `${account} ${asset}`

export class SafeguardBook {
  readonly #deps: SafeguardDeps
  /** Frozen rules, by account and asset; the others refuse no orders. */
  readonly #frozen = new Map<string, MmpRule>()
  /** Accounts whose orders end with the connection over which they were made. */
  readonly #disconnecting = new Set<number>()
  #changed = -1
  #reading: Promise<void> = Promise.resolve()
  /** The database's clock less our monotonic one. */
  #aheadMs = 0

  constructor(deps: SafeguardDeps) {
    this.#deps = deps
  }

  /** Returns how long orders under protection on `asset` are refused; undefined: they are not. */
  frozenMs(account: number, asset: string): number | undefined {
    const rule = this.#frozen.get(keyOf(account, asset))
    const nowMs = this.#deps.clock.monotonicMs() + this.#aheadMs
    if (rule === undefined || !isFrozen(rule, nowMs)) return undefined
    return (thawMs(rule) ?? nowMs) - nowMs
  }

  /** Returns whether orders of an account end with their connection; undefined: not known yet. */
  endsWithConnection(account: number): boolean | undefined {
    return this.#changed < 0 ? undefined : this.#disconnecting.has(account)
  }

  /** Reads what has changed by now. One read at a time: the rules never go back. */
  refresh(): Promise<void> {
    this.#reading = this.#reading.catch(() => {}).then(() => this.#read())
    return this.#reading
  }

  /** Follows the rules until `signal` aborts; while the database fails, they stay as they were. */
  async follow(signal: AbortSignal): Promise<void> {
    const { safeguards, delay, log } = this.#deps
    const outage = new Outage({
      log,
      down: 'the rules of accounts cannot be read',
      up: 'the rules of accounts are read again',
    })
    const news = new Signal()
    const stopListening = safeguards.onChange(() => news.set())
    const stop = () => news.set()
    signal.addEventListener('abort', stop, { once: true })
    try {
      while (!signal.aborted) {
        const pauseMs = await outage
          .attempt(() => this.refresh())
          .then(
            () => LISTEN_FALLBACK_MS,
            () => RETRY_MS,
          )
        await news.wait(
          async (quiet) => void (await delay(pauseMs, AbortSignal.any([quiet, signal]))),
        )
      }
    } finally {
      signal.removeEventListener('abort', stop)
      stopListening()
    }
  }

  async #read(): Promise<void> {
    const { safeguards, clock } = this.#deps
    const { changed, disconnects, mmp, nowMs } = await safeguards.changesAfter(this.#changed)
    for (const rule of mmp) {
      const key = keyOf(rule.account, rule.asset)
      if (isFrozen(rule, nowMs)) this.#frozen.set(key, rule)
      else this.#frozen.delete(key)
    }
    for (const { account, isEnabled } of disconnects)
      if (isEnabled) this.#disconnecting.add(account)
      else this.#disconnecting.delete(account)
    this.#changed = changed
    this.#aheadMs = nowMs - clock.monotonicMs()
  }
}
