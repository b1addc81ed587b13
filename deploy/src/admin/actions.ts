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
    wanted: string
    read(): Promise<string>
  }>

export type ActionParts = Readonly<{
  chain: Chain
  terms: VenueTerms
  contracts: readonly Contract[]
}>

type Maker = (parts: ActionParts, args: readonly string[]) => Action

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
    action(parts, 'governance', {
      name: `delay of governance`,
      functionName: 'setMinDelay',
      args: [wholeNumber('set-delay', seconds)],
      view: { functionName: 'minDelay' },
      wanted: seconds,
    }),
  grant: (parts, [role = '', who = '']) => roleAction(parts, [role, who], true),
  revoke: (parts, [role = '', who = '']) => roleAction(parts, [role, who], false),
  'offer-ownership': (parts, [name = '', to = '']) =>
    action(parts, oneOf('a contract with an owner', name, OWNED), {
      name: `pending owner of ${name}`,
      functionName: 'offerOwnership',
      args: [address(to)],
      view: { functionName: 'pendingOwner' },
      wanted: to,
    }),
  'end-market': (parts, [market = '']) => {
    const { number } = findMarket(parts, market, 'perps')
    return action(parts, 'perps', {
      name: `end of ${market}`,
      functionName: 'announceEnd',
      args: [number],
      wanted: 'announced',
    })
  },
}

export const USAGE = `  halt MARKET, resume MARKET, pause ASSET, unpause ASSET, end-market MARKET
  set-delay SECONDS, grant ROLE ADDRESS, revoke ROLE ADDRESS (or anybody)
  (roles: ${Object.keys(ROLES).join(', ')})
  offer-ownership CONTRACT ADDRESS
  (none of them: whatever brings the chain to venue.json)`

/** Returns the call for `name`; throws `ConfigInvalid`. */
export function makeAction(parts: ActionParts, name: string, args: readonly string[]): Action {
  const maker = MAKERS[oneOf('an action', name, Object.keys(MAKERS))]
  if (maker === undefined) throw new ConfigInvalid(USAGE)
  return maker(parts, args)
}

type CallTerms = Readonly<{
  name: string
  functionName: string
  args: readonly unknown[]
  /** View that reads the current value; absent: the chain has none. */
  view?: Readonly<{ functionName: string; args?: readonly unknown[]; member?: string }>
  wanted: string
}>

/** Returns a call of a contract with the description of its change. */
export function action(parts: ActionParts, contractName: ContractName, terms: CallTerms): Action {
  const contract = requireContract(byName(parts.contracts), contractName)
  const { abi, address: to } = contract
  const { name, functionName, args, view, wanted } = terms
  const data = encodeFunctionData({ abi: abi as Abi, functionName, args })
  const read = async () => {
    if (view === undefined) return 'not shown by the chain'
    const { member, ...call } = view
    const found = await parts.chain.read<unknown>({ abi, address: to, ...call })
    const value = member === undefined ? found : (found as Record<string, unknown>)?.[member]
    return String(value).toLowerCase()
  }
  return { name, to, data, wanted: wanted.toLowerCase(), read }
}

export function haltAction(
  parts: ActionParts,
  { engine, number, name }: Market,
  isHalted: boolean,
): Action {
  return action(parts, engine, {
    name: `halt of ${name}`,
    functionName: 'halt',
    args: [number, isHalted],
    view: { functionName: 'unitsOf', args: [number], member: 'halted' },
    wanted: String(isHalted),
  })
}

export const findAsset = ({ terms }: ActionParts, asset: string): string =>
  oneOf(
    'an asset of venue.json',
    asset,
    terms.oracle.assets.map((one) => one.asset),
  )

export function pauseAction(parts: ActionParts, asset: string, isPaused: boolean): Action {
  const key = bytes32(asset)
  return action(parts, 'oracle', {
    name: `pause of ${asset}`,
    functionName: 'pause',
    args: [key, isPaused],
    view: { functionName: 'isPaused', args: [key] },
    wanted: String(isPaused),
  })
}

function roleAction(
  parts: ActionParts,
  [role, who]: readonly [string, string],
  isHeld: boolean,
): Action {
  const number = ROLES[oneOf('a role', role, Object.keys(ROLES))]
  const holder = who === 'anybody' ? ANYBODY : address(who)
  return action(parts, 'governance', {
    name: `${role} ${holderText(holder)}`,
    functionName: 'setRole',
    args: [holder, number, isHeld],
    view: { functionName: 'hasRole', args: [holder, number] },
    wanted: String(isHeld),
  })
}

export type Market = Readonly<{ engine: 'spot' | 'perps'; number: number; name: string }>

export function findMarket({ terms }: ActionParts, name: string, only?: Market['engine']): Market {
  const markets = (['spot', 'perps'] as const).flatMap((engine) =>
    terms[engine].map((market, index) => ({ name: market.name, engine, number: index + 1 })),
  )
  const fit = markets.filter(({ engine }) => only === undefined || engine === only)
  const known = fit.map((market) => market.name)
  oneOf('a market of venue.json', name, known)
  return fit[known.indexOf(name)] as Market
}

/** Returns `word` if it is one of `known`; otherwise throws with the nearest of them. */
export function oneOf<T extends string>(what: string, word: string, known: readonly T[]): T {
  const found = known.find((one) => one === word)
  if (found !== undefined) return found
  const nearest = nearestWord(word, known)
  throw new ConfigInvalid(
    `"${word}" is not ${what}: expected ${known.join(', ')} (nearest: ${nearest})`,
  )
}

function address(text: string): Hex {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase() as Hex
  throw new ConfigInvalid(`"${text}" is not an address: expected 0x and 40 hex digits`)
}

function wholeNumber(what: string, text: string): bigint {
  if (/^\d{1,15}$/.test(text)) return BigInt(text)
  throw new ConfigInvalid(`${what} is invalid: got "${text}", expected a whole number`)
}

/** Names the errors of calls through the timelock. */
export const GOVERNANCE_ERRORS = governanceAbi as Abi
