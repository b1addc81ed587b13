// Reads contracts at one block, so that all numbers of a display are of the same state, and logs in
// pages of blocks, because nodes refuse larger ranges.
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
import * as text from '../text.ts'
import { type AskNode, NodeRefusal } from './rpc-node.ts'

/** Blocks per log query that public nodes commonly allow. */
const PAGE_BLOCKS = 10_000

export type BlockHead = Readonly<{ number: number; hash: string; seconds: number }>

export async function readHead(ask: AskNode): Promise<BlockHead> {
  const block = await ask('eth_getBlockByNumber', ['latest', false])
  const { number, hash, timestamp } = (block ?? {}) as Readonly<Record<string, unknown>>
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash)) throw new ChainError(text.noHash)
  return { number: quantityOf(number), hash, seconds: quantityOf(timestamp) }
}

/** Returns a whole number from a node's answer. */
function quantityOf(value: unknown): number {
  const quantity = typeof value === 'string' && value.startsWith('0x') ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(quantity)) throw new ChainError(text.invalidNumber)
  return quantity
}

export class BlockCalls {
  readonly head: BlockHead
  readonly ask: AskNode

  constructor(ask: AskNode, head: BlockHead) {
    this.ask = ask
    this.head = head
  }

  /** Returns the result of a view function at this block. */
  async read<
    const A extends Abi,
    N extends ContractFunctionName<A, 'pure' | 'view'>,
    const P extends ContractFunctionArgs<A, 'pure' | 'view', N>,
  >(call: ReadContractParameters<A, N, P>): Promise<ReadContractReturnType<A, N, P>> {
    const { address: to, abi, functionName, args } = call as ReadContractParameters
    const data = encodeFunctionData({ abi, functionName, args: args ?? [] })
    // The hash, not the number, so that a block that replaced this one after a reorg is not read.
    const answer = await this.ask('eth_call', [{ to, data }, { blockHash: this.head.hash }])
    if (typeof answer !== 'string' || answer === '0x')
      throw new ChainError(text.noContract(`${to}`))
    try {
      return decodeFunctionResult({ abi, functionName, data: answer as Hex }) as never
    } catch (cause) {
      throw new ChainError(text.malformedAnswer(`${to}`, functionName), { cause })
    }
  }
}

type LogFilter = Readonly<{
  address: readonly string[]
  /** Null matches any topic. */
  topics: readonly (readonly string[] | null)[]
}>
/** A log, in lower case. */
export type NodeLog = Readonly<{ address: string; topics: readonly string[]; data: string }>
type Range = Readonly<{ from: number; to: number }>

/** Returns the logs of a range, split in halves where the node refuses its size. */
export async function readLogs(ask: AskNode, filter: LogFilter, range: Range): Promise<NodeLog[]> {
  const { from, to } = range
  try {
    return await readPage(ask, filter, range)
  } catch (error) {
    if (!(error instanceof NodeRefusal) || from === to) throw error
    const middle = Math.floor((from + to) / 2)
    const lower = await readLogs(ask, filter, { from, to: middle })
    return lower.concat(await readLogs(ask, filter, { from: middle + 1, to }))
  }
}

/** Returns pages from the newest block back to `first`, at most `pagesMax`. */
export function pagesBack(first: number, last: number, pagesMax: number): readonly Range[] {
  const pages: Range[] = []
  for (let to = last; to >= first && pages.length < pagesMax; to -= PAGE_BLOCKS)
    pages.push({ from: Math.max(first, to - PAGE_BLOCKS + 1), to })
  return pages
}

/** Returns pages from the first block on. */
export function pagesOn(first: number, last: number, pagesMax: number): readonly Range[] {
  const pages: Range[] = []
  for (let from = first; from <= last && pages.length < pagesMax; from += PAGE_BLOCKS)
    pages.push({ from, to: Math.min(last, from + PAGE_BLOCKS - 1) })
  return pages
}

async function readPage(ask: AskNode, filter: LogFilter, { from, to }: Range) {
  const blocks = { fromBlock: hex(from), toBlock: hex(to) }
  const logs = await ask('eth_getLogs', [{ ...filter, ...blocks }])
  if (!Array.isArray(logs)) throw new ChainError(text.noLogs)
  return logs.map(parseLog)
}

const hex = (value: number): string => `0x${value.toString(16)}`

function parseLog(value: unknown): NodeLog {
  const { address, topics, data, blockNumber } = (value ?? {}) as Readonly<Record<string, unknown>>
  quantityOf(blockNumber)
  if (!Array.isArray(topics)) throw new ChainError(text.noTopics)
  return { address: hexOf(address), topics: topics.map(hexOf), data: hexOf(data) }
}

function hexOf(value: unknown): string {
  if (typeof value !== 'string' || !/^0x[0-9a-f]*$/i.test(value))
    throw new ChainError(text.malformedLog)
  return value.toLowerCase()
}
