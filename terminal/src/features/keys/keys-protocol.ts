// Requests about API keys, the signing key and cancellers.
import type { Question } from '../../protocol/question.ts'

export const SCOPES = ['read', 'trade', 'cancel'] as const
export type KeyScope = (typeof SCOPES)[number]
/** Lifetimes of a new key in hours; empty: until the key of this page ends. */
export const KEY_HOURS = ['', '1', '24', '72'] as const
export type KeyForm = Readonly<{
  name: string
  scopes: readonly KeyScope[]
  /** Addresses and networks as typed, separated by commas or spaces; empty: any address. */
  networks: string
  hours: (typeof KEY_HOURS)[number]
}>
/** The secret appears only in this answer. */
export type NewKey = Readonly<{ name: string; key: string; secret: string }>

export type KeyRow = Readonly<{
  prefix: string
  name: string
  scopes: string
  networks: string
  created: string
  expires: string
  lastUsed: string
  isCurrent: boolean
}>
export type CancellerRow = Readonly<{ address: string; name: string; until: string }>
export type KeysView = Readonly<{
  keys: readonly KeyRow[]
  signingKey: Readonly<{ address: string; until: string; isLive: boolean }>
  cancellers: readonly CancellerRow[]
  /** True if the venue may cancel without a signature. */
  isVenueAllowed: boolean
  hasVenueCanceller: boolean
}>

export type KeyRequests = Readonly<{
  readKeys: Question<null, KeysView>
  makeKey: Question<KeyForm, NewKey>
  revokeKey: Question<Readonly<{ prefix: string }>, null>
  /** Revokes every API key of the account, including that of this page. */
  revokeAllKeys: Question<null, null>
  /** Revokes this page's signing key at the contract, with a wallet transaction. */
  revokeSigningKey: Question<null, null>
  allowVenue: Question<null, null>
  revokeCanceller: Question<Readonly<{ address: string }>, null>
}>
