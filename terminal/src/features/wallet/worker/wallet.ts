// The interface of a wallet, created here or in the browser.
import type { Address, Call, Hex, Signer } from 'openvenue/signing'
import type { Request } from './chain-rpc.ts'
import type { CallSummary } from './signing-words.ts'

/** The text of a step, its call, and the description that the user agrees to first. */
export type PlannedCall = Readonly<{ text: string; call: Call; words: CallSummary }>

export type Wallet = Readonly<{
  kind: 'test' | 'injected'
  name: string
  address: Address
  signer: Signer
  /** Sends a call to the chain and returns its hash, after showing its description. */
  send: (call: Call, words: CallSummary) => Promise<Hex>
  /** Returns true if the wallet can send several calls atomically (EIP-5792). */
  canBatch: () => Promise<boolean>
  /** Sends calls as one batch, and returns once they are included. */
  sendBatch: (calls: readonly Call[], words: CallSummary) => Promise<Hex>
  request: Request
}>

/** The chain that a wallet must be on. */
export type WalletNetwork = Readonly<{
  name: string
  chainId: number
  rpcUrls: readonly string[]
  explorerUrl: string
  currency: Readonly<{ symbol: string; decimals: number }>
  /** Gas terms, as in GET /info. */
  fee_floor_wei: string
  tip_wei: string
}>

/** Name of the network on which money has no value. */
export const DEVNET = 'devnet'
