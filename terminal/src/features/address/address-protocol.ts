// Requests about any address, answered from the chain.
import type { Question } from '../../protocol/question.ts'
import type { BalanceRow, Fact, TableRow } from '../tables/table-protocol.ts'

/** An account viewed without a key, as read from the chain. */
export type AddressOverview = Readonly<{
  address: string
  kind: string
  /** False if the venue's contracts have never seen the address. */
  isKnown: boolean
  block: string
  facts: readonly Fact[]
  balances: readonly BalanceRow[]
  positions: readonly TableRow[]
  orders: readonly TableRow[]
  /** Data that was not read, and why. */
  limits: readonly string[]
}>

export type AddressRequests = Readonly<{
  lookAt: Question<Readonly<{ address: string }>, AddressOverview>
}>
