// What the second pages ask the worker: results, keys, other accounts. It is answered by a part of
// the worker that is loaded with the first of these questions.
import type { Question } from '../question.ts'
import type { BalanceRow, Cell, TableRow } from '../tables/table-protocol.ts'

/** A name, its value, and in words what it means. */
export type Fact = Readonly<{ name: string; value: string; side: Cell['side']; says: string }>

/** Days of a portfolio that are looked at, today (UTC) included; `all` has no beginning. */
export const PERIODS = ['1', '7', '30', '90', 'all'] as const
export type Period = (typeof PERIODS)[number]

/** The `d` of a line of equity in a box of {@link CURVE}, and what stands at its edges. */
export type EquityView = Readonly<{
  path: string
  high: string
  low: string
  from: string
  to: string
  /** The last of each day, newest first, for whoever does not see the line. */
  rows: readonly TableRow[]
}>
export const CURVE = { width: 640, height: 180 } as const

export type PortfolioView = Readonly<{
  /** Whether the account has any past. */
  isEmpty: boolean
  readAt: string
  now: readonly Fact[]
  period: readonly Fact[]
  equity: EquityView
  days: readonly TableRow[]
  /** Where the table of days does not go back as far as the period: that it does not. */
  limit: string
}>
export const DAY_COLUMNS = ['Day (UTC)', 'Result', 'Realized', 'Fees', 'Funding', 'Volume', 'Fills']
export const EQUITY_COLUMNS = ['Day (UTC)', 'Equity']

export const SCOPES = ['read', 'trade', 'cancel'] as const
export type Scope = (typeof SCOPES)[number]
/** How long a new key lives, in hours; none: as long as the key of this page. */
export const KEY_HOURS = ['', '1', '24', '72'] as const
export type KeyForm = Readonly<{
  name: string
  scopes: readonly Scope[]
  /** Addresses and networks as they were typed, parted by commas or spaces; none: from anywhere. */
  networks: string
  hours: (typeof KEY_HOURS)[number]
}>
/** The secret is in this answer and nowhere else. */
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
export type CancellerRow = Readonly<{ address: string; who: string; until: string }>
export type KeysView = Readonly<{
  keys: readonly KeyRow[]
  signingKey: Readonly<{ address: string; until: string; isLive: boolean }>
  cancellers: readonly CancellerRow[]
  /** Whether the venue may cancel now, which it needs no signature for then. */
  isVenueAllowed: boolean
  hasVenueCanceller: boolean
}>

/** An account that is only looked at: what the chain says of it. */
export type LookedAt = Readonly<{
  address: string
  kind: string
  /** False: the venue's contracts have never seen the address. */
  isKnown: boolean
  block: string
  facts: readonly Fact[]
  balances: readonly BalanceRow[]
  positions: readonly TableRow[]
  orders: readonly TableRow[]
  /** What was not read, and why. */
  limits: readonly string[]
}>
export const LOOK_POSITION_COLUMNS = ['Market', 'Size', 'Value', 'Entry', 'Mark', 'PnL']
export const LOOK_ORDER_COLUMNS = ['Market', 'Side', 'Price', 'Amount', 'Good until']

export type AccountRow = Readonly<{
  address: string
  name: string
  equity: string
  /** As it would be typed. */
  movable: string
  /** Orders are placed for it, and tables show it. */
  isActing: boolean
  isMain: boolean
}>
/** `from` and `to` are addresses; one of them is the wallet's own account. */
export type Move = Readonly<{ sub: string; isBack: boolean; amount: string }>

export type Offer = Readonly<{ symbol: string; amount: string }>

export type PageRequests = Readonly<{
  readPortfolio: Question<Readonly<{ period: Period }>, PortfolioView>
  /** Texts of CSV files, with every digit. */
  exportPortfolio: Question<Readonly<{ period: Period; what: 'days' | 'equity' }>, string>
  readKeys: Question<null, KeysView>
  makeKey: Question<KeyForm, NewKey>
  revokeKey: Question<Readonly<{ prefix: string }>, null>
  /** Ends every API key of the account, that of this page as well. */
  revokeAllKeys: Question<null, null>
  /** Ends this page's signing key, at the contract: the wallet sends that. */
  revokeSigningKey: Question<null, null>
  allowVenue: Question<null, null>
  revokeCanceller: Question<Readonly<{ address: string }>, null>
  lookAt: Question<Readonly<{ address: string }>, LookedAt>
  readAccounts: Question<null, readonly AccountRow[]>
  openSubAccount: Question<null, null>
  moveMoney: Question<Move, null>
  /** Has orders, tables and keys be those of that account; it gets a key the first time. */
  actAs: Question<Readonly<{ address: string }>, null>
  readFaucet: Question<null, readonly Offer[]>
}>
