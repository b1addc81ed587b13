// A fake node over the blocks of a scenario: headers, logs, and views that a test provides.
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { lensAbi } from '@openvenue/contracts/abi/lens'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import type { VenueBlock } from '@openvenue/core/events'
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from 'viem'
import { type FakeLog, logsOf } from './event-logs.ts'

const ABI = [
  ...accountsAbi,
  ...lensAbi,
  ...perpsAbi,
  ...spotAbi,
  ...parseAbi([
    'function decimals() view returns (uint8)',
    'function balanceOf(address holder) view returns (uint256)',
  ]),
].filter(({ type }) => type === 'function')

/** Answer of a view function; `to` is the contract. */
export type Views = Readonly<Record<string, (args: readonly unknown[], to: string) => unknown>>

type Request = Readonly<{ method: string; params?: readonly unknown[] }>
type Filter = Readonly<{
  address: readonly string[]
  topics: readonly (readonly string[])[]
  fromBlock?: string
  toBlock?: string
  blockHash?: string
}>

export class FakeChain {
  /** Blocks that the node has now: a test adds, removes and replaces them. */
  blocks: readonly VenueBlock[]
  views: Views = {}
  /** Number of requests that fail before the node recovers. */
  failures = 0
  /** Maximum number of blocks per `eth_getLogs`; larger ranges are refused. */
  rangeMax = Number.POSITIVE_INFINITY
  /** Logs that the node leaves out. */
  hides: (log: FakeLog) => boolean = () => false
  readonly methods: string[] = []
  /** Caches logs, since encoding is the most expensive step. */
  readonly #logs = new WeakMap<VenueBlock, readonly FakeLog[]>()

  constructor(blocks: readonly VenueBlock[]) {
    this.blocks = blocks
  }

  async request(args: { method: never; params?: never }): Promise<unknown> {
    const { method, params = [] } = args as Request
    this.methods.push(method)
    if (this.failures-- > 0) throw new Error('the node is down')
    const [first] = params
    if (method === 'eth_getBlockByNumber') return this.#header(String(first))
    if (method === 'eth_getLogs') return this.#find(first as Filter)
    if (method === 'eth_call') return this.#call(first as { to: string; data: Hex })
    throw new Error(`the node does not know ${method}`)
  }

  #header(which: string) {
    const block =
      which === 'latest'
        ? this.blocks.at(-1)
        : this.blocks.find(({ header }) => header.number === Number(which))
    if (block === undefined) return null
    const { number, hash, parentHash, seconds } = block.header
    const timestamp = `0x${seconds.toString(16)}`
    return { number: `0x${number.toString(16)}`, hash, parentHash, timestamp }
  }

  #find({ address, topics, fromBlock, toBlock, blockHash }: Filter): readonly FakeLog[] {
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    if (to - from >= this.rangeMax) throw new Error('the range is too large')
    return this.blocks
      .filter(({ header: { number, hash } }) =>
        blockHash === undefined ? number >= from && number <= to : hash === blockHash,
      )
      .flatMap((block) => this.#logsOf(block))
      .filter((log) => address.includes(log.address))
      .filter((log) => topics.every((topic, index) => topic.includes(log.topics[index] ?? '')))
      .filter((log) => !this.hides(log))
  }

  #logsOf(block: VenueBlock): readonly FakeLog[] {
    const logs = this.#logs.get(block) ?? logsOf(block)
    this.#logs.set(block, logs)
    return logs
  }

  #call({ to, data }: Readonly<{ to: string; data: Hex }>): Hex {
    const { functionName, args = [] } = decodeFunctionData({ abi: ABI, data })
    const view = this.views[functionName]
    if (view === undefined) throw new Error(`the test gives no ${functionName}`)
    const abi = ABI.filter((item) => 'name' in item && item.name === functionName).slice(0, 1)
    return encodeFunctionResult({ abi, functionName, result: view(args, to) } as never)
  }
}
