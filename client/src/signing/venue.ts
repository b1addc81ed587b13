// Facts of a venue that signing needs: its chain, contracts and markets.
import type { Market, VenueInfo } from '../../generated/shapes.ts'
import { MismatchError, OpenvenueError } from '../errors.ts'
import {
  checkInput,
  type InputError,
  inputError,
  isAnything,
  type MemberChecks,
  nearestOf,
  wholeFrom,
} from '../input.ts'
import type { CallOptions, Rest } from '../rest/rest.ts'
import { isHexAddress } from './checks.ts'
import type { Address, Domain, Hex } from './typed-data.ts'

const ENGINE_DIGITS = 40

/** Contracts for whose domains messages are signed. Lower case. */
export type Contracts = Readonly<{ accounts?: Address; spot?: Address; perps?: Address }>

/** Facts of the venue that you verified elsewhere: signing for anything else is refused. */
export type Pinned = Contracts & Readonly<{ chainId?: number }>

const PINNED: MemberChecks<Pinned> = {
  accounts: [isHexAddress],
  spot: [isHexAddress],
  perps: [isHexAddress],
  chainId: [wholeFrom(1, Number.MAX_SAFE_INTEGER)],
}

/** A market with its engine, and its number there. */
export type SigningMarket = Readonly<{ engine: Address; number: number; market: Market }>

/** A venue as its API describes it, compared with the pinned facts. */
export class SigningVenue {
  readonly info: VenueInfo
  readonly contracts: Contracts
  readonly #markets: ReadonlyMap<string, Market>

  constructor(info: VenueInfo, markets: readonly Market[], pinned: Pinned = {}) {
    checkInput(pinned, PINNED)
    this.info = info
    this.contracts = contractsOf(info)
    this.#markets = new Map(markets.map((market) => [market.instrument_name, market]))
    const served = { ...this.contracts, chainId: info.network.chain_id }
    const differences = (Object.keys(pinned) as (keyof Pinned)[])
      .filter((name) => `${pinned[name]}`.toLowerCase() !== `${served[name]}`)
      .map((name) => ({ path: name, venue: `${served[name]}`, expected: `${pinned[name]}` }))
    const listed = differences.map(
      ({ path, venue, expected }) => `${path}: got ${venue}, expected ${expected}`,
    )
    if (listed.length > 0) throw new MismatchError(`GET /info: ${listed.join('; ')}`, differences)
  }

  /** Domain of messages that the API verifies. */
  get apiDomain(): Domain {
    const { name, version, chainId } = this.info.typed_data.api.Register.domain
    return { name, version, chainId }
  }

  /** Returns the domain of messages that a contract of the venue verifies. */
  domainOf(verifyingContract: Address): Domain {
    return { ...this.apiDomain, verifyingContract }
  }

  /** Contract of accounts and keys. */
  get accounts(): Address {
    const { accounts } = this.contracts
    if (accounts === undefined)
      throw new OpenvenueError('accounts contract: not deployed at this venue')
    return accounts
  }

  #unknownMarket(name: string): InputError {
    const names = [...this.#markets.keys()]
    const nearest = typeof name === 'string' ? nearestOf(name, names) : undefined
    return inputError(['market', name], `a market: ${names.join(', ')}`, nearest)
  }

  /** Returns a market by name, such as `ETH-PERP`. */
  market(name: string): SigningMarket {
    const market = this.#markets.get(name)
    if (market === undefined) throw this.#unknownMarket(name)
    const id = market.instrument_id.toLowerCase()
    const engine = id.slice(0, 2 + ENGINE_DIGITS) as Hex
    if (engine !== this.contracts.spot && engine !== this.contracts.perps)
      throw new MismatchError(
        `market ${name}: got engine ${engine}, expected an engine of GET /info`,
        [{ path: 'engine', venue: engine, expected: 'an engine of GET /info' }],
      )
    return { engine, number: Number(`0x${id.slice(2 + ENGINE_DIGITS)}`), market }
  }
}

/** Options of {@link loadVenue}. */
export type VenueOptions = CallOptions & Readonly<{ pinned?: Pinned }>
const VENUE_OPTIONS: MemberChecks<VenueOptions> = {
  signal: [isAnything],
  minBlock: [isAnything],
  pinned: [isAnything],
}

/**
 * Reads the facts that signing needs from GET /info and GET /markets. The contracts in the answer
 * are trusted unless `pinned` is set: pin addresses that you have verified, so that an attacker of
 * the API cannot make you sign for another contract.
 */
export async function loadVenue(rest: Rest, loading: VenueOptions = {}): Promise<SigningVenue> {
  checkInput(loading, VENUE_OPTIONS)
  const { pinned, ...options } = loading
  const [info, markets] = await Promise.all([
    rest.call('GET /info', {}, options),
    rest.call('GET /markets', {}, options),
  ])
  return new SigningVenue(info, markets, pinned)
}

const contractsOf = ({ contracts }: VenueInfo): Contracts =>
  Object.fromEntries(
    (['accounts', 'spot', 'perps'] as const).flatMap((name) => {
      const address = contracts[name]?.address.toLowerCase()
      return address === undefined ? [] : [[name, address as Address]]
    }),
  )
