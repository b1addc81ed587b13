// Reads contracts and logs of a chain as they were at one block: the block of an answer.
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
import {
  ask,
  ChainError,
  type ChainLog,
  type ChainRpc,
  type LogFilter,
  readHeader,
  readLogs,
} from '../chain/rpc.ts'
import { UnexpectedAnswerError } from '../errors.ts'
import type { Answer } from '../rest/rest.ts'
import { wait } from '../waiting.ts'
import { expectSame } from './differences.ts'

/** The block that an answer was compared at. */
export type VerifiedBlock = Readonly<{
  number: number
  hash: string
  /** Its time: how old the answer is. A venue may lie by showing what was true before. */
  seconds: number
}>

/** Blocks that one `eth_getLogs` asks for: what public nodes commonly allow. */
export const LOG_RANGE_BLOCKS = 10_000
/** Ranges that one check reads. What lies further back is not verified, but refused. */
export const LOG_RANGES_MAX = 100
/** A node may be behind the venue. */
const NODE_BEHIND_MS_MAX = 10_000
const POLL_MS = 250

/** How the chain is read. */
export type ChainReading = Readonly<{
  signal?: AbortSignal | undefined
  /** Blocks that one `eth_getLogs` asks for; {@link LOG_RANGE_BLOCKS} by default. */
  logRangeBlocks?: number | undefined
}>

/** One block of the chain, once its hash is known to be that of the answer. */
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
   * Returns the block that `answer` says it is of. Throws a MismatchError where the chain has
   * another in its place, and a ChainError where the node has none after 10 s.
   */
  static async of(answer: Answer<unknown>, rpc: ChainRpc, reading: ChainReading = {}) {
    const { blockNumber: number, blockHash } = answer
    if (number === undefined || !Number.isSafeInteger(number) || blockHash === undefined)
      throw new UnexpectedAnswerError('the answer does not say which block it is of')
    const { hash, seconds } = await awaitHeader(rpc, number, reading.signal)
    expectSame(`block ${number}`, [['hash', blockHash.toLowerCase(), hash]])
    return new BlockView(rpc, { number, hash, seconds }, reading)
  }

  /** Returns what a view function of a contract answers at this block. */
  async read<
    const A extends Abi,
    N extends ContractFunctionName<A, 'pure' | 'view'>,
    const P extends ContractFunctionArgs<A, 'pure' | 'view', N>,
  >(call: ReadContractParameters<A, N, P>): Promise<ReadContractReturnType<A, N, P>> {
    this.#reading.signal?.throwIfAborted()
    const { address: to, abi, functionName, args } = call as ReadContractParameters
    const data = encodeFunctionData({ abi, functionName, args: args ?? [] })
    const answer = await ask(this.#rpc, 'eth_call', [{ to, data }, { blockHash: this.block.hash }])
    if (answer === '0x') throw new ChainError(`there is no contract at ${to}`)
    return decodeFunctionResult({ abi, functionName, data: answer as Hex }) as never
  }

  /**
   * Yields the logs from block `from` up to this one that `filter` wants, range by range. Throws a
   * RangeError where that is more than 100 ranges.
   */
  async *logs(filter: LogFilter, from: number): AsyncGenerator<ChainLog[]> {
    const { logRangeBlocks = LOG_RANGE_BLOCKS, signal } = this.#reading
    const { number } = this.block
    if (number - from >= logRangeBlocks * LOG_RANGES_MAX)
      throw new RangeError(`block ${from} is more than ${LOG_RANGES_MAX} ranges of logs ago`)
    for (let start = from; start <= number; start += logRangeBlocks) {
      signal?.throwIfAborted()
      const to = Math.min(number, start + logRangeBlocks - 1)
      yield await readLogs(this.#rpc, filter, { from: start, to })
    }
  }

  /** Returns the time of an earlier block. */
  async secondsOf(number: number): Promise<number> {
    const header = await readHeader(this.#rpc, number)
    if (header === undefined) throw new ChainError(`the node has not got block ${number}`)
    return header.seconds
  }

  /** Throws where the chain has lost this block since: what was read by numbers is of another. */
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
  throw new ChainError(`the node has not got block ${number}`)
}
