// What a wallet can do, whether it was made here or is the browser's.
import type { Address, Call, Hex, Signer } from 'openvenue/signing'
import type { Request } from './chain-rpc.ts'
import type { CallWords } from './signing-words.ts'

/** A step in words, what is sent, and what the person agrees to first. */
export type PlannedCall = Readonly<{ text: string; call: Call; words: CallWords }>

export type Wallet = Readonly<{
  kind: 'test' | 'injected'
  name: string
  address: Address
  signer: Signer
  /** Sends a call to the chain and returns its hash; what it does is said in words first. */
  send: (call: Call, words: CallWords) => Promise<Hex>
  /** Whether it sends several calls as one, all or none (EIP-5792). */
  canBatch: () => Promise<boolean>
  /** Sends calls as one, and returns once the chain has them. */
  sendBatch: (calls: readonly Call[], words: CallWords) => Promise<Hex>
  /** Reads the chain. */
  request: Request
}>

/** The chain that a wallet is to be on. */
export type Network = Readonly<{
  name: string
  chainId: number
  rpcUrls: readonly string[]
  explorerUrl: string
  /** What gas is paid in. */
  currency: Readonly<{ symbol: string; decimals: number }>
  /** What is offered for gas, as GET /info has it. */
  fee_floor_wei: string
  tip_wei: string
}>

/** Of the network where money is for play. */
export const DEVNET = 'devnet'
