// Registrations of signing keys, and allowances of the venue's canceller, that wait for their
// transaction: the API queues them, the keeper sends them. Valid signatures are needed to queue
// one, and nothing but a fee is at stake.

/** A registration for the contract of accounts. Addresses are lower case. */
export type KeyRegistration = Readonly<{
  /** A wallet, or a sub-account's address. */
  wallet: string
  signingKey: string
  /** Unix seconds as they were signed, up to 2^256 - 1. */
  expiry: bigint
  /** RegisterKey, by the wallet or by the owner of the sub-account. */
  walletSignature: string
  /** AcceptKey, by the key. */
  signingKeySignature: string
}>

/** An AllowCanceller for the contract of accounts. Addresses are lower case. */
export type CancellerAllowance = Readonly<{
  wallet: string
  canceller: string
  /** Unix seconds as they were signed. */
  expiry: bigint
  /** By the wallet, the owner of the sub-account, or a signing key that is registered by then. */
  signature: string
}>

/** What a relay brings: a key, or an allowance (`signingKey` is the canceller then). */
export type KeyRelayKind = 'key' | 'canceller'

/**
 * `pending`: no transaction carries it. `sent`: one does. `done`: the chain has it. `failed`: it
 * was given up, for `reason`.
 */
export type KeyRelayStatus = 'pending' | 'sent' | 'done' | 'failed'

export type KeyRelay = KeyRegistration &
  Readonly<{
    /** One wallet, key and expiry have one id for as long as they are remembered. */
    id: string
    kind: KeyRelayKind
    status: KeyRelayStatus
    /** The newest transaction that carried it. */
    txHash: string | undefined
    /** Of a failed one: the contract's error by its name, or a word of the keeper's. */
    reason: string | undefined
    createdMs: number
    updatedMs: number
  }>

/**
 * Relays of one wallet that may be unfinished at a time. A wallet needs one per key, and every one
 * costs the venue a transaction.
 */
export const WALLET_UNFINISHED_MAX = 5
/**
 * Times in a day that relays of one wallet are queued, failed ones that are tried again included: a
 * wallet that signs ever later expiries, or whose own contract refuses at the last moment, costs no
 * more than this.
 */
export const WALLET_DAILY_MAX = 20
/**
 * Gas that a registration may take. That of a plain wallet takes less than a quarter of it; the
 * rest is for the contract of a smart one, which may burn what it is given.
 */
export const REGISTER_GAS_MAX = 600_000
/** Unfinished relays of all wallets: what the keeper works off in minutes, and reads at once. */
export const UNFINISHED_MAX = 1000
/** Finished relays are remembered so long, for those who ask how it went. */
export const KEPT_FINISHED_MS = 7 * 24 * 3600 * 1000

/** Why one was not queued: `wallet_full` is about the wallet's own relays, `full` about all. */
export type RelayRefused = 'wallet_full' | 'full'

export type KeyRelays = Readonly<{
  /**
   * Queues a registration. One that is known already is returned as it stands; if it had failed it
   * is pending again, with the newer signatures.
   */
  enqueue(
    registration: KeyRegistration,
    nowMs: number,
  ): Promise<Readonly<{ relay: KeyRelay }> | Readonly<{ refused: RelayRefused }>>
  /** Queues an allowance, under the same bounds. */
  enqueueAllowance(
    allowance: CancellerAllowance,
    nowMs: number,
  ): Promise<Readonly<{ relay: KeyRelay }> | Readonly<{ refused: RelayRefused }>>
  /** Pending and sent ones, oldest first, at most `limit`. */
  unfinished(limit: number): Promise<readonly KeyRelay[]>
  /** Says which transaction carries it now. Changes nothing once it is finished. */
  sent(id: string, txHash: string, nowMs: number): Promise<void>
  /** The chain has it. `txHash` undefined: the one that was sent, if any. */
  done(id: string, nowMs: number, txHash?: string): Promise<void>
  /** Gives it up. Changes nothing once it is finished. */
  failed(id: string, reason: string, nowMs: number): Promise<void>
  /** Makes a sent or done one pending again: its transaction is no longer on the chain. */
  again(id: string, nowMs: number): Promise<void>
  /** Relays of a key of a wallet, newest first. */
  of(wallet: string, signingKey: string): Promise<readonly KeyRelay[]>
  /** The newest registrations of keys of a wallet, newest first, at most `limit`. */
  ofWallet(wallet: string, limit: number): Promise<readonly KeyRelay[]>
  /** The newest allowance of a wallet. */
  newestAllowance(wallet: string): Promise<KeyRelay | undefined>
  /**
   * Calls `signal` when some may have been queued, by any process that notifies; where the database
   * notifies nobody (PGlite) only by this one. Ask now and then as well. Returns what stops it.
   */
  onQueued(signal: () => void): () => void
}>
