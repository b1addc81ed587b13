// A proposal of the timelock: calls that are announced, wait, and are executed together.
import { governanceAbi } from '@openvenue/contracts/abi/governance'
import { encodeAbiParameters, encodeFunctionData, type Hex, keccak256, toHex } from 'viem'

/** A call sent through the timelock, without value. */
export type GovernedCall = Readonly<{ name: string; to: Hex; data: Hex }>

/**
 * `executionData` encodes the calls; its hash with the mode is the proposal's id. `salt`
 * distinguishes proposals with the same calls.
 */
export type Proposal = Readonly<{ id: Hex; mode: Hex; executionData: Hex }>

/** A batch of calls with additional data: ERC-7821. */
const MODE: Hex = '0x0100000000007821000100000000000000000000000000000000000000000000'

const CALLS = [
  {
    type: 'tuple[]',
    components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
  },
  { type: 'bytes' },
] as const

/** No predecessor is required; the salt that follows only makes the id unique. */
const NO_PREDECESSOR = `0x${'0'.repeat(64)}` as const

export function makeProposal(calls: readonly GovernedCall[], salt: string): Proposal {
  const rows = calls.map(({ to, data }) => [to, 0n, data] as const)
  const opData: Hex = `${NO_PREDECESSOR}${keccak256(toHex(salt)).slice(2)}`
  const executionData = encodeAbiParameters(CALLS, [rows, opData])
  const id = keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'bytes32' }],
      [MODE, keccak256(executionData)],
    ),
  )
  return { id, mode: MODE, executionData }
}

export const proposeData = ({ mode, executionData }: Proposal, delaySeconds: bigint): Hex =>
  encodeFunctionData({
    abi: governanceAbi,
    functionName: 'propose',
    args: [mode, executionData, delaySeconds],
  })

export const executeData = ({ mode, executionData }: Proposal): Hex =>
  encodeFunctionData({
    abi: governanceAbi,
    functionName: 'execute',
    args: [mode, executionData],
  })

export const cancelData = (id: Hex): Hex =>
  encodeFunctionData({ abi: governanceAbi, functionName: 'cancel', args: [id] })
