// Requests of the page to the worker about a wallet, its account and its orders.
import type { Question } from '../../protocol/question.ts'

export type MoneyForm = Readonly<{ engine: 'spot' | 'perps'; symbol: string; amount: string }>

/** Problems and limits of an amount, computed before it is sent. */
export type MoneyCheck = Readonly<{
  /** Why it cannot be deposited or withdrawn; empty if it can. */
  deposit: string
  withdraw: string
  /** The whole balance as it would be typed; empty while unknown. */
  inWallet: string
  withdrawMax: string
  /** The largest deposit that the cap allows. */
  depositMax: string
  /** Room left under the deposit cap; empty without a cap. */
  depositLeft: string
  /** Limits of the venue on deposits and withdrawals; empty without one. */
  limit: string
}>

/** Requests about the account, with their parameters and results. */
export type AccountRequests = Readonly<{
  /** Creates a test wallet, gets test money for it and enables trading; devnet only. */
  startTest: Question<null, null>
  /** Connects the browser wallet that was chosen in the page. */
  connect: Question<Readonly<{ id: string; name: string }>, null>
  /** Asks the wallet to switch to the venue's chain, and to add the chain first if necessary. */
  switchChain: Question<null, null>
  /** Stops waiting for a request that the wallet has not answered. */
  stopWaiting: Question<null, null>
  /** Continues steps that an earlier visit left unfinished. */
  resume: Question<null, null>
  /** Checks an amount before the wallet is asked. */
  checkMoney: Question<MoneyForm, MoneyCheck>
  /** Gets test money for the connected wallet; devnet only. */
  getTestMoney: Question<null, null>
  /** Registers a signing key, after depositing the amount if one is given. */
  enableTrading: Question<MoneyForm, null>
  deposit: Question<MoneyForm, null>
  withdraw: Question<MoneyForm, null>
  /** Reports that the browser wallet switched account or chain, or was disconnected. */
  walletChanged: Question<null, null>
  /** Forgets the keys, the wallet and all displayed data of the account. */
  signOut: Question<null, null>
}>
