// The venue's contracts.
import type { ContractAddresses } from '@openvenue/contracts/events/venue-logs'

/** Addresses of the venue's contracts, in any case. */
export type IndexerDeployment = ContractAddresses &
  Readonly<{
    /** Factories whose pools are followed: of pairs (v2) and of concentrated liquidity (v3). */
    v2Factories?: readonly string[]
    v3Factories?: readonly string[]
    /** Block of the first of these contracts; earlier blocks are skipped. */
    startBlock: number
  }>

/** Returns the pool version of each factory, by lower-case address. */
export function factoryVersions({
  v2Factories = [],
  v3Factories = [],
}: IndexerDeployment): ReadonlyMap<string, 2 | 3> {
  return new Map<string, 2 | 3>([
    ...v2Factories.map((factory): [string, 2] => [factory.toLowerCase(), 2]),
    ...v3Factories.map((factory): [string, 3] => [factory.toLowerCase(), 3]),
  ])
}
