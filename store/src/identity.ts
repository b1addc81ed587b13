// Who may act for which account off the chain: registrations, API keys, invites. None of it comes
// from the chain, so none of it is touched by a wipe.
import type { KeyRegistration, KeyRelay, RelayRefused } from './key-relays.ts'

/** An API key as it is kept. The secret itself is nowhere. */
export type ApiKey = Readonly<{
  key: string
  /** SHA-256 of the secret, lower-case hex. */
  secretHash: string
  /** Wallet, lower case. */
  account: string
  signingKey: string
  createdMs: number
  expiresMs: number
  /** Undefined: never. Written now and then, not at every use. */
  lastUsedMs: number | undefined
}>

/** A registration whose signatures were found valid. Addresses are lower case. */
export type Registration = Readonly<{
  account: string
  signingKey: string
  /** As it was signed, up to 2^256 - 1. */
  expiry: bigint
  referralCode: string | undefined
  /** SHA-256 of the invite code, lower-case hex; undefined: none was given. */
  inviteHash: string | undefined
  /** An account without an earlier registration needs an invite. */
  isInviteOnly: boolean
  /** The key to issue; the pair of signatures that is behind it issues no other. */
  apiKey: Pick<ApiKey, 'key' | 'secretHash' | 'expiresMs'>
  /** True: no key is issued when the account has a live one, and the pair is not used up. */
  isKeyKept: boolean
  /** Live keys an account may hold; the oldest beyond it are revoked. */
  keysMax: number
  /**
   * The signatures of the contract's own two messages, to be queued for the chain, or nothing is
   * done at all. Undefined: nobody wants the key there.
   */
  relayed: Pick<KeyRegistration, 'walletSignature' | 'signingKeySignature'> | undefined
  nowMs: number
}>

export type RegistrationOutcome =
  | Readonly<{
      result: 'issued' | 'kept'
      revoked: readonly string[]
      /** Where one was wanted. */
      relay: KeyRelay | undefined
    }>
  | Readonly<{ result: 'invite_required' | 'invite_invalid' | 'invite_used' }>
  /** Nothing was done: the signing key is revoked on the chain; the pair has made a key already. */
  | Readonly<{ result: 'key_revoked' | 'signatures_used' }>
  | Readonly<{ result: 'relay_refused'; refused: RelayRefused }>

export type Identity = Readonly<{
  /**
   * Takes a registration in one transaction; two at once for one account or one invite queue up.
   */
  register(registration: Registration): Promise<RegistrationOutcome>
  /** Returns a key that is neither expired nor revoked. */
  find(key: string, nowMs: number): Promise<ApiKey | undefined>
  /** Returns those of `keys` that are neither expired nor revoked. */
  liveAmong(keys: readonly string[], nowMs: number): Promise<ReadonlySet<string>>
  /** Live keys of an account, newest first. */
  liveKeys(account: string, nowMs: number): Promise<readonly ApiKey[]>
  /** Revokes one live key of the account; false when it has no such key. */
  revoke(account: string, key: string, nowMs: number): Promise<boolean>
  /** Revokes every live key of the account; returns them. */
  revokeAll(account: string, nowMs: number): Promise<readonly string[]>
  /** Writes when keys were last used. */
  markUsed(uses: ReadonlyMap<string, number>): Promise<void>
  /**
   * Deletes what has ended: keys a day after their end; then the registrations of their accounts
   * and what hangs on them, of accounts on the chain all but the first; relays a week after theirs.
   * A bounded part each time. Returns how many registrations went.
   */
  sweep(nowMs: number): Promise<number>
  /** Adds unused invites by the hashes of their codes. */
  addInvites(hashes: readonly string[], nowMs: number): Promise<void>
  /**
   * Calls `listener` with keys that were revoked by any process, as soon as this one hears of it;
   * with `undefined` when news may have been missed: then every key is to be looked up anew. That
   * comes every few seconds for as long as this process hears nothing.
   * Returns a function that stops it.
   */
  onRevoked(listener: (keys: readonly string[] | undefined) => void): () => void
}>
