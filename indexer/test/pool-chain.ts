// An in-memory chain with logs of factories and pools only, whose node applies the given filters.
import { createHash } from 'node:crypto'
import { type RpcCall, RpcError } from '@openvenue/runtime/json-rpc'
import type { AbiEvent } from 'viem'
import { v2FactoryAbi, v2PairAbi, v3FactoryAbi, v3PoolAbi } from '../src/amm-abi.ts'
import { type ChainHeader, type LogFilter, parseHeader } from '../src/chain.ts'
import type { IndexerDeployment } from '../src/deployment.ts'
import type { Rpc } from '../src/rpc.ts'
import { encodeEvent } from './encode.ts'
import { FAKE_DEPLOYMENT, type VenueLog } from './venue.ts'

const V2_FACTORY = `0x${'f2'.repeat(20)}`
export const V3_FACTORY = `0x${'f3'.repeat(20)}`
export const POOLS_DEPLOYMENT: IndexerDeployment = {
  ...FAKE_DEPLOYMENT,
  // In any case, as in deployment files.
  v2Factories: [V2_FACTORY.replace('f', 'F')],
  v3Factories: [V3_FACTORY],
}

const START_SECONDS = 1_760_000_000
const quantity = (value: number) => `0x${value.toString(16)}`
const hashParts = (...parts: readonly unknown[]) =>
  `0x${createHash('sha256').update(parts.join(' ')).digest('hex')}`

/** Returns the address of a fake pool or token. */
export const fakeAddress = (kind: string, index: number) =>
  `0x${Buffer.from(kind).toString('hex')}${index.toString(16).padStart(40 - kind.length * 2, '0')}`

const EVENTS = {
  v2Factory: v2FactoryAbi,
  v3Factory: v3FactoryAbi,
  pair: v2PairAbi,
  pool: v3PoolAbi,
} as const

/** Returns a log of `address`. */
export function encodeLog(
  address: string,
  contract: keyof typeof EVENTS,
  name: string,
  values: Readonly<Record<string, unknown>>,
): VenueLog {
  const event = (EVENTS[contract] as readonly AbiEvent[]).find((item) => item.name === name)
  if (event === undefined) throw new Error(`${contract} has no event ${name}`)
  return { address, ...encodeEvent(event, values) }
}

export const pairCreated = (pair: string, token0: string, token1: string): VenueLog =>
  encodeLog(V2_FACTORY, 'v2Factory', 'PairCreated', { token0, token1, pair, count: 1n })

export const synced = (pair: string, reserve0: bigint, reserve1: bigint): VenueLog =>
  encodeLog(pair, 'pair', 'Sync', { reserve0, reserve1 })

type Block = Readonly<{
  number: number
  hash: string
  parentHash: string
  logs: readonly VenueLog[]
}>

export class PoolChain {
  readonly #blocks: Block[] = []
  /** Maximum number of logs in an answer; more are refused as too large. */
  logsMax = Number.POSITIVE_INFINITY
  /** Maximum number of contracts in one filter; more are refused. */
  addressesMax = Number.POSITIVE_INFINITY
  /** Filters of the requested logs, by request. */
  readonly requests: LogFilter[][] = []
  /** Number of calls to tokens. */
  tokenCalls = 0

  constructor() {
    this.mine([])
  }

  mine(...blocks: (readonly VenueLog[])[]): void {
    for (const logs of blocks) {
      const parentHash = this.#blocks.at(-1)?.hash ?? hashParts('nothing')
      const number = this.#blocks.length
      this.#blocks.push({
        number,
        hash: hashParts(parentHash, number, logs.length),
        parentHash,
        logs,
      })
    }
  }

  get head(): ChainHeader {
    return parseHeader(blockMessage(this.#blocks.at(-1)))
  }

  readonly rpc: Rpc = async (calls) => {
    const filters = calls.flatMap(({ method, params }) =>
      method === 'eth_getLogs' ? [params[0] as LogFilter] : [],
    )
    if (filters.length > 0) this.requests.push(filters)
    const answers = calls.map((call) => this.#answer(call))
    const logs = answers.flatMap((answer) => (Array.isArray(answer) ? answer : []))
    if (logs.length > this.logsMax) throw new RpcError('tooLarge', 'fake')
    return answers
  }

  #answer({ method, params }: RpcCall): unknown {
    const [first] = params
    if (method === 'eth_getLogs') return this.#logs(first as LogFilter & Record<string, string>)
    if (method === 'eth_getBlockByNumber') return blockMessage(this.#blocks[Number(first)]) ?? null
    if (method === 'eth_getBlockTransactionCountByHash') return '0x1'
    this.tokenCalls++
    return '0x'
  }

  #logs(filter: LogFilter & Record<string, string>): object[] {
    const { address, topics, blockHash, fromBlock, toBlock } = filter
    if (address.length > this.addressesMax) throw new RpcError('refused', 'too many addresses')
    const addresses = new Set(address)
    const topicSet = new Set(topics[0])
    const blocks =
      blockHash === undefined
        ? this.#blocks.slice(Number(fromBlock), Number(toBlock) + 1)
        : this.#blocks.filter(({ hash }) => hash === blockHash)
    return blocks.flatMap((block) =>
      block.logs
        .map((log, index) => ({ ...log, ...logPosition(block, index) }))
        .filter((log) => addresses.has(log.address) && topicSet.has(log.topics[0] ?? '')),
    )
  }
}

const logPosition = ({ number, hash }: Block, index: number) => ({
  blockNumber: quantity(number),
  blockHash: hash,
  logIndex: quantity(index),
  transactionHash: hashParts(hash, index),
})

const blockMessage = (block: Block | undefined) =>
  block && {
    number: quantity(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: quantity(START_SECONDS + block.number),
    logsBloom: `0x${'f'.repeat(512)}`,
  }
