// Names the contracts that are the venue.
import type { ContractAddresses } from '@openvenue/contracts/events/venue-logs'

/** Where the venue stands on a chain. Addresses may be in any case. */
export type Deployment = ContractAddresses &
  Readonly<{
    /** Whose pools are followed: factories of pairs (v2) and of pools with ranges (v3). */
    v2Factories?: readonly string[]
    v3Factories?: readonly string[]
    /** The block of the first of these contracts: nothing before it matters. */
    startBlock: number
  }>

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
