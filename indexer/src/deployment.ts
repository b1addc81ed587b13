// Which contracts are the venue.
export type ContractKind = 'accounts' | 'spot' | 'perps' | 'oracle'

/** Where the venue stands on a chain. Addresses may be in any case. */
export type Deployment = Readonly<{
  accounts: string
  spot: string
  perps: string
  /** Every oracle an engine reads. */
  oracles: readonly string[]
  /** The block of the first of these contracts: nothing before it matters. */
  startBlock: number
}>

/** Returns what each followed contract is, by lower-case address. */
export function contractsOf(deployment: Deployment): ReadonlyMap<string, ContractKind> {
  const { accounts, spot, perps, oracles } = deployment
  return new Map<string, ContractKind>([
    [accounts.toLowerCase(), 'accounts'],
    [spot.toLowerCase(), 'spot'],
    [perps.toLowerCase(), 'perps'],
    ...oracles.map((oracle): [string, ContractKind] => [oracle.toLowerCase(), 'oracle']),
  ])
}
