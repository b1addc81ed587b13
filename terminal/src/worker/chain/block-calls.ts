// Reads contracts as they are at one block: every number of a picture is of the same state.
import { ChainError } from 'openvenue/chain'
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
import type { AskNode } from './rpc-node.ts'

export type BlockHead = Readonly<{ number: number; hash: string; seconds: number }>

/** Returns the newest block of the node. */
export async function readHead(ask: AskNode): Promise<BlockHead> {
  const block = await ask('eth_getBlockByNumber', ['latest', false])
  const { number, hash, timestamp } = (block ?? {}) as Readonly<Record<string, unknown>>
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash))
    throw new ChainError('the node names a block without a hash')
  return { number: quantityOf(number), hash, seconds: quantityOf(timestamp) }
}

/** Returns a whole number of the node. */
export function quantityOf(value: unknown): number {
  const found = typeof value === 'string' && value.startsWith('0x') ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(found)) throw new ChainError('the node says a number that is none')
  return found
}

export class BlockCalls {
  readonly head: BlockHead
  readonly ask: AskNode

  constructor(ask: AskNode, head: BlockHead) {
    this.ask = ask
    this.head = head
  }

  /** Returns what a view function of a contract answers at this block. */
  async read<
    const A extends Abi,
    N extends ContractFunctionName<A, 'pure' | 'view'>,
    const P extends ContractFunctionArgs<A, 'pure' | 'view', N>,
  >(call: ReadContractParameters<A, N, P>): Promise<ReadContractReturnType<A, N, P>> {
    const { address: to, abi, functionName, args } = call as ReadContractParameters
    const data = encodeFunctionData({ abi, functionName, args: args ?? [] })
    // By its hash: a block of the same number that has taken its place is not meant.
    const answer = await this.ask('eth_call', [{ to, data }, { blockHash: this.head.hash }])
    if (typeof answer !== 'string' || answer === '0x')
      throw new ChainError(`there is no contract of the venue at ${to}`)
    try {
      return decodeFunctionResult({ abi, functionName, data: answer as Hex }) as never
    } catch (cause) {
      throw new ChainError(`what ${to} answers to ${functionName} is malformed`, { cause })
    }
  }
}
