// Joins headers and logs, which are read separately: a block has exactly the logs with its hash.
import type { LoggedEvent, VenueBlock } from '@openvenue/core/events'
import { type ChainHeader, type ChainLog, movedError, plainHeader } from './chain.ts'
import type { EventReader } from './events.ts'

/**
 * Returns a block for each of `headers`, which ascend, with the events of `logs`. Throws an
 * `RpcError` of kind `moved` when they belong to different chains: a second read may help.
 */
export function assembleBlocks(
  headers: readonly ChainHeader[],
  logs: readonly ChainLog[],
  decodeLog: EventReader['decodeLog'],
): VenueBlock[] {
  let next = 0
  const blocks = headers.map((header): VenueBlock => {
    const events: LoggedEvent[] = []
    for (; logs[next]?.blockNumber === header.number; next++) {
      const log = logs[next] as ChainLog
      if (log.blockHash !== header.hash) throw movedError(header.number)
      const event = decodeLog(log)
      if (event !== undefined) events.push(event)
    }
    return { header: plainHeader(header), events }
  })
  if (next < logs.length) throw movedError(logs[next]?.blockNumber ?? 0)
  return blocks
}
