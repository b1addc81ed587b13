// Registrations, API keys and invites: who may act for an account off the chain. None of it comes
// from the chain, so a wipe keeps all of it.
import type { Scope } from '@openvenue/core/scopes'
import type { KeyRegistration, KeyRelay, RelayRefusal } from './key-relays.ts'
import type { SignatureUse } from './used-signatures.ts'

/** A stored API key. The secret is not stored, or sealed. */
export type ApiKey = Readonly<{
  key: string
  /** SHA-256 of the secret, lower-case hex. */
  secretHash: string
  /** Wallet, lower case. */
  account: string
  signingKey: string
  createdMs: number
  expiresMs: number
  /** Undefined: never. Updated in intervals, not at every use. */
  lastUsedMs: number | undefined
  /** Undefined: created by a sign-in and never named. */
  name: string | undefined
  scopes: readonly Scope[]
  /** Networks such as `10.0.0.0/8` from which it may be used; empty: any. */
  ipAddresses: readonly string[]
  /** The sealed secret of keys that sign requests. */
  sealedSecret: string | undefined
  /** Number of times its scopes or networks were narrowed. */
  version: number
}>

/** A key to be created by another key of the account. */
export type NamedKey = Omit<ApiKey, 'lastUsedMs' | 'version' | 'name'> &
  Readonly<{
    name: string
    /** Must still be live and unchanged since it was read. */
    parent: ApiKey
    /** Maximum number of live keys of an account. */
    keysMax: number
  }>

/**
 * `full`: the account has the maximum, and none may be replaced by this one. `parent_gone`: the
 * parent changed since it was read.
 */
export type IssueResult =
  | Readonly<{ result: 'issued'; revoked: readonly string[] }>
  | Readonly<{ result: 'full' | 'parent_gone' }>

/** The variable fields of a key. `isNarrower`: its rights shrink, which all nodes must know. */
export type KeyAmendment = Pick<ApiKey, 'name' | 'scopes' | 'ipAddresses' | 'expiresMs'> &
  Readonly<{ isNarrower: boolean }>

/** A registration with verified signatures. Addresses are lower case. */
export type Registration = Readonly<{
  account: string
  signingKey: string
  /** The signed value, up to 2^256 - 1. */
  expiry: bigint
  referralCode: string | undefined
  /** SHA-256 of the invite code, lower-case hex; undefined: none was given. */
  inviteHash: string | undefined
  /** True: an account without an earlier registration needs an invite. */
  isInviteOnly: boolean
  /** The key to issue; its pair of signatures issues no other. */
  apiKey: Pick<ApiKey, 'key' | 'secretHash' | 'expiresMs'> & Partial<Pick<ApiKey, 'sealedSecret'>>
  /** True: no key is issued when the account has a live one, and the pair is not used up. */
  isKeyKept: boolean
  /** Maximum number of live keys of an account; the oldest are revoked, unnamed ones first. */
  keysMax: number
  /**
   * Signatures of the contract's two messages, to be queued for the chain, or the whole call fails.
   * Undefined: not requested.
   */
  relayed: Pick<KeyRegistration, 'walletSignature' | 'signingKeySignature'> | undefined
  nowMs: number
}>

export type RegistrationResult =
  | Readonly<{
      result: 'issued' | 'kept'
      revoked: readonly string[]
      /** Set if one was requested. */
      relay: KeyRelay | undefined
    }>
  | Readonly<{ result: 'invite_required' | 'invite_invalid' | 'invite_used' }>
  /** Nothing was done: the signing key is revoked on the chain, or the pair has issued a key. */
  | Readonly<{ result: 'key_revoked' | 'signatures_used' }>
  | Readonly<{ result: 'relay_refused'; refused: RelayRefusal }>

export type Identity = Readonly<{
  /** Registers in one transaction; concurrent calls for one account or invite are serialised. */
  register(registration: Registration): Promise<RegistrationResult>
  /** Returns a key that is neither expired nor revoked. */
  find(key: string, nowMs: number): Promise<ApiKey | undefined>
  /**
   * Issues a key created by another one, in one transaction. When the account has the maximum,
   * replaces the oldest sign-in key whose scopes the parent has.
   */
  issue(namedKey: NamedKey): Promise<IssueResult>
  /** Changes a live key; undefined when it differs from `key`. */
  amend(key: ApiKey, amendment: KeyAmendment, nowMs: number): Promise<ApiKey | undefined>
  /** Returns those of `keys` that are neither expired nor revoked, with their versions. */
  liveAmong(keys: readonly string[], nowMs: number): Promise<ReadonlyMap<string, number>>
  /** Live keys of an account, newest first. */
  liveKeys(account: string, nowMs: number): Promise<readonly ApiKey[]>
  /**
   * Records the signature of a request; false when it was used before, on any node. Throws when
   * that cannot be determined.
   */
  useSignature(use: SignatureUse): Promise<boolean>
  /** Revokes one live key of the account; false when it has no such key. */
  revoke(account: string, key: string, nowMs: number): Promise<boolean>
  /** Revokes every live key of the account; returns them. */
  revokeAll(account: string, nowMs: number): Promise<readonly string[]>
  /** Writes the times of last use of keys. */
  markUsed(uses: ReadonlyMap<string, number>): Promise<void>
  /**
   * Deletes expired data in bounded steps: keys a day after their end; then registrations of their
   * accounts and dependent data, except the first of accounts on the chain; relays a week after
   * theirs. Returns the number of deleted registrations.
   */
  sweep(nowMs: number): Promise<number>
  /** Adds unused invites by the hashes of their codes. */
  addInvites(hashes: readonly string[], nowMs: number): Promise<void>
  /**
   * Calls `listener` with keys revoked or narrowed by any process, as soon as this one is notified;
   * with `undefined` when notifications may have been missed, so that every key must be looked up
   * again. That repeats every few seconds while this process receives none. Returns a function that
   * stops it.
   */
  onRevoked(listener: (keys: readonly string[] | undefined) => void): () => void
}>
