// Knows who may sign for which account: asked of the database once, and heard from the feed.
import type { AccountHistory, SigningKey } from '@openvenue/store/account-history'
import { LRUCache } from 'lru-cache'
import { upTo } from '../http/cached-body.ts'
import { type FieldError, historyUnavailable } from '../http/refusals.ts'
import type { FreshReads } from '../model/fresh-reads.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { ParsedOrder } from './order-body.ts'
import { problem } from './order-problem.ts'
import { type DomainSettings, orderTypedData } from './signed-order.ts'
import { recoverSigner } from './signer.ts'

/** Keys remembered; the one used longest ago is forgotten. */
const KEYS_MAX = 10_000

export type SignerDeps = Readonly<{
  model: Pick<VenueModel, 'on' | 'onLoad'>
  history: Pick<AccountHistory, 'signingKey'>
  fresh: Pick<FreshReads, 'read'>
}>

export class Signers {
  readonly #deps: SignerDeps
  readonly #keys = new LRUCache<string, SigningKey>(upTo(KEYS_MAX))
  /** Changes of keys heard, of all: what was read before one of them is read again. */
  #changes = 0

  constructor(deps: SignerDeps) {
    this.#deps = deps
    deps.model.on('key', ({ before, after }) => {
      this.#changes += 1
      if (after !== undefined) this.#keys.set(after.key, after)
      else if (before !== undefined) this.#keys.delete(before.key)
    })
    deps.model.onLoad(() => {
      this.#changes += 1
      this.#keys.clear()
    })
  }

  /** Returns a signing key by its address, lower case; undefined: the chain has none. */
  async find(key: string): Promise<SigningKey | undefined> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const known = this.#keys.get(key)
      if (known !== undefined) return known
      const changes = this.#changes
      const { rows } = await this.#deps.fresh
        .read((from) => this.#deps.history.signingKey(key, from))
        .catch((cause: unknown) => {
          throw historyUnavailable(cause)
        })
      if (changes !== this.#changes) continue
      if (rows !== undefined) this.#keys.set(key, rows)
      return rows
    }
    throw historyUnavailable()
  }
}

/** Keys may change as often while one is read before whoever asks is refused. */
const TRIES_MAX = 10

export type SignerFacts = Readonly<{
  signers: Signers
  settings: DomainSettings
  /** The maker's number on the chain; undefined while it has none. */
  account: number | undefined
  nowSeconds: number
}>

/** Who signed an order, and what refuses it for that. */
export type CheckedSigner = Readonly<{
  signer: string | undefined
  problems: readonly FieldError[]
}>

/** Checks the signature of an order that has one. Refuses with 503 while the database is away. */
export async function checkSigner(facts: SignerFacts, parsed: ParsedOrder): Promise<CheckedSigner> {
  const { settings } = facts
  const { market, order, digest, signature } = parsed
  if (signature === undefined) return { signer: undefined, problems: [] }
  const signer = recoverSigner(digest, signature)
  const seen = { digest, typed_data: orderTypedData(settings, market, order) }
  if (signer === undefined) {
    const rule = 'signature is one that a key can have made of the typed data'
    return { signer, problems: [problem('ORDER_BAD_SIGNATURE', ['signature', rule], seen)] }
  }
  const reason = await unfitness(facts, order.account, signer)
  if (reason === undefined) return { signer, problems: [] }
  const rule =
    `signature is of the typed data and by the wallet ${order.account} or a live signing key of ` +
    `its; it was recovered as by ${signer}, ${reason}`
  const given = { recovered: signer, ...seen }
  return { signer, problems: [problem('ORDER_BAD_SIGNING_KEY', ['signature', rule], given)] }
}

async function unfitness(
  { signers, account, nowSeconds }: SignerFacts,
  wallet: string,
  signer: string,
): Promise<string | undefined> {
  if (account === undefined) return 'and the wallet has no account: its first deposit opens one'
  if (signer === wallet) return undefined
  const key = await signers.find(signer)
  if (key === undefined) return 'which is no registered key: what was signed may differ'
  if (key.account !== account) return 'a key of another account'
  if (key.isRevoked) return 'a key that was revoked'
  return key.expirySeconds <= nowSeconds ? `a key that expired at ${key.expirySeconds}` : undefined
}
