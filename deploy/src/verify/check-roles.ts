// Compares the role holders with venue.json.
import type { Abi, Hex } from 'viem'
import { type Chain, mapLimited } from '../chain/chain.ts'
import { NO_ADDRESS, type VenueTerms } from '../config/venue-terms.ts'
import { byName, type Contract, type ContractName, requireContract } from '../plan/contracts.ts'
import { HANDED_OVER, holderText } from '../plan/steps.ts'
import { compare, type Difference } from './difference.ts'

type RoleCheck = Readonly<{ chain: Chain; terms: VenueTerms; contracts: readonly Contract[] }>

/** Role ids of solady's Timelock. */
const ROLES = { admin: 0n, proposer: 1n, executor: 2n, canceller: 3n } as const

export async function checkRoles(verified: RoleCheck): Promise<readonly Difference[]> {
  const differences = await Promise.all([
    checkOwners(verified),
    checkTimelock(verified),
    checkWiring(verified),
  ])
  return differences.flat()
}

const readAddress = async (
  chain: Chain,
  { abi, address }: Contract,
  functionName: string,
  args: readonly unknown[] = [],
): Promise<string> =>
  String((await chain.read<unknown>({ abi, address, functionName, args })) ?? 'none')

/** Everything with an owner must belong to the timelock, without pending offers. */
async function checkOwners({ chain, contracts }: RoleCheck): Promise<readonly Difference[]> {
  const governance = requireContract(byName(contracts), 'governance')
  const names: readonly ContractName[] = [...HANDED_OVER, 'insurance', 'fees']
  const owned = contracts.filter(({ name }) => names.includes(name))
  const owners = await mapLimited(owned, async (contract) => [
    ...compare(
      `owner of ${contract.name}`,
      await readAddress(chain, contract, 'owner'),
      governance.address,
    ),
    ...compare(
      `pending owner of ${contract.name}`,
      await readAddress(chain, contract, 'pendingOwner'),
      NO_ADDRESS,
    ),
  ])
  return owners.flat()
}

async function checkTimelock(verified: RoleCheck): Promise<readonly Difference[]> {
  const { chain, terms, contracts } = verified
  const { delaySeconds, proposers, executors, cancellers } = terms.governance
  const governance = requireContract(byName(contracts), 'governance')
  const expected: readonly (readonly [keyof typeof ROLES, readonly Hex[]])[] = [
    ['admin', []],
    ['proposer', proposers],
    ['executor', executors],
    ['canceller', cancellers],
  ]
  const delay = await readAddress(chain, governance, 'minDelay')
  const roles = await mapLimited(expected, async ([role, holders]) => {
    const actual = await chain.read<readonly string[]>({
      abi: governance.abi as Abi,
      address: governance.address,
      functionName: 'roleHolders',
      args: [ROLES[role]],
    })
    return compare(`${role} of governance`, listText(actual ?? []), listText(holders))
  })
  return [...compare('delay of governance, seconds', delay, delaySeconds), ...roles.flat()]
}

const listText = (holders: readonly string[]): string =>
  holders.length === 0 ? 'none' : [...new Set(holders.map(holderText))].sort().join(', ')

/** Checks the immutable references between contracts. */
async function checkWiring({ chain, terms, contracts }: RoleCheck): Promise<readonly Difference[]> {
  const named = byName(contracts)
  const at = (name: ContractName) => requireContract(named, name).address
  const rows: readonly (readonly [ContractName, string, readonly unknown[], string])[] = [
    ['accounts', 'walletOf', [1], at('insurance')],
    ['accounts', 'walletOf', [2], at('fees')],
    ['accounts', 'domainName', [], terms.domainName],
    ['spot', 'accounts', [], at('accounts')],
    ['perps', 'accounts', [], at('accounts')],
    ['perps', 'oracle', [], at('oracle')],
    ['perps', 'collateral', [], terms.collateral],
    ...sourceRows(terms, named),
  ]
  const references = await mapLimited(rows, async ([name, view, args, expected]) => {
    const contract = requireContract(named, name)
    const answer = await readAddress(chain, contract, view, args)
    return compare(`${[view, ...args].join(' ')} of ${name}`, answer, expected)
  })
  return references.flat()
}

function sourceRows(
  { oracle }: VenueTerms,
  named: Readonly<Record<ContractName, Contract | undefined>>,
): readonly (readonly [ContractName, string, readonly unknown[], string])[] {
  const store = requireContract(named, 'oracle').address
  const pyth = [
    ['pythSource', 'store', [], store],
    ['pythSource', 'pyth', [], oracle.pyth ?? NO_ADDRESS],
  ] as const
  const chainlink = [
    ['chainlinkSource', 'store', [], store],
    ['chainlinkSource', 'sequencer', [], oracle.chainlink?.sequencer ?? NO_ADDRESS],
  ] as const
  return [
    ...(named.pythSource === undefined ? [] : pyth),
    ...(named.chainlinkSource === undefined ? [] : chainlink),
  ]
}
