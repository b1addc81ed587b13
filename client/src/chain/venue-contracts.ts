// Says where a venue stands.
import { UnexpectedAnswerError } from '../errors.ts'
import type { Rest } from '../rest/rest.ts'

/** The contracts of a venue. Addresses may be in any case. */
export type VenueContracts = Readonly<{
  accounts: string
  spot: string
  perps: string
  /** Those that the engines read: prices come from them. */
  oracles: readonly string[]
  /** Reads in bulk: a wrong one can say anything, so pin it like the others. */
  lens: string
  /** No log of the venue is in an earlier block. */
  fromBlock: number
}>

/**
 * Returns the contracts that the venue itself names in `GET /info`. Whoever checks with these
 * trusts the venue about where it stands: pin the addresses that you know from elsewhere instead.
 */
export async function namedContracts(rest: Rest): Promise<VenueContracts> {
  const { contracts } = await rest.call('GET /info')
  const { accounts, spot, perps, lens } = contracts
  const { oracles } = contracts
  const begins = [accounts, spot, perps, ...oracles].map((one) => one?.from_block ?? Number.NaN)
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
