// What the page asks the worker about a wallet, its account and its orders.
import type { Question } from './question.ts'

/** What the page can ask about the account, each with what it sends and what comes back. */
export type AccountRequests = Readonly<{
  /** Forgets keys, the wallet and everything that was shown of the account. */
  signOut: Question<null, null>
}>
