// Registrations of signing keys and allowances of the venue's canceller that wait for their
// transaction: the API queues them, and the keeper sends them. Queueing requires valid signatures,
// and puts only a fee at stake.

/** A registration for the accounts contract. Addresses are lower case. */
export type KeyRegistration = Readonly<{
  /** A wallet, or a sub-account's address. */
  wallet: string
  signingKey: string
  /** Unix seconds as signed, up to 2^256 - 1. */
  expiry: bigint
  /** RegisterKey, by the wallet or by the owner of the sub-account. */
  walletSignature: string
  /** AcceptKey, by the key. */
  signingKeySignature: string
}>

/** An AllowCanceller for the accounts contract. Addresses are lower case. */
export type CancellerAllowance = Readonly<{
  wallet: string
  canceller: string
  /** Unix seconds as signed. */
  expiry: bigint
  /** Signature of the wallet, the owner of the sub-account, or a signing key registered by then. */
  signature: string
}>

/** Content of a relay: a key, or an allowance (with the canceller as `signingKey`). */
export type KeyRelayKind = 'key' | 'canceller'

/**
 * `pending`: without a transaction. `sent`: in a transaction. `done`: on the chain. `failed`: given
 * up for `reason`.
 */
export type KeyRelayStatus = 'pending' | 'sent' | 'done' | 'failed'

export type KeyRelay = KeyRegistration &
  Readonly<{
    /** A wallet, key and expiry have one id while they are stored. */
    id: string
    kind: KeyRelayKind
    status: KeyRelayStatus
    /** The newest transaction that carried it. */
    txHash: string | undefined
    /** Error name of the contract, or a code of the keeper; only of a failed relay. */
    reason: string | undefined
    createdMs: number
    updatedMs: number
  }>

/**
 * Maximum number of unfinished relays of a wallet. A wallet needs one per key, and each costs the
 * venue a transaction.
 */
export const WALLET_UNFINISHED_MAX = 5
/**
 * Maximum number of times per day that relays of one wallet are queued, including retries of failed
 * ones. It bounds the cost of a wallet that signs ever later expiries, or whose contract refuses at
 * the last moment.
 */
export const WALLET_DAILY_MAX = 20
/**
 * Maximum gas of a registration. A plain wallet takes less than a quarter of it; the rest is for
 * the contract of a smart wallet, which may burn its gas.
 */
export const REGISTER_GAS_MAX = 600_000
/** Maximum number of unfinished relays: a few minutes of the keeper's work, and one read. */
export const UNFINISHED_MAX = 1000
/** Retention of finished relays, for status requests. */
export const KEPT_FINISHED_MS = 7 * 24 * 3600 * 1000

/** Why a relay was not queued: `wallet_full` is about the wallet's own relays, `full` about all. */
export type RelayRefusal = 'wallet_full' | 'full'

export type KeyRelays = Readonly<{
  /**
   * Queues a registration. A known one is returned in its current state; if it had failed, it is
   * pending again with the newer signatures.
   */
  enqueue(
    registration: KeyRegistration,
    nowMs: number,
  ): Promise<Readonly<{ relay: KeyRelay }> | Readonly<{ refused: RelayRefusal }>>
  /** Queues an allowance, under the same limits. */
  enqueueAllowance(
    allowance: CancellerAllowance,
    nowMs: number,
  ): Promise<Readonly<{ relay: KeyRelay }> | Readonly<{ refused: RelayRefusal }>>
  /** Pending and sent relays, oldest first, at most `limit`. */
  unfinished(limit: number): Promise<readonly KeyRelay[]>
  /** Sets its current transaction. Changes nothing once it is finished. */
  sent(id: string, txHash: string, nowMs: number): Promise<void>
  /** Marks it as on the chain. `txHash` undefined: that of the sent transaction, if any. */
  done(id: string, nowMs: number, txHash?: string): Promise<void>
  /** Gives it up. Changes nothing once it is finished. */
  failed(id: string, reason: string, nowMs: number): Promise<void>
  /** Makes a sent or done relay pending again: its transaction is no longer on the chain. */
  again(id: string, nowMs: number): Promise<void>
  /** Relays of a key of a wallet, newest first. */
  of(wallet: string, signingKey: string): Promise<readonly KeyRelay[]>
  /** The newest registrations of keys of a wallet, newest first, at most `limit`. */
  ofWallet(wallet: string, limit: number): Promise<readonly KeyRelay[]>
  /** The newest allowance of a wallet. */
  newestAllowance(wallet: string): Promise<KeyRelay | undefined>
  /**
   * Calls `signal` when any process may have queued some; with PGlite, only this one. Poll as well.
   * Returns the function that stops it.
   */
  onQueued(signal: () => void): () => void
}>
