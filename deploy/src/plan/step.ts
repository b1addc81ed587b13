// A step of a deployment: one transaction, and the state that it brings about.
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import type { Contract, ContractName } from './contracts.ts'

export type DeployStep = Readonly<{
  /** Unique in a venue: `spot`, `list ETH-USDC`. */
  name: string
  /** The contract whose owner has to send it; undefined: any account may. */
  owned: ContractName | undefined
  to: Hex | undefined
  data: Hex
  gas: bigint
  /** The required nonce; undefined: any. */
  nonce: number | undefined
  /** Result of `read` once the step is done. */
  expected: string
  /** Returns the value on chain as text. */
  read(): Promise<string>
}>

type CallTerms = Readonly<{
  name: string
  contract: Contract
  functionName: string
  args: readonly unknown[]
  gas: bigint
  expected: string
  read(): Promise<string>
  isPermissionless?: boolean
}>

/** Returns the step that calls a function of a contract. */
export const callStep = ({ contract, functionName, args, ...terms }: CallTerms): DeployStep => ({
  name: terms.name,
  owned: terms.isPermissionless === true ? undefined : contract.name,
  to: contract.address,
  data: encodeFunctionData({ abi: contract.abi as Abi, functionName, args }),
  gas: terms.gas,
  nonce: undefined,
  expected: terms.expected,
  read: terms.read,
})
