// Reads view functions of contracts.
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type ReadContractParameters,
  type ReadContractReturnType,
} from 'viem'
import { ask, ChainError, type ChainRpc } from './rpc.ts'

/** The newest block, or one by its hash: a block that replaced it after a reorg is not read. */
export type ReadBlock = 'latest' | Readonly<{ blockHash: string }>

/**
 * Returns the result of a view function at a block. Throws a {@link ChainError} if there is no
 * contract, or if its answer does not fit the ABI.
 */
export async function readContract<
  const A extends Abi,
  N extends ContractFunctionName<A, 'pure' | 'view'>,
  const P extends ContractFunctionArgs<A, 'pure' | 'view', N>,
>(
  rpc: ChainRpc,
  block: ReadBlock,
  call: ReadContractParameters<A, N, P>,
): Promise<ReadContractReturnType<A, N, P>> {
  const { address: to, abi, functionName, args } = call as ReadContractParameters
  const data = encodeFunctionData({ abi, functionName, args: args ?? [] })
  const answer = await ask(rpc, 'eth_call', [{ to, data }, block])
  if (typeof answer !== 'string' || answer === '0x')
    throw new ChainError(`there is no contract at ${to}`)
  try {
    return decodeFunctionResult({ abi, functionName, data: answer as Hex }) as never
  } catch (cause) {
    throw new ChainError(`malformed answer of ${to} to ${functionName}`, { cause })
  }
}
