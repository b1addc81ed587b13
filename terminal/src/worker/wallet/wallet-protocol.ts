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

export type TokenRow = Readonly<{ symbol: string; inWallet: string }>

/** `test`: made here, for play money on a devnet. */
export type WalletView = Readonly<{
  kind: 'loading' | 'none' | 'test' | 'injected'
  /** Of the wallet's program. */
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
}>

export const NO_WALLET: WalletView = {
  ...{ kind: 'loading', name: '', address: '', short: '', network: '', isDevnet: false },
  ...{ isEnabled: false, steps: [], isBusy: false, tokens: [] },
}

/** What the browser's wallet is asked; with words where the person has to agree first. */
export type WalletAsked = Readonly<{
  id: number
  /** Name of the wallet's program. */
  wallet: string
  method: string
  params: readonly unknown[]
  words: Words | undefined
}>
export type WalletAnswered = Readonly<{ kind: 'wallet'; id: number }> &
  Readonly<{ result: unknown } | { code: number; message: string }>
