// Reads contracts and logs as they were at the block of an answer.
import type {
  Abi,
  ContractFunctionArgs,
  ContractFunctionName,
  ReadContractParameters,
  ReadContractReturnType,
} from 'viem'
import { readContract } from '../chain/contract-reads.ts'
import {
  ChainError,
  type ChainLog,
  type ChainRpc,
  LOG_RANGE_BLOCKS,
  type LogFilter,
  readHeader,
  readLogs,
} from '../chain/rpc.ts'
import { UnexpectedAnswerError } from '../errors.ts'
import type { Answer } from '../rest/rest.ts'
import { wait } from '../wait.ts'
import { expectSame } from './differences.ts'

/** Block at which an answer was compared. */
export type VerifiedBlock = Readonly<{
  number: number
  hash: string
  /** Unix time, which gives the age of the answer. A venue may lie by serving an old state. */
  seconds: number
}>

/** Maximum number of ranges that one check reads. Older data is refused, not verified. */
export const LOG_RANGES_MAX = 100
/** Time limit for a node that is behind the venue. */
const NODE_BEHIND_MS_MAX = 10_000
const POLL_MS = 250

/** Options for reading the chain. */
export type ChainReading = Readonly<{
  signal?: AbortSignal | undefined
  /** Number of blocks per `eth_getLogs` request; {@link LOG_RANGE_BLOCKS} by default. */
  logRangeBlocks?: number | undefined
}>

/** View of one block of the chain whose hash is that of the answer. */
export class BlockView {
  readonly block: VerifiedBlock
  readonly #rpc: ChainRpc
  readonly #reading: ChainReading

  private constructor(rpc: ChainRpc, block: VerifiedBlock, reading: ChainReading) {
    this.#rpc = rpc
    this.block = block
    this.#reading = reading
  }

  /**
   * Returns a view of the block of `answer`. Throws a MismatchError if the chain has a different
   * block at its height, and a ChainError if the node does not have the block after 10 s.
   */
  static async of(answer: Answer<unknown>, rpc: ChainRpc, reading: ChainReading = {}) {
    const { blockNumber: number, blockHash } = answer
    if (number === undefined || !Number.isSafeInteger(number) || blockHash === undefined)
      throw new UnexpectedAnswerError('the answer has no block number and hash')
    const { hash, seconds } = await awaitHeader(rpc, number, reading.signal)
    expectSame(`block ${number}`, [['hash', blockHash.toLowerCase(), hash]])
    return new BlockView(rpc, { number, hash, seconds }, reading)
  }

  /** Returns the result of a view function of a contract at this block. */
  async read<
    const A extends Abi,
    N extends ContractFunctionName<A, 'pure' | 'view'>,
    const P extends ContractFunctionArgs<A, 'pure' | 'view', N>,
  >(call: ReadContractParameters<A, N, P>): Promise<ReadContractReturnType<A, N, P>> {
    this.#reading.signal?.throwIfAborted()
    return readContract(this.#rpc, { blockHash: this.block.hash }, call)
  }

  /**
   * Yields the logs that match `filter` from block `from` to this one, range by range. Throws a
   * RangeError for more than 100 ranges.
   */
  async *logs(filter: LogFilter, from: number): AsyncGenerator<ChainLog[]> {
    const { logRangeBlocks = LOG_RANGE_BLOCKS, signal } = this.#reading
    const { number } = this.block
    if (number - from >= logRangeBlocks * LOG_RANGES_MAX)
      throw new RangeError(`block ${from} is more than ${LOG_RANGES_MAX} log ranges back`)
    for (let start = from; start <= number; start += logRangeBlocks) {
      signal?.throwIfAborted()
      const to = Math.min(number, start + logRangeBlocks - 1)
      yield await readLogs(this.#rpc, filter, { from: start, to })
    }
  }

  /** Returns the Unix time of an earlier block. */
  async secondsOf(number: number): Promise<number> {
    const header = await readHeader(this.#rpc, number)
    if (header === undefined) throw new ChainError(`the node does not have block ${number}`)
    return header.seconds
  }

  /** Throws if this block was reorganised away: data read by number may belong to another block. */
  async confirm(): Promise<void> {
    const header = await readHeader(this.#rpc, this.block.number)
    if (header?.hash !== this.block.hash)
      throw new ChainError(`the chain lost block ${this.block.number} while it was read`)
  }
}

async function awaitHeader(rpc: ChainRpc, number: number, signal?: AbortSignal) {
  for (let waitedMs = 0; waitedMs < NODE_BEHIND_MS_MAX; waitedMs += POLL_MS) {
    const header = await readHeader(rpc, number)
    if (header !== undefined) return header
    await wait(POLL_MS, signal)
  }
  throw new ChainError(`the node does not have block ${number}`)
}
