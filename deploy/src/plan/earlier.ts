// Finds a venue that the same deployer has put on the chain before.
import type { Hex } from 'viem'
import { type Chain, inTurns } from '../chain/chain.ts'
import type { VenueTerms } from '../config/venue-terms.ts'
import { type Placement, placeContracts } from './contracts.ts'

/** A deployer's key has hardly another use. */
const NONCES_MAX = 64

/** Returns the timelock of a venue with the same salt that began at an earlier nonce. */
export async function findEarlier(
  chain: Chain,
  terms: VenueTerms,
  placement: Placement,
): Promise<Hex | undefined> {
  const first = Math.max(0, placement.nonce - NONCES_MAX)
  const nonces = Array.from({ length: placement.nonce - first }, (_, index) => first + index)
  const found = await inTurns(nonces, async (nonce) => {
    const [governance, insurance] = placeContracts(terms, { ...placement, nonce })
    if (governance === undefined || insurance === undefined) return undefined
    if ((await chain.code(insurance.address)) === undefined) return undefined
    return governance.address
  })
  return found.find((address) => address !== undefined)
}
