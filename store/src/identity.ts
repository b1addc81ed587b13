// Who may act for which account off the chain: registrations, API keys, invites. None of it comes
// from the chain, so none of it is touched by a wipe.
import type { Scope } from '@openvenue/core/scopes'
import type { KeyRegistration, KeyRelay, RelayRefused } from './key-relays.ts'
import type { SignatureUse } from './used-signatures.ts'

/** An API key as it is kept. The secret itself is nowhere, or sealed. */
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
  /** Undefined: a sign-in made it, and nobody has named it. */
  name: string | undefined
  scopes: readonly Scope[]
  /** Networks, as `10.0.0.0/8`, that it may be used from; empty: from anywhere. */
  ipAddresses: readonly string[]
  /** The secret as it was sealed, of keys that sign requests. */
  sealedSecret: string | undefined
  /** How often its power was narrowed. */
  version: number
}>

/** A key to be made by another one of the account. */
export type NamedKey = Omit<ApiKey, 'lastUsedMs' | 'version' | 'name'> &
  Readonly<{
    name: string
    /** It must still be live, and as powerful as when it was looked at. */
    parent: ApiKey
    /** Live keys an account may hold. */
    keysMax: number
  }>

/**
 * `full`: the account has as many as it may, and none of them may go for this one. `parent_gone`:
 * the key that asked is no longer what it was.
 */
export type IssueOutcome =
  | Readonly<{ result: 'issued'; revoked: readonly string[] }>
  | Readonly<{ result: 'full' | 'parent_gone' }>

/** All that may change of a key. `isNarrower`: its power does, which all nodes hear of. */
export type KeyAmendment = Pick<ApiKey, 'name' | 'scopes' | 'ipAddresses' | 'expiresMs'> &
  Readonly<{ isNarrower: boolean }>

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
  apiKey: Pick<ApiKey, 'key' | 'secretHash' | 'expiresMs'> & Partial<Pick<ApiKey, 'sealedSecret'>>
  /** True: no key is issued when the account has a live one, and the pair is not used up. */
  isKeyKept: boolean
  /** Live keys an account may hold; beyond it the oldest go, those without a name first. */
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
  /**
   * Takes a key that another one makes, in one transaction. Where the account has as many as it
   * may, the oldest goes that a sign-in made and that the parent has all scopes of.
   */
  issue(wanted: NamedKey): Promise<IssueOutcome>
  /** Changes a live key; undefined when it is no longer as `key` is. */
  amend(key: ApiKey, amendment: KeyAmendment, nowMs: number): Promise<ApiKey | undefined>
  /** Returns those of `keys` that are neither expired nor revoked, with their versions. */
  liveAmong(keys: readonly string[], nowMs: number): Promise<ReadonlyMap<string, number>>
  /** Live keys of an account, newest first. */
  liveKeys(account: string, nowMs: number): Promise<readonly ApiKey[]>
  /**
   * Remembers the signature of a request; false when it was used before, on whichever node. Throws
   * when that cannot be known.
   */
  useSignature(use: SignatureUse): Promise<boolean>
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
   * Calls `listener` with keys that were revoked or narrowed by any process, as soon as this one
   * hears of it; with `undefined` when news may have been missed: then every key is to be looked up
   * anew. That comes every few seconds for as long as this process hears nothing.
   * Returns a function that stops it.
   */
  onRevoked(listener: (keys: readonly string[] | undefined) => void): () => void
}>
