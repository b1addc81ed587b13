// Knows where a venue stands, also while its API is away, and has nothing signed for another
// place: what the page's own config names is the truth; else what the first visit found (0071).
import type { Rest } from 'openvenue'
import { loadVenue, type Pinned, type SigningVenue } from 'openvenue/signing'
import type { Records } from '../account/sealed-store.ts'
import { DEVNET } from '../wallet/wallet.ts'
import { type ChainConfig, readContracts, type VenueContracts } from './venue-config.ts'

/** Enough to read the venue without its API. */
export type Place = Readonly<{
  network: string
  chainId: number
  /** The first is asked; a wallet that does not know the chain gets all. */
  rpcUrls: readonly string[]
  contracts: VenueContracts
  /** What gas costs at least, and in what. */
  gas?: GasTerms
}>

/** As GET /info has them. */
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
   * Reads the venue of the API for signing, and keeps where it stands. Throws a MismatchError where
   * the API names another place than the config, or than the first visit found: money is not sent
   * there. A devnet may be made anew.
   */
  async load(rest: Rest): Promise<SigningVenue> {
    const kept = await this.#kept()
    const venue = await loadVenue(rest, { pinned: this.#pinned(kept) })
    const found = placeOf(venue)
    if (found !== undefined) await this.#records.write(this.#name, found)
    return venue
  }

  /** Returns the place; undefined where nobody has said it, or which node to ask. */
  async read(): Promise<Place | undefined> {
    const kept = await this.#kept()
    const { rpcUrl, chainId = kept?.chainId, contracts = kept?.contracts } = this.#config
    const rpcUrls = [...(rpcUrl === undefined ? [] : [rpcUrl]), ...(kept?.rpcUrls ?? [])]
    if (chainId === undefined || contracts === undefined || rpcUrls.length === 0) return undefined
    const network = kept?.chainId === chainId ? kept.network : `chain ${chainId}`
    const gas = kept?.chainId === chainId ? kept.gas : undefined
    return { network, chainId, rpcUrls: [...new Set(rpcUrls)], contracts, ...(gas && { gas }) }
  }

  #pinned(kept: Place | undefined): Pinned {
    const { contracts, chainId } = this.#config
    if (contracts !== undefined) return pinOf(contracts, chainId)
    if (kept !== undefined && kept.network !== DEVNET) return pinOf(kept.contracts, kept.chainId)
    return chainId === undefined ? {} : { chainId }
  }

  /** What is kept may be of an older version of the page: then it is as if nothing were. */
  async #kept(): Promise<Place | undefined> {
    try {
      const found = (await this.#records.read(this.#name)) as Place | undefined
      return found === undefined
        ? undefined
        : { ...found, contracts: readContracts(found.contracts) }
    } catch {
      return undefined
    }
  }
}

const pinOf = ({ accounts, spot, perps }: VenueContracts, chainId: number | undefined): Pinned =>
  ({ accounts, spot, perps, ...(chainId !== undefined && { chainId }) }) as Pinned

function placeOf({ info }: SigningVenue): Place | undefined {
  const { accounts, spot, perps, lens, oracles } = info.contracts
  if (!accounts || !spot || !perps || !lens) return undefined
  const begins = [accounts, spot, perps, ...oracles].map(({ from_block }) => from_block ?? 0)
  const { name: network, chain_id: chainId, rpc_urls: rpcUrls } = info.network
  const { currency, fee_floor_wei, tip_wei } = info.network
  const named = { accounts, spot, perps, lens }
  const addresses = Object.entries(named).map(([name, { address }]) => [name, address])
  const contracts = readContracts({
    ...Object.fromEntries(addresses),
    fromBlock: Math.min(...begins),
  })
  const gas = { currency, fee_floor_wei, tip_wei }
  return { network, chainId, rpcUrls, contracts, ...(currency !== undefined && { gas }) }
}
