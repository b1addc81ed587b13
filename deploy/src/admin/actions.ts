// Timelock calls by name. Without a name: all calls that bring the chain to venue.json.
import { governanceAbi } from '@openvenue/contracts/abi/governance'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import type { Chain } from '../chain/chain.ts'
import { nearestWord } from '../config/check-shape.ts'
import { ANYBODY, type VenueTerms } from '../config/venue-terms.ts'
import { byName, type Contract, type ContractName, requireContract } from '../plan/contracts.ts'
import { bytes32 } from '../plan/names.ts'
import { holderText } from '../plan/steps.ts'
import type { GovernedCall } from './proposal.ts'

/** A call and its change: `read` returns the value on chain, before and after. */
export type Action = GovernedCall &
  Readonly<{
    expected: string
    read(): Promise<string>
  }>

export type ActionScope = Readonly<{
  chain: Chain
  terms: VenueTerms
  contracts: readonly Contract[]
}>

type Maker = (parts: ActionScope, args: readonly string[]) => Action

/** Role ids of the timelock by the names of venue.json. */
export const ROLES: Readonly<Record<string, bigint>> = { proposer: 1n, executor: 2n, canceller: 3n }
const OWNED: readonly ContractName[] = [
  'oracle',
  'pythSource',
  'chainlinkSource',
  'spot',
  'perps',
  'insurance',
  'fees',
]

/** The arguments of each are in `USAGE`. */
const MAKERS: Readonly<Record<string, Maker>> = {
  halt: (parts, [market = '']) => haltAction(parts, findMarket(parts, market), true),
  resume: (parts, [market = '']) => haltAction(parts, findMarket(parts, market), false),
  pause: (parts, [asset = '']) => pauseAction(parts, findAsset(parts, asset), true),
  unpause: (parts, [asset = '']) => pauseAction(parts, findAsset(parts, asset), false),
  'set-delay': (parts, [seconds = '']) =>
    makeCall(parts, 'governance', {
      name: `delay of governance`,
      functionName: 'setMinDelay',
      args: [parseWholeNumber('set-delay', seconds)],
      view: { functionName: 'minDelay' },
      expected: seconds,
    }),
  grant: (parts, [role = '', who = '']) => roleAction(parts, [role, who], true),
  revoke: (parts, [role = '', who = '']) => roleAction(parts, [role, who], false),
  'offer-ownership': (parts, [name = '', to = '']) =>
    makeCall(parts, requireOneOf('contract', name, OWNED), {
      name: `pending owner of ${name}`,
      functionName: 'offerOwnership',
      args: [parseAddress(to)],
      view: { functionName: 'pendingOwner' },
      expected: to,
    }),
  'end-market': (parts, [market = '']) => {
    const { number } = findMarket(parts, market, 'perps')
    return makeCall(parts, 'perps', {
      name: `end of ${market}`,
      functionName: 'announceEnd',
      args: [number],
      expected: 'announced',
    })
  },
}

export const USAGE = `  halt MARKET, resume MARKET, pause ASSET, unpause ASSET, end-market MARKET
  set-delay SECONDS, grant ROLE ADDRESS, revoke ROLE ADDRESS (or anybody)
  (roles: ${Object.keys(ROLES).join(', ')})
  offer-ownership CONTRACT ADDRESS
  (without an action: every change that brings the chain to venue.json)`

/** Returns the call for `name`; throws `ConfigInvalid`. */
export function makeAction(parts: ActionScope, name: string, args: readonly string[]): Action {
  const maker = MAKERS[requireOneOf('action', name, Object.keys(MAKERS))]
  if (maker === undefined) throw new ConfigInvalid(USAGE)
  return maker(parts, args)
}

type CallTerms = Readonly<{
  name: string
  functionName: string
  args: readonly unknown[]
  /** View that reads the current value; absent: the chain has none. */
  view?: Readonly<{ functionName: string; args?: readonly unknown[]; member?: string }>
  expected: string
}>

/** Returns a call of a contract with the description of its change. */
export function makeCall(parts: ActionScope, contractName: ContractName, terms: CallTerms): Action {
  const contract = requireContract(byName(parts.contracts), contractName)
  const { abi, address: to } = contract
  const { name, functionName, args, view, expected } = terms
  const data = encodeFunctionData({ abi: abi as Abi, functionName, args })
  const read = async () => {
    if (view === undefined) return 'not readable'
    const { member, ...call } = view
    const result = await parts.chain.read<unknown>({ abi, address: to, ...call })
    const value = member === undefined ? result : (result as Record<string, unknown>)?.[member]
    return String(value).toLowerCase()
  }
  return { name, to, data, expected: expected.toLowerCase(), read }
}

export function haltAction(
  parts: ActionScope,
  { engine, number, name }: MarketRef,
  isHalted: boolean,
): Action {
  return makeCall(parts, engine, {
    name: `halt of ${name}`,
    functionName: 'halt',
    args: [number, isHalted],
    view: { functionName: 'unitsOf', args: [number], member: 'halted' },
    expected: String(isHalted),
  })
}

export const findAsset = ({ terms }: ActionScope, name: string): string =>
  requireOneOf(
    'asset',
    name,
    terms.oracle.assets.map(({ asset }) => asset),
  )

export function pauseAction(parts: ActionScope, asset: string, isPaused: boolean): Action {
  const key = bytes32(asset)
  return makeCall(parts, 'oracle', {
    name: `pause of ${asset}`,
    functionName: 'pause',
    args: [key, isPaused],
    view: { functionName: 'isPaused', args: [key] },
    expected: String(isPaused),
  })
}

function roleAction(
  parts: ActionScope,
  [role, who]: readonly [string, string],
  isHeld: boolean,
): Action {
  const number = ROLES[requireOneOf('role', role, Object.keys(ROLES))]
  const holder = who === 'anybody' ? ANYBODY : parseAddress(who)
  return makeCall(parts, 'governance', {
    name: `${role} ${holderText(holder)}`,
    functionName: 'setRole',
    args: [holder, number, isHeld],
    view: { functionName: 'hasRole', args: [holder, number] },
    expected: String(isHeld),
  })
}

export type MarketRef = Readonly<{ engine: 'spot' | 'perps'; number: number; name: string }>

export function findMarket(
  { terms }: ActionScope,
  name: string,
  only?: MarketRef['engine'],
): MarketRef {
  const markets = (['spot', 'perps'] as const).flatMap((engine) =>
    terms[engine].map((market, index) => ({ name: market.name, engine, number: index + 1 })),
  )
  const fit = markets.filter(({ engine }) => only === undefined || engine === only)
  const names = fit.map((market) => market.name)
  requireOneOf('market', name, names)
  return fit[names.indexOf(name)] as MarketRef
}

/** Returns `word` if it is one of `allowed`; otherwise throws with the nearest of them. */
export function requireOneOf<T extends string>(
  kind: string,
  word: string,
  allowed: readonly T[],
): T {
  const match = allowed.find((name) => name === word)
  if (match !== undefined) return match
  const nearest = nearestWord(word, allowed)
  throw new ConfigInvalid(
    `${kind} is unknown: got "${word}", expected one of ${allowed.join(', ')}; the nearest is ${nearest}`,
  )
}

function parseAddress(text: string): Hex {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase() as Hex
  throw new ConfigInvalid(`address is invalid: got "${text}", expected 0x and 40 hex digits`)
}

function parseWholeNumber(field: string, text: string): bigint {
  if (/^\d{1,15}$/.test(text)) return BigInt(text)
  throw new ConfigInvalid(`${field} is invalid: got "${text}", expected a whole number`)
}

/** Names the errors of calls through the timelock. */
export const GOVERNANCE_ERRORS = governanceAbi as Abi
