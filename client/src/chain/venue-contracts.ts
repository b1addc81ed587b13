// Names the contracts of a venue.
import { UnexpectedAnswerError } from '../errors.ts'
import type { Rest } from '../rest/rest.ts'

/** Contracts of a venue. Addresses may be in any case. */
export type VenueContracts = Readonly<{
  accounts: string
  spot: string
  perps: string
  /** Oracles from which the engines read prices. */
  oracles: readonly string[]
  /** Contract for bulk reads. A wrong one can return anything, so pin it like the others. */
  lens: string
  /** First block that can contain a log of the venue. */
  fromBlock: number
}>

/**
 * Returns the contracts that the venue names in `GET /info`. A check against them trusts the venue
 * about its own addresses: pin addresses that you know from elsewhere instead.
 */
export async function namedContracts(rest: Rest): Promise<VenueContracts> {
  const { contracts } = await rest.call('GET /info')
  const { accounts, spot, perps, lens } = contracts
  const { oracles } = contracts
  const begins = [accounts, spot, perps, ...oracles].map((entry) => entry?.from_block ?? Number.NaN)
  const fromBlock = Math.min(...begins)
  if (!accounts || !spot || !perps || !lens || Number.isNaN(fromBlock))
    throw new UnexpectedAnswerError('GET /info does not name the contracts')
  return {
    accounts: accounts.address,
    spot: spot.address,
    perps: perps.address,
    oracles: oracles.map(({ address }) => address),
    lens: lens.address,
    fromBlock,
  }
}
