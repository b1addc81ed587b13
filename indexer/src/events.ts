// Turns the logs of a block into its events, for all contracts of a deployment.
import { compileVenueLogs } from '@openvenue/contracts/events/venue-logs'
import type { LoggedEvent } from '@openvenue/core/events'
import type { ChainLog, LogFilter } from './chain.ts'
import { type Deployment, factoryVersions } from './deployment.ts'
import { ANNOUNCEMENT_TOPICS, type PoolVersion } from './pool-events.ts'

/** Knows the contracts of one deployment. */
export type EventReader = Readonly<{
  /** Asks a node for the logs of the venue's own contracts. */
  filter: LogFilter
  /** As `filter`, with the factories of pools. */
  widerFilter: LogFilter
  /** Which version of pools each factory makes, by lower-case address. */
  factories: ReadonlyMap<string, PoolVersion>
  /** Whether a contract of the deployment stands at `address` (lower-case), or a factory. */
  isKnown(address: string): boolean
  /** Returns the event that `log` says, or undefined if the venue keeps nothing of it. */
  decodeLog(log: ChainLog): LoggedEvent | undefined
}>

/** Compiles the decoders of `deployment`. */
export function compileEvents(deployment: Deployment): EventReader {
  const { addresses, topics, decode } = compileVenueLogs(deployment)
  const known = new Set(addresses)
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
    isKnown: (address) => known.has(address) || factories.has(address),
    decodeLog: decode,
  }
}
