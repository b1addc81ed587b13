// A step of a deployment: one transaction, and what stands once it was done.
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import type { Contract, ContractName } from './contracts.ts'

export type Step = Readonly<{
  /** Unique in a venue: `spot`, `list ETH-USDC`. */
  name: string
  /** The contract whose owner has to send it; undefined: anybody may. */
  owned: ContractName | undefined
  to: Hex | undefined
  data: Hex
  gas: bigint
  /** The nonce that it must have; undefined: any. */
  nonce: number | undefined
  /** What `read` says once it is done. */
  wanted: string
  /** Says what stands, in words. */
  read(): Promise<string>
}>

type CallTerms = Readonly<{
  name: string
  contract: Contract
  functionName: string
  args: readonly unknown[]
  gas: bigint
  wanted: string
  read(): Promise<string>
  isForAnybody?: boolean
}>

/** Returns the step that calls a function of a contract. */
export const callStep = ({ contract, functionName, args, ...terms }: CallTerms): Step => ({
  name: terms.name,
  owned: terms.isForAnybody === true ? undefined : contract.name,
  to: contract.address,
  data: encodeFunctionData({ abi: contract.abi as Abi, functionName, args }),
  gas: terms.gas,
  nonce: undefined,
  wanted: terms.wanted,
  read: terms.read,
})
