// What the page asks the worker about a wallet, its account and its orders.
import type { Question } from '../question.ts'

export type MoneyForm = Readonly<{ engine: 'spot' | 'perps'; symbol: string; amount: string }>

/** What is to be said of an amount before it is sent. */
export type MoneyCheck = Readonly<{
  /** Why it can not be deposited, or withdrawn; empty: it can. */
  deposit: string
  withdraw: string
  /** All that there is, as it would be typed; empty where that is not known. */
  depositMax: string
  withdrawMax: string
  /** A limit of the venue on what leaves it; empty without one. */
  limit: string
}>

/** What the page can ask about the account, each with what it sends and what comes back. */
export type AccountRequests = Readonly<{
  /** Makes a test wallet, gets test money for it and enables trading: on a devnet only. */
  startTest: Question<null, null>
  /** Connects the browser's wallet that the page has chosen. */
  connect: Question<Readonly<{ id: string; name: string }>, null>
  /** Has the wallet change to the venue's chain, which it may have to learn of first. */
  switchChain: Question<null, null>
  /** Waits no longer for what the wallet has not answered. */
  stopWaiting: Question<null, null>
  /** Goes on with what was begun before the page was left. */
  resume: Question<null, null>
  /** What an amount is worth trying, before the wallet is asked. */
  checkMoney: Question<MoneyForm, MoneyCheck>
  /** Gets test money for the connected wallet: on a devnet only. */
  getTestMoney: Question<null, null>
  /** Registers a signing key; with an amount it is deposited first. */
  enableTrading: Question<MoneyForm, null>
  deposit: Question<MoneyForm, null>
  withdraw: Question<MoneyForm, null>
  /** The browser's wallet has another account or chain now, or is disconnected. */
  walletChanged: Question<null, null>
  /** Forgets keys, the wallet and everything that was shown of the account. */
  signOut: Question<null, null>
}>
