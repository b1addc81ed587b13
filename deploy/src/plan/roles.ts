// The deployer's key was on a machine that others may have accessed: it must not hold any role.
import type { Hex } from 'viem'
import type { Fault } from '../config/check-shape.ts'
import { VenueFileInvalid, type VenueTerms } from '../config/venue-terms.ts'

/** Throws `VenueFileInvalid` when the deployer holds a role. */
export function checkRoles({ governance, guardian, oracle }: VenueTerms, deployer: Hex): void {
  const holders: readonly (readonly [string, readonly Hex[]])[] = [
    ['governance.proposers', governance.proposers],
    ['governance.executors', governance.executors],
    ['governance.cancellers', governance.cancellers],
    ['guardian', [guardian]],
    ['oracle.pusher', [oracle.pusher]],
  ]
  const faults = holders.flatMap(([path, addresses]): Fault[] =>
    addresses.includes(deployer) ? [{ path, rule: 'an address other than the deployer' }] : [],
  )
  if (faults.length > 0) throw new VenueFileInvalid(faults)
}
