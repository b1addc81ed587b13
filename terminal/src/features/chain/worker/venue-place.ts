// Remembers the contracts of a venue for when its API is down, and refuses to sign for others. The
// page's own config is authoritative; without it, the contracts of the first visit are (0071).
import type { Rest } from 'openvenue'
import { loadVenue, type Pinned, type SigningVenue } from 'openvenue/signing'
import type { Records } from '../../session/worker/sealed-store.ts'
import { DEVNET } from '../../wallet/worker/wallet.ts'
import * as text from '../text.ts'
import { type ChainConfig, readContracts, type VenueContracts } from './venue-config.ts'

/** Enough to read the venue without its API. */
export type VenueOnChain = Readonly<{
  network: string
  chainId: number
  /** The first one is used; a wallet that does not know the chain gets all. */
  rpcUrls: readonly string[]
  contracts: VenueContracts
  /** Minimum gas price and the gas currency. */
  gas?: GasTerms
}>

/** Gas terms of GET /info. */
type GasTerms = Pick<SigningVenue['info']['network'], 'currency' | 'fee_floor_wei' | 'tip_wei'>

export class VenuePlaces {
  readonly #records: Pick<Records, 'read' | 'write'>
  readonly #name: string
  readonly #config: ChainConfig

  constructor(records: Pick<Records, 'read' | 'write'>, apiUrl: string, config: ChainConfig) {
    this.#records = records
    this.#name = `place of ${apiUrl}`
    this.#config = config
  }

  /**
   * Loads the venue from the API for signing, and stores its contracts. Throws a MismatchError if
   * the API names other contracts than the config, or than the first visit: no money is sent there.
   * A devnet may be redeployed.
   */
  async load(rest: Rest): Promise<SigningVenue> {
    const stored = await this.#readStored()
    const venue = await loadVenue(rest, { pinned: this.#pinned(stored) })
    const place = placeOf(venue)
    if (place !== undefined) await this.#records.write(this.#name, place)
    return venue
  }

  /** Returns the stored contracts; undefined if they, or a node to ask, are unknown. */
  async read(): Promise<VenueOnChain | undefined> {
    const stored = await this.#readStored()
    const { rpcUrl, chainId = stored?.chainId, contracts = stored?.contracts } = this.#config
    const rpcUrls = [...(rpcUrl === undefined ? [] : [rpcUrl]), ...(stored?.rpcUrls ?? [])]
    if (chainId === undefined || contracts === undefined || rpcUrls.length === 0) return undefined
    const network = stored?.chainId === chainId ? stored.network : text.chain(chainId)
    const gas = stored?.chainId === chainId ? stored.gas : undefined
    return { network, chainId, rpcUrls: [...new Set(rpcUrls)], contracts, ...(gas && { gas }) }
  }

  #pinned(stored: VenueOnChain | undefined): Pinned {
    const { contracts, chainId } = this.#config
    if (contracts !== undefined) return pinOf(contracts, chainId)
    if (stored !== undefined && stored.network !== DEVNET)
      return pinOf(stored.contracts, stored.chainId)
    return chainId === undefined ? {} : { chainId }
  }

  /** Returns the stored record; undefined if an older version of the page wrote another format. */
  async #readStored(): Promise<VenueOnChain | undefined> {
    try {
      const stored = (await this.#records.read(this.#name)) as VenueOnChain | undefined
      return stored && { ...stored, contracts: readContracts(stored.contracts) }
    } catch {
      return undefined
    }
  }
}

const pinOf = ({ accounts, spot, perps }: VenueContracts, chainId: number | undefined): Pinned =>
  ({ accounts, spot, perps, ...(chainId !== undefined && { chainId }) }) as Pinned

function placeOf({ info }: SigningVenue): VenueOnChain | undefined {
  const { accounts, spot, perps, lens, oracles } = info.contracts
  if (!accounts || !spot || !perps || !lens) return undefined
  const begins = [accounts, spot, perps, ...oracles].map(({ from_block }) => from_block ?? 0)
  const { name: network, chain_id: chainId, rpc_urls: rpcUrls } = info.network
  const { currency, fee_floor_wei, tip_wei } = info.network
  const addresses = Object.entries({ accounts, spot, perps, lens }).map(([name, { address }]) => [
    name,
    address,
  ])
  const contracts = readContracts({
    ...Object.fromEntries(addresses),
    fromBlock: Math.min(...begins),
  })
  const gas = { currency, fee_floor_wei, tip_wei }
  return { network, chainId, rpcUrls, contracts, ...(currency !== undefined && { gas }) }
}
