// Names the contracts that are the venue.
export type ContractKind = 'accounts' | 'spot' | 'perps' | 'oracle'

/** Where the venue stands on a chain. Addresses may be in any case. */
export type Deployment = Readonly<{
  accounts: string
  spot: string
  perps: string
  /** Every oracle an engine reads. */
  oracles: readonly string[]
  /** Whose pools are followed: factories of pairs (v2) and of pools with ranges (v3). */
  v2Factories?: readonly string[]
  v3Factories?: readonly string[]
  /** The block of the first of these contracts: nothing before it matters. */
  startBlock: number
}>

/** Returns what each followed contract is, by lower-case address. */
export function contractKinds(deployment: Deployment): ReadonlyMap<string, ContractKind> {
  const { accounts, spot, perps, oracles } = deployment
  return new Map<string, ContractKind>([
    [accounts.toLowerCase(), 'accounts'],
    [spot.toLowerCase(), 'spot'],
    [perps.toLowerCase(), 'perps'],
    ...oracles.map((oracle): [string, ContractKind] => [oracle.toLowerCase(), 'oracle']),
  ])
}

/** Returns which version of pools each factory makes, by lower-case address. */
export function factoryVersions({
  v2Factories = [],
  v3Factories = [],
}: Deployment): ReadonlyMap<string, 2 | 3> {
  return new Map<string, 2 | 3>([
    ...v2Factories.map((factory): [string, 2] => [factory.toLowerCase(), 2]),
    ...v3Factories.map((factory): [string, 3] => [factory.toLowerCase(), 3]),
  ])
}
