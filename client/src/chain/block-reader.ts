// Reads the blocks of a venue with their events: the past in ranges, new blocks one by one.
import { compileVenueLogs, type VenueLogs } from '@openvenue/contracts/events/venue-logs'
import type { Header, VenueBlock } from '@openvenue/core/events'
import {
  ChainError,
  type ChainLog,
  type ChainRpc,
  type LogFilter,
  readHeader,
  readLogs,
  readLogsInHalves,
} from './rpc.ts'
import type { VenueContracts } from './venue-contracts.ts'

/** Number of headers that are requested at the same time. */
const HEADERS_AT_ONCE = 20

type BlockRange = Readonly<{ from: number; to: number }>

export class BlockReader {
  readonly #rpc: ChainRpc
  readonly #logs: VenueLogs
  readonly #filter: LogFilter

  constructor(rpc: ChainRpc, contracts: Omit<VenueContracts, 'lens'>) {
    this.#rpc = rpc
    this.#logs = compileVenueLogs(contracts)
    this.#filter = { address: this.#logs.addresses, topics: [this.#logs.topics] }
  }

  /** Returns a header; undefined if the node does not have it. */
  header(number: number | 'latest'): Promise<Header | undefined> {
    return readHeader(this.#rpc, number)
  }

  /** Returns the block of `header`. Its logs are requested by block hash. */
  async block(header: Header): Promise<VenueBlock> {
    return this.#assemble(
      header,
      await readLogs(this.#rpc, this.#filter, { blockHash: header.hash }),
    )
  }

  /** Returns the last block of a range and all with logs; halves a range that the node refuses. */
  async range({ from, to }: BlockRange): Promise<VenueBlock[]> {
    const logs = await readLogsInHalves(this.#rpc, this.#filter, { from, to })
    const byNumber = new Map<number, ChainLog[]>()
    for (const log of logs) {
      const blockLogs = byNumber.get(log.blockNumber)
      if (blockLogs === undefined) byNumber.set(log.blockNumber, [log])
      else blockLogs.push(log)
    }
    const numbers = [...new Set([...byNumber.keys(), to])]
    const blocks: VenueBlock[] = []
    for (let start = 0; start < numbers.length; start += HEADERS_AT_ONCE) {
      const some = numbers.slice(start, start + HEADERS_AT_ONCE)
      const headers = await Promise.all(some.map((number) => this.header(number)))
      for (const [index, header] of headers.entries()) {
        if (header === undefined)
          throw new ChainError(`the node does not have block ${some[index]}`)
        blocks.push(this.#assemble(header, byNumber.get(header.number) ?? []))
      }
    }
    return blocks
  }

  #assemble(header: Header, logs: readonly ChainLog[]): VenueBlock {
    const events = logs.flatMap((log) => {
      if (log.blockHash !== header.hash)
        throw new ChainError(`the chain changed while block ${header.number} was read`)
      return this.#logs.decode(log) ?? []
    })
    return { header, events }
  }
}
