// What the account's way begins with: the venue as it says that it is, and a node of its chain.
import type { Rest } from 'openvenue'
import type { SigningVenue } from 'openvenue/signing'
import { nodeAt, type Request } from '../wallet/chain-rpc.ts'
import type { Network } from '../wallet/wallet.ts'

export type Connection = Readonly<{
  venue: SigningVenue
  network: Network
  /** Undefined where the venue names no node. */
  node: Request | undefined
}>

/** The venue by its chain alone, and what asks the chain. */
export type AwayVenue = Readonly<{ venue: SigningVenue; ask: Request }>

export type VenueSource = Readonly<{
  /** Reads the venue, held against what is known of it. */
  loadVenue: (rest: Rest) => Promise<SigningVenue>
  /** The venue by its chain alone; undefined unless that is what is shown. */
  away: () => AwayVenue | undefined
}>

/** So often it is looked whether the chain is shown, while the API does not answer. */
const AWAY_EVERY_MS = 250

export class VenueConnection {
  readonly #rest: Rest
  readonly #source: VenueSource
  #opening: Promise<Connection> | undefined

  constructor(rest: Rest, source: VenueSource) {
    this.#rest = rest
    this.#source = source
  }

  /** Whether the venue is there by its chain alone. */
  get isAway(): boolean {
    return this.#source.away() !== undefined
  }

  /**
   * Asks the venue once; a venue that did not answer is asked again the next time. One that does
   * not answer at all is waited for until the chain is shown in its place.
   */
  async open(): Promise<Connection> {
    const away = this.#away()
    if (away !== undefined) return away
    this.#opening ??= this.#read().catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#orAway(this.#opening)
  }

  #away(): Connection | undefined {
    const away = this.#source.away()
    return away && connectionOf(away.venue, away.ask)
  }

  #orAway(opening: Promise<Connection>): Promise<Connection> {
    let timer: ReturnType<typeof setInterval> | undefined
    const away = new Promise<Connection>((resolve) => {
      timer = setInterval(() => {
        const found = this.#away()
        if (found !== undefined) resolve(found)
      }, AWAY_EVERY_MS)
    })
    return Promise.race([opening, away]).finally(() => clearInterval(timer))
  }

  async #read(): Promise<Connection> {
    const venue = await this.#source.loadVenue(this.#rest)
    const [url] = venue.info.network.rpc_urls
    return connectionOf(venue, url === undefined ? undefined : nodeAt(url))
  }
}

/** Where an earlier visit, or an earlier API, said nothing of it. */
const GAS_UNKNOWN = {
  currency: { symbol: 'ETH', decimals: 18 },
  ...{ fee_floor_wei: '0', tip_wei: '1000000000' },
}

function connectionOf(venue: SigningVenue, node: Request | undefined): Connection {
  const { name, chain_id: chainId, rpc_urls: rpcUrls, explorer_url: url } = venue.info.network
  const { currency, fee_floor_wei, tip_wei } = { ...GAS_UNKNOWN, ...venue.info.network }
  const gas = { currency, fee_floor_wei, tip_wei }
  return { venue, network: { name, chainId, rpcUrls, explorerUrl: url ?? '', ...gas }, node }
}

/** Returns the node; throws where there is none. */
export function requireNode({ node }: Connection): Request {
  if (node === undefined) throw new Error('the venue names no node of the chain')
  return node
}
