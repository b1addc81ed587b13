// Reads contracts at one block, so that all numbers of a display are of the same state, and logs in
// pages of blocks, because nodes refuse larger ranges.
import {
  type ChainHeader,
  type ChainLog,
  type ChainRpc,
  LOG_RANGE_BLOCKS,
  type LogFilter,
  readContract,
  readLogsInHalves,
} from 'openvenue/chain'
import type {
  Abi,
  ContractFunctionArgs,
  ContractFunctionName,
  ReadContractParameters,
  ReadContractReturnType,
} from 'viem'

type BlockRange = Readonly<{ from: number; to: number }>

export class BlockCalls {
  readonly head: ChainHeader
  readonly #rpc: ChainRpc

  constructor(rpc: ChainRpc, head: ChainHeader) {
    this.#rpc = rpc
    this.head = head
  }

  /** Returns the result of a view function at this block. */
  read<
    const A extends Abi,
    N extends ContractFunctionName<A, 'pure' | 'view'>,
    const P extends ContractFunctionArgs<A, 'pure' | 'view', N>,
  >(call: ReadContractParameters<A, N, P>): Promise<ReadContractReturnType<A, N, P>> {
    return readContract(this.#rpc, { blockHash: this.head.hash }, call)
  }

  /** Returns the logs of a range, split in halves where the node refuses its size. */
  logs(filter: LogFilter, range: BlockRange): Promise<ChainLog[]> {
    return readLogsInHalves(this.#rpc, filter, range)
  }
}

/** Returns pages from the newest block back to `first`, at most `pagesMax`. */
export function pagesBack(first: number, last: number, pagesMax: number): readonly BlockRange[] {
  const pages: BlockRange[] = []
  for (let to = last; to >= first && pages.length < pagesMax; to -= LOG_RANGE_BLOCKS)
    pages.push({ from: Math.max(first, to - LOG_RANGE_BLOCKS + 1), to })
  return pages
}

/** Returns pages from the first block on. */
export function pagesOn(first: number, last: number, pagesMax: number): readonly BlockRange[] {
  const pages: BlockRange[] = []
  for (let from = first; from <= last && pages.length < pagesMax; from += LOG_RANGE_BLOCKS)
    pages.push({ from, to: Math.min(last, from + LOG_RANGE_BLOCKS - 1) })
  return pages
}
