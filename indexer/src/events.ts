// Turns the logs of a block into its events, for all contracts of a deployment.
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import type { LoggedEvent } from '@openvenue/core/events'
import type { AbiEvent } from 'viem'
import { toEventSelector } from 'viem/utils'
import type { ChainLog, LogFilter } from './chain.ts'
import { compileDecoder, pickEvents } from './decode.ts'
import { type ContractKind, contractKinds, type Deployment, factoryVersions } from './deployment.ts'
import { ANNOUNCEMENT_TOPICS, type PoolVersion } from './pool-events.ts'
import { eventNames, makeTranslator } from './translate.ts'

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

/** Of each kind of contract that is followed. */
export const ABIS = { accounts: accountsAbi, spot: spotAbi, perps: perpsAbi, oracle: pushOracleAbi }

/** Returns the events that a contract of `kind` is followed for, as its ABI declares them. */
export const followedEvents = (kind: ContractKind): readonly AbiEvent[] =>
  pickEvents(ABIS[kind], eventNames(kind))

/** Compiles the decoders of `deployment`. */
export function compileEvents(deployment: Deployment): EventReader {
  const contracts = contractKinds(deployment)
  const readers = new Map(
    [...contracts].map(([address, kind]) => {
      const decode = compileDecoder(followedEvents(kind))
      return [address, { decode, translate: makeTranslator(kind, address) }]
    }),
  )
  const events = [...new Set(contracts.values())].flatMap(followedEvents)
  const factories = factoryVersions(deployment)
  const topics = [...new Set(events.map((event) => toEventSelector(event) as string))]
  const filter: LogFilter = { address: [...contracts.keys()], topics: [topics] }
  const widerFilter: LogFilter = {
    address: [...filter.address, ...factories.keys()],
    topics: [[...topics, ...ANNOUNCEMENT_TOPICS]],
  }
  return {
    filter,
    widerFilter: factories.size === 0 ? filter : widerFilter,
    factories,
    isKnown: (address) => contracts.has(address) || factories.has(address),
    decodeLog: (log) => {
      const reader = readers.get(log.address)
      const decoded = reader?.decode(log)
      const event = decoded && reader?.translate(decoded)
      // Assigned, not spread: a spread of every event would halve the rate of a backfill.
      return event && Object.assign(event, { logIndex: log.logIndex, txHash: log.txHash })
    },
  }
}
