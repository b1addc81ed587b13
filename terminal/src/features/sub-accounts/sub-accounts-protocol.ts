// Requests about sub-accounts.
import type { Question } from '../../protocol/question.ts'

export type AccountRow = Readonly<{
  address: string
  name: string
  equity: string
  /** The transferable amount, in the format of the input field. */
  movable: string
  /** Orders are placed for it, and tables show it. */
  isActing: boolean
  isMain: boolean
}>
/** `sub` is an address; the other side is the wallet's own account. */
export type Move = Readonly<{ sub: string; isBack: boolean; amount: string }>

export type SubAccountRequests = Readonly<{
  readAccounts: Question<null, readonly AccountRow[]>
  openSubAccount: Question<null, null>
  moveMoney: Question<Move, null>
  /** Selects an account for orders, tables and keys; its first use registers a key. */
  actAs: Question<Readonly<{ address: string }>, null>
}>
