// Reads the venue's events as they happen, for those who trade on them.
import type { LoggedEvent } from '@openvenue/core/events'
import { parseLogs } from '@openvenue/indexer/chain'
import { compileEvents, type EventReader } from '@openvenue/indexer/events'
import type { Deployment } from './deployment.ts'
import { type ChainRpc, quantity } from './rpc.ts'

/** Reads events block after block, each once. */
export class VenueLog {
  readonly #rpc: ChainRpc
  readonly #reader: EventReader
  #nextBlock: number

  constructor(rpc: ChainRpc, deployment: Deployment, nextBlock: number) {
    this.#rpc = rpc
    this.#reader = compileEvents(deployment)
    this.#nextBlock = nextBlock
  }

  /** Returns the events since the last call, in the order of the chain. */
  async read(): Promise<readonly LoggedEvent[]> {
    const head = Number(await this.#rpc.call('eth_blockNumber'))
    if (head < this.#nextBlock) return []
    const range = { fromBlock: quantity(this.#nextBlock), toBlock: quantity(head) }
    const logs = parseLogs(
      await this.#rpc.call('eth_getLogs', { ...range, ...this.#reader.filter }),
    )
    this.#nextBlock = head + 1
    return logs.flatMap((log) => this.#reader.decodeLog(log) ?? [])
  }
}
