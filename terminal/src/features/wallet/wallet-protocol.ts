// Views of the wallet, and the worker's requests to the browser's wallet.

/** Description of what is about to be signed or sent: each line is a name and a value. */
export type RequestSummary = Readonly<{
  title: string
  lines: readonly (readonly [string, string])[]
}>

export type TaskStep = Readonly<{
  id: string
  text: string
  state: 'waiting' | 'now' | 'done' | 'failed'
  problem: string
}>

/** A transaction of this visit; `url` is in the block explorer, empty if there is none. */
export type TxView = Readonly<{
  id: string
  text: string
  state: 'sent' | 'done' | 'failed'
  url: string
}>

/** The wallet is on another chain than the venue: names of both. */
type WrongChain = Readonly<{ walletNetwork: string; venueNetwork: string }>

export type TokenRow = Readonly<{ symbol: string; inWallet: string }>

/** `test`: created in this page, for test money on a devnet. */
export type WalletView = Readonly<{
  kind: 'loading' | 'none' | 'test' | 'injected'
  /** Id and name of the wallet program. */
  id: string
  name: string
  address: string
  /** First and last digits of the address. */
  short: string
  network: string
  isDevnet: boolean
  /** Orders can be signed and placed. */
  isEnabled: boolean
  /** Steps in progress, or those completed last. */
  steps: readonly TaskStep[]
  isBusy: boolean
  tokens: readonly TokenRow[]
  txs: readonly TxView[]
  wrongChain: WrongChain | undefined
  /** The wallet is waiting for the user. */
  isSlow: boolean
  /** Description of steps that an earlier visit left unfinished; empty: none. */
  unfinished: string
}>

export const NO_WALLET: WalletView = {
  ...{ kind: 'loading', id: '', name: '', address: '', short: '', network: '', isDevnet: false },
  ...{ isEnabled: false, steps: [], isBusy: false, tokens: [], txs: [], isSlow: false },
  ...{ wrongChain: undefined, unfinished: '' },
}

/** A request to the browser's wallet; with a description if the user must agree first. */
export type WalletRequestMessage = Readonly<{
  id: number
  /** Id of the wallet, as found by the page. */
  wallet: string
  method: string
  params: readonly unknown[]
  words: RequestSummary | undefined
}>
export type WalletAnswerMessage = Readonly<{ kind: 'wallet'; id: number }> &
  Readonly<{ result: unknown } | { code: number; message: string }>
