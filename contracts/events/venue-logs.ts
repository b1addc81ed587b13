// Knows the logs of the venue's own contracts: which to ask a node for, and what each says.
import type { LoggedEvent } from '@openvenue/core/events'
import type { AbiEvent } from 'viem'
import { toEventSelector } from 'viem/utils'
import { accountsAbi } from '../abi/accounts.ts'
import { perpsAbi } from '../abi/perps.ts'
import { pushOracleAbi } from '../abi/push-oracle.ts'
import { spotAbi } from '../abi/spot.ts'
import { compileDecoder, type EncodedLog, pickEvents } from './decode.ts'
import { type ContractKind, eventNames, makeTranslator } from './translate.ts'

/** Of each kind of contract that is followed. */
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

/** Returns what each followed contract is, by lower-case address. */
export function contractKinds(contracts: ContractAddresses): ReadonlyMap<string, ContractKind> {
  const { accounts, spot, perps, oracles } = contracts
  return new Map<string, ContractKind>([
    [accounts.toLowerCase(), 'accounts'],
    [spot.toLowerCase(), 'spot'],
    [perps.toLowerCase(), 'perps'],
    ...oracles.map((oracle): [string, ContractKind] => [oracle.toLowerCase(), 'oracle']),
  ])
}

/** Returns the events that a contract of `kind` is followed for, as its ABI declares them. */
export const followedEvents = (kind: ContractKind): readonly AbiEvent[] =>
  pickEvents(ABIS[kind], eventNames(kind))

/** The logs of one venue. */
export type VenueLogs = Readonly<{
  /** What to ask a node for: lower-case addresses, and the first topics of what is followed. */
  addresses: readonly string[]
  topics: readonly string[]
  /** Returns the event that `log` says, or undefined if the venue keeps nothing of it. */
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
