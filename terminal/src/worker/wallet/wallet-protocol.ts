// What the page shows of the wallet, and what it asks the browser's wallet for the worker.

/** What is about to be signed or sent, in words: each line is a name and a value. */
export type Words = Readonly<{ title: string; lines: readonly (readonly [string, string])[] }>

export type Step = Readonly<{
  id: string
  text: string
  state: 'waiting' | 'now' | 'done' | 'failed'
  /** Where it failed, why. */
  problem: string
}>

/** A transaction of this visit; `url` is of the block explorer, empty where there is none. */
export type TxView = Readonly<{
  id: string
  text: string
  state: 'sent' | 'done' | 'failed'
  url: string
}>

/** The wallet is on another chain than the venue: both in words. */
export type WrongChain = Readonly<{ is: string; wanted: string }>

export type TokenRow = Readonly<{ symbol: string; inWallet: string }>

/** `test`: made here, for play money on a devnet. */
export type WalletView = Readonly<{
  kind: 'loading' | 'none' | 'test' | 'injected'
  /** Of the wallet's program: as the page finds it, and as it is called. */
  id: string
  name: string
  address: string
  /** The beginning and the end of the address. */
  short: string
  network: string
  isDevnet: boolean
  /** Orders can be signed and placed. */
  isEnabled: boolean
  /** What is being done, step by step, or was done last. */
  steps: readonly Step[]
  isBusy: boolean
  tokens: readonly TokenRow[]
  txs: readonly TxView[]
  wrongChain: WrongChain | undefined
  /** The wallet lets its person wait. */
  isSlow: boolean
  /** What was begun in an earlier visit and is not done, in words; empty: nothing. */
  unfinished: string
}>

export const NO_WALLET: WalletView = {
  ...{ kind: 'loading', id: '', name: '', address: '', short: '', network: '', isDevnet: false },
  ...{ isEnabled: false, steps: [], isBusy: false, tokens: [], txs: [], isSlow: false },
  ...{ wrongChain: undefined, unfinished: '' },
}

/** What the browser's wallet is asked; with words where the person has to agree first. */
export type WalletAsked = Readonly<{
  id: number
  /** Which of the wallets that the page has found. */
  wallet: string
  method: string
  params: readonly unknown[]
  words: Words | undefined
}>
export type WalletAnswered = Readonly<{ kind: 'wallet'; id: number }> &
  Readonly<{ result: unknown } | { code: number; message: string }>
