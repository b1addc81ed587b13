// Finds a venue that the same deployer has put on the chain before.
import type { Hex } from 'viem'
import { type Chain, inTurns } from '../chain/chain.ts'
import type { VenueTerms } from '../config/venue-terms.ts'
import { byName, type Placement, placeContracts } from './contracts.ts'

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
    const contracts = placeContracts(terms, { ...placement, nonce })
    // One that was never finished is no venue. `perps` is made almost last: mostly one look does.
    const { governance, perps } = byName(contracts)
    for (const contract of [perps, ...contracts])
      if (contract === undefined || (await chain.code(contract.address)) === undefined) return
    return governance?.address
  })
  return found.find((address) => address !== undefined)
}
