// What the page asks the worker about a wallet, its account and its orders.
import type { Question } from '../question.ts'

export type MoneyForm = Readonly<{ engine: 'spot' | 'perps'; symbol: string; amount: string }>

/** What the page can ask about the account, each with what it sends and what comes back. */
export type AccountRequests = Readonly<{
  /** Makes a test wallet, gets test money for it and enables trading: on a devnet only. */
  startTest: Question<null, null>
  /** Connects the browser's wallet that the page has chosen. */
  connect: Question<Readonly<{ name: string }>, null>
  /** Gets test money for the connected wallet: on a devnet only. */
  getTestMoney: Question<null, null>
  /** Registers a signing key; with an amount it is deposited first. */
  enableTrading: Question<MoneyForm, null>
  deposit: Question<MoneyForm, null>
  withdraw: Question<MoneyForm, null>
  /** The browser's wallet has another account now. */
  walletChanged: Question<null, null>
  /** Forgets keys, the wallet and everything that was shown of the account. */
  signOut: Question<null, null>
}>
