// Decodes the logs of a block to events, for all contracts of a deployment.
import { compileVenueLogs } from '@openvenue/contracts/events/venue-logs'
import type { LoggedEvent } from '@openvenue/core/events'
import type { ChainLog, LogFilter } from './chain.ts'
import { factoryVersions, type IndexerDeployment } from './deployment.ts'
import { ANNOUNCEMENT_TOPICS, type PoolVersion } from './pool-events.ts'

/** Contracts of one deployment. */
export type EventReader = Readonly<{
  /** Filter for the logs of the venue's own contracts. */
  filter: LogFilter
  /** Filter that also includes pool factories. */
  widerFilter: LogFilter
  /** Pool version of each factory, by lower-case address. */
  factories: ReadonlyMap<string, PoolVersion>
  /** Returns whether `address` (lower-case) is a contract of the deployment or a factory. */
  isKnown(address: string): boolean
  /** Decodes a log; undefined if the venue does not keep it. */
  decodeLog(log: ChainLog): LoggedEvent | undefined
}>

/** Compiles the decoders of `deployment`. */
export function compileEvents(deployment: IndexerDeployment): EventReader {
  const { addresses, topics, decode } = compileVenueLogs(deployment)
  const engines = new Set(addresses)
  const factories = factoryVersions(deployment)
  const filter: LogFilter = { address: addresses, topics: [topics] }
  const widerFilter: LogFilter = {
    address: [...addresses, ...factories.keys()],
    topics: [[...topics, ...ANNOUNCEMENT_TOPICS]],
  }
  return {
    filter,
    widerFilter: factories.size === 0 ? filter : widerFilter,
    factories,
    isKnown: (address) => engines.has(address) || factories.has(address),
    decodeLog: decode,
  }
}
