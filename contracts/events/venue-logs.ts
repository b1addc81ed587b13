// Filters and decodes the logs of the venue's own contracts.
import type { LoggedEvent } from '@openvenue/core/events'
import type { AbiEvent } from 'viem'
import { toEventSelector } from 'viem/utils'
import { accountsAbi } from '../abi/accounts.ts'
import { perpsAbi } from '../abi/perps.ts'
import { pushOracleAbi } from '../abi/push-oracle.ts'
import { spotAbi } from '../abi/spot.ts'
import { compileDecoder, type EncodedLog, pickEvents } from './decode.ts'
import { type ContractKind, eventNames, makeTranslator } from './translate.ts'

/** ABIs of each kind of tracked contract. */
export const ABIS = { accounts: accountsAbi, spot: spotAbi, perps: perpsAbi, oracle: pushOracleAbi }

/** Addresses may be in any case. */
export type ContractAddresses = Readonly<{
  accounts: string
  spot: string
  perps: string
  /** Every oracle an engine reads. */
  oracles: readonly string[]
}>

/** A log of a contract: lower-case hex. */
export type ContractLog = EncodedLog &
  Readonly<{ address: string; logIndex: number; txHash: string }>

/** Returns the kind of each tracked contract, by lower-case address. */
function contractKinds(contracts: ContractAddresses): ReadonlyMap<string, ContractKind> {
  const { accounts, spot, perps, oracles } = contracts
  return new Map<string, ContractKind>([
    [accounts.toLowerCase(), 'accounts'],
    [spot.toLowerCase(), 'spot'],
    [perps.toLowerCase(), 'perps'],
    ...oracles.map((oracle): [string, ContractKind] => [oracle.toLowerCase(), 'oracle']),
  ])
}

/** Returns the tracked events of a contract of `kind`, as declared by its ABI. */
export const followedEvents = (kind: ContractKind): readonly AbiEvent[] =>
  pickEvents(ABIS[kind], eventNames(kind))

/** The logs of one venue. */
export type VenueLogs = Readonly<{
  /** Log filter: lower-case addresses, and the first topics of the tracked events. */
  addresses: readonly string[]
  topics: readonly string[]
  /** Returns the event in `log`, or undefined if the venue does not record it. */
  decode(log: ContractLog): LoggedEvent | undefined
}>

/** Compiles the decoders of `contracts`. */
export function compileVenueLogs(contracts: ContractAddresses): VenueLogs {
  const kinds = contractKinds(contracts)
  const readers = new Map(
    [...kinds].map(([address, kind]) => {
      const decode = compileDecoder(followedEvents(kind))
      return [address, { decode, translate: makeTranslator(kind, address) }]
    }),
  )
  const events = [...new Set(kinds.values())].flatMap(followedEvents)
  return {
    addresses: [...kinds.keys()],
    topics: [...new Set(events.map((event) => toEventSelector(event) as string))],
    decode: (log) => {
      const reader = readers.get(log.address)
      const decoded = reader?.decode(log)
      const event = decoded && reader?.translate(decoded)
      // Assigned, not spread: a spread of every event would halve the rate of a backfill.
      return event && Object.assign(event, { logIndex: log.logIndex, txHash: log.txHash })
    },
  }
}
