// Loads the venue's description, and a node of its chain, which all account actions need.
import type { Rest } from 'openvenue'
import type { SigningVenue } from 'openvenue/signing'
import { nodeAt, type Request } from '../../wallet/worker/chain-rpc.ts'
import type { WalletNetwork } from '../../wallet/worker/wallet.ts'
import * as text from '../text.ts'

export type Connection = Readonly<{
  venue: SigningVenue
  network: WalletNetwork
  /** Undefined if the venue publishes no node. */
  node: Request | undefined
}>

/** The venue in chain mode, and its node. */
export type ChainVenue = Readonly<{ venue: SigningVenue; ask: Request }>

type VenueSource = Readonly<{
  /** Reads the venue, verified against the stored contracts. */
  loadVenue: (rest: Rest) => Promise<SigningVenue>
  /** The venue in chain mode; undefined while the API is used. */
  away: () => ChainVenue | undefined
}>

/** Polling interval for chain mode while the API does not respond. */
const AWAY_EVERY_MS = 250

export class VenueConnection {
  readonly #rest: Rest
  readonly #source: VenueSource
  #opening: Promise<Connection> | undefined

  constructor(rest: Rest, source: VenueSource) {
    this.#rest = rest
    this.#source = source
  }

  /** True while the venue is reachable only through its chain. */
  get isAway(): boolean {
    return this.#source.away() !== undefined
  }

  /**
   * Loads the venue once; after a failure the next call tries again. If the API does not respond at
   * all, waits until chain mode starts.
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
        const connection = this.#away()
        if (connection !== undefined) resolve(connection)
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

/** Gas terms if no earlier visit or API version has reported them. */
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

/** Returns the node; throws if there is none. */
export function requireNode({ node }: Connection): Request {
  if (node === undefined) throw new Error(text.noNode)
  return node
}
