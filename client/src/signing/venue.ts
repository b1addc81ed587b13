// What signing needs to know of a venue: its chain, its contracts and its markets.
import type { Market, VenueInfo } from '../../generated/shapes.ts'
import { MismatchError, OpenvenueError } from '../errors.ts'
import {
  checkInput,
  type InputError,
  inputError,
  isAnything,
  type Members,
  nearestOf,
  wholeFrom,
} from '../input.ts'
import type { CallOptions, Rest } from '../rest/rest.ts'
import { isHexAddress } from './checks.ts'
import type { Address, Domain, Hex } from './typed-data.ts'

const ENGINE_DIGITS = 40

/** Contracts whose domains messages are signed for. Lower case. */
export type Contracts = Readonly<{ accounts?: Address; spot?: Address; perps?: Address }>

/** What you know of the venue from elsewhere: signing for anything else is refused. */
export type Pinned = Contracts & Readonly<{ chainId?: number }>

const PINNED: Members<Pinned> = {
  accounts: [isHexAddress],
  spot: [isHexAddress],
  perps: [isHexAddress],
  chainId: [wholeFrom(1, Number.MAX_SAFE_INTEGER)],
}

/** A market with the contract that matches it, and its number there. */
export type SigningMarket = Readonly<{ engine: Address; number: number; market: Market }>

/** A venue as it says that it is, held against what was pinned. */
export class SigningVenue {
  readonly info: VenueInfo
  readonly contracts: Contracts
  readonly #markets: ReadonlyMap<string, Market>

  constructor(info: VenueInfo, markets: readonly Market[], pinned: Pinned = {}) {
    checkInput(pinned, PINNED)
    this.info = info
    this.contracts = contractsOf(info)
    this.#markets = new Map(markets.map((market) => [market.instrument_name, market]))
    const known = { ...this.contracts, chainId: info.network.chain_id }
    const differences = (Object.keys(pinned) as (keyof Pinned)[])
      .filter((name) => `${pinned[name]}`.toLowerCase() !== `${known[name]}`)
      .map((name) => ({ path: name, venue: `${known[name]}`, expected: `${pinned[name]}` }))
    const listed = differences.map(
      ({ path, venue, expected }) => `${path}: ${venue}, not ${expected}`,
    )
    if (listed.length > 0) throw new MismatchError(`GET /info: ${listed.join('; ')}`, differences)
  }

  /** Domain of what the API verifies. */
  get apiDomain(): Domain {
    const { name, version, chainId } = this.info.typed_data.api.Register.domain
    return { name, version, chainId }
  }

  /** Returns the domain of what a contract of the venue verifies. */
  domainOf(verifyingContract: Address): Domain {
    return { ...this.apiDomain, verifyingContract }
  }

  /** The contract of accounts and keys. */
  get accounts(): Address {
    const { accounts } = this.contracts
    if (accounts === undefined)
      throw new OpenvenueError('this node does not know the contract of accounts')
    return accounts
  }

  #unknownMarket(name: string): InputError {
    const names = [...this.#markets.keys()]
    const nearest = typeof name === 'string' ? nearestOf(name, names) : undefined
    return inputError(['market', name], `a market: ${names.join(', ')}`, nearest)
  }

  /** Returns a market by its name, such as `ETH-PERP`. */
  market(name: string): SigningMarket {
    const market = this.#markets.get(name)
    if (market === undefined) throw this.#unknownMarket(name)
    const id = market.instrument_id.toLowerCase()
    const engine = id.slice(0, 2 + ENGINE_DIGITS) as Hex
    if (engine !== this.contracts.spot && engine !== this.contracts.perps)
      throw new MismatchError(`market ${name}: ${engine} is no engine of GET /info`, [
        { path: 'engine', venue: engine, expected: 'an engine of GET /info' },
      ])
    return { engine, number: Number(`0x${id.slice(2 + ENGINE_DIGITS)}`), market }
  }
}

/** Of loading a venue: with `pinned` it is held against what you know. */
export type VenueOptions = CallOptions & Readonly<{ pinned?: Pinned }>
const VENUE_OPTIONS: Members<VenueOptions> = {
  signal: [isAnything],
  minBlock: [isAnything],
  pinned: [isAnything],
}

/**
 * Reads what signing needs: GET /info and GET /markets. What the venue says of its contracts is
 * believed, unless it is `pinned`: pin what you have checked once, and nobody who takes over the
 * API can have you sign for another contract.
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
