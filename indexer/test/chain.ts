// An in-memory chain that answers like a node. It forks, rolls back and fails on command.
import { createHash } from 'node:crypto'
import { type RpcCall, RpcError } from '@openvenue/runtime/json-rpc'
import type { Hex } from 'viem'
import { keccak256 } from 'viem/utils'
import type { Rpc } from '../src/rpc.ts'
import { FakeVenue, impossibleLogs, openingLogs, type VenueLog } from './venue.ts'

type Block = {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  readonly seconds: number
  readonly logs: readonly VenueLog[]
  /** The venue after it; dropped once the block is too deep to be forked from. */
  venue: FakeVenue | undefined
}

const COPY_FORK = 1_000_000
const FORK_DEPTH_MAX = 100

type MineOptions = Readonly<{
  blocks: number
  /** Actions in each block; 0: an empty one. */
  actions: number
  /** Draws a different continuation of the chain. */
  seed?: number
}>

const START_SECONDS = 1_760_000_000
const ZERO_BLOOM = `0x${'0'.repeat(512)}`
const FULL_BLOOM = `0x${'f'.repeat(512)}`
const quantity = (value: number) => `0x${value.toString(16)}`
const hashParts = (...parts: readonly unknown[]) =>
  `0x${createHash('sha256').update(parts.join(' ')).digest('hex')}`

/** Block 0 is empty, block 1 opens the venue, the rest trades. Two blocks share each second. */
export class FakeChain {
  readonly #genesis: string
  #blocks: Block[]
  #fork = 0
  /** Real chains may leave blooms unfilled: all zeros, or all ones. */
  blooms: 'honest' | 'zero' | 'full' = 'honest'
  /** False: the node does not support eth_getBlockReceipts. */
  hasReceipts = true
  /** Called before each request; its error becomes the node's answer. */
  beforeCall: (calls: readonly RpcCall[]) => void = () => {}

  /** Chains with another `genesis` have no block in common. */
  constructor(seed: number, genesis = 'nothing') {
    const venue = FakeVenue.create(seed)
    this.#genesis = genesis
    this.#blocks = [this.#block(undefined, [], venue)]
    this.#add(openingLogs(START_SECONDS), venue)
  }

  get head(): Block {
    return this.#blocks.at(-1) as Block
  }

  /** Returns the head as a newHeads message. */
  headMessage = (): object => this.#message(this.head)

  mine({ blocks, actions, seed }: MineOptions): void {
    for (let mined = 0; mined < blocks; mined++) {
      const venue = this.#venue().clone(mined === 0 ? seed : undefined)
      this.#add(venue.trade(actions, blockSeconds(this.head.number + 1)), venue)
    }
  }

  /** Returns a chain of the same blocks with a different continuation. */
  copy(): FakeChain {
    const copy = new FakeChain(0)
    copy.#blocks = [...this.#blocks]
    copy.#fork = this.#fork + COPY_FORK
    return copy
  }

  /** Mines a block that cancels an order that was never placed. */
  mineImpossible(): void {
    this.#add(impossibleLogs(), this.#venue())
  }

  /** Removes the newest `depth` blocks. */
  rollBack(depth: number): void {
    this.#blocks = this.#blocks.slice(0, -depth)
  }

  /** Replaces the newest `depth` blocks by `options.blocks` others. */
  reorg(depth: number, options: MineOptions): void {
    this.rollBack(depth)
    this.#fork++
    this.mine({ seed: this.#fork, ...options })
  }

  /** Answers like a node: the only function that a follower needs. */
  readonly rpc: Rpc = async (calls) => {
    this.beforeCall(calls)
    return calls.map((call) => this.answer(call))
  }

  /** Returns the result of one call; throws an `RpcError` of kind `refused`. */
  answer({ method, params }: RpcCall): unknown {
    const [first] = params
    if (method === 'eth_chainId') return quantity(5042002)
    if (method === 'eth_getBlockByNumber') return this.#blockAt(String(first))
    if (method === 'eth_getLogs') return this.#logs(first as Record<string, string>)
    if (method === 'eth_getBlockTransactionCountByHash')
      return this.blockNumber(String(first)) === undefined ? null : '0x1'
    if (method === 'eth_getBlockReceipts' && this.hasReceipts) return this.#receipts(String(first))
    throw new RpcError('refused', `no method ${method}`)
  }

  /** Returns the number of the block with `hash`, if the chain has it. */
  blockNumber = (hash: string): number | undefined =>
    this.#blocks.findLast((block) => block.hash === hash)?.number

  #receipts(blockHash: string): object[] | null {
    const block = this.#blocks.findLast(({ hash }) => hash === blockHash)
    return block === undefined ? null : logMessages(block).map((log) => ({ logs: [log] }))
  }

  #message(block: Block): object {
    const blooms = {
      honest: () => computeBloom(block.logs),
      zero: () => ZERO_BLOOM,
      full: () => FULL_BLOOM,
    }
    return { ...blockMessage(block), logsBloom: blooms[this.blooms]() }
  }

  #blockAt(tag: string): object | null {
    const block = tag === 'latest' ? this.head : this.#blocks[Number(tag)]
    return block === undefined ? null : this.#message(block)
  }

  #logs({ blockHash, fromBlock, toBlock }: Record<string, string>): object[] {
    if (blockHash !== undefined) {
      const block = this.#blocks.findLast(({ hash }) => hash === blockHash)
      if (block === undefined) throw new RpcError('refused', 'unknown block')
      return logMessages(block)
    }
    if (Number(toBlock) > this.head.number) throw new RpcError('refused', 'beyond the head')
    return this.#blocks.slice(Number(fromBlock), Number(toBlock) + 1).flatMap(logMessages)
  }

  #venue(): FakeVenue {
    const { venue } = this.head
    if (venue === undefined) throw new Error(`a fork is at most ${FORK_DEPTH_MAX} blocks deep`)
    return venue
  }

  #add(logs: readonly VenueLog[], venue: FakeVenue): void {
    this.#blocks.push(this.#block(this.head, logs, venue))
    const deep = this.#blocks.at(-FORK_DEPTH_MAX - 2)
    if (deep !== undefined) deep.venue = undefined
  }

  #block(parent: Block | undefined, logs: readonly VenueLog[], venue: FakeVenue): Block {
    const number = parent === undefined ? 0 : parent.number + 1
    const parentHash = parent?.hash ?? hashParts(this.#genesis)
    const hash = hashParts(parentHash, number, this.#fork, logs.length)
    return { number, hash, parentHash, seconds: blockSeconds(number), logs, venue }
  }
}

const blockSeconds = (number: number) => START_SECONDS + Math.floor(number / 2)

const blockMessage = ({ number, hash, parentHash, seconds }: Block) => ({
  number: quantity(number),
  hash,
  parentHash,
  timestamp: quantity(seconds),
})

/**
 * Returns the bloom filter of a header: three bits for each address and first topic. A real one has
 * bits for the other topics too, which are never checked; hashing them all would take seconds.
 */
function computeBloom(logs: readonly VenueLog[]): string {
  const bytes = Buffer.alloc(256)
  for (const item of logs.flatMap(({ address, topics }) => [address, topics[0] ?? address]))
    for (const bit of hashBits(item))
      bytes[255 - (bit >> 3)] = (bytes[255 - (bit >> 3)] ?? 0) | (1 << (bit & 7))
  return `0x${bytes.toString('hex')}`
}

const BITS = new Map<string, readonly number[]>()

function hashBits(item: string): readonly number[] {
  const cached = BITS.get(item)
  if (cached !== undefined) return cached
  const hash = keccak256(item as Hex, 'bytes')
  const bits = [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047)
  BITS.set(item, bits)
  return bits
}

const logMessages = ({ number, hash, seconds, logs }: Block) =>
  logs.map((log, index) => ({
    ...log,
    blockNumber: quantity(number),
    blockHash: hash,
    blockTimestamp: quantity(seconds),
    logIndex: quantity(index),
    transactionIndex: quantity(index),
    transactionHash: hashParts(hash, index),
    removed: false,
  }))
