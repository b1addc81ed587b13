// Remembers the contracts of a venue for when its API is down, and refuses to sign for others. The
// page's own config is authoritative; without it, the contracts of the first visit are (0071).
import type { Rest } from 'openvenue'
import { loadVenue, type Pinned, type SigningVenue } from 'openvenue/signing'
import type { Records } from '../../session/worker/sealed-store.ts'
import { DEVNET } from '../../wallet/worker/wallet.ts'
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
    const kept = await this.#kept()
    const venue = await loadVenue(rest, { pinned: this.#pinned(kept) })
    const found = placeOf(venue)
    if (found !== undefined) await this.#records.write(this.#name, found)
    return venue
  }

  /** Returns the stored contracts; undefined if they, or a node to ask, are unknown. */
  async read(): Promise<VenueOnChain | undefined> {
    const kept = await this.#kept()
    const { rpcUrl, chainId = kept?.chainId, contracts = kept?.contracts } = this.#config
    const rpcUrls = [...(rpcUrl === undefined ? [] : [rpcUrl]), ...(kept?.rpcUrls ?? [])]
    if (chainId === undefined || contracts === undefined || rpcUrls.length === 0) return undefined
    const network = kept?.chainId === chainId ? kept.network : `chain ${chainId}`
    const gas = kept?.chainId === chainId ? kept.gas : undefined
    return { network, chainId, rpcUrls: [...new Set(rpcUrls)], contracts, ...(gas && { gas }) }
  }

  #pinned(kept: VenueOnChain | undefined): Pinned {
    const { contracts, chainId } = this.#config
    if (contracts !== undefined) return pinOf(contracts, chainId)
    if (kept !== undefined && kept.network !== DEVNET) return pinOf(kept.contracts, kept.chainId)
    return chainId === undefined ? {} : { chainId }
  }

  /** Returns the stored record; undefined if an older version of the page wrote another format. */
  async #kept(): Promise<VenueOnChain | undefined> {
    try {
      const found = (await this.#records.read(this.#name)) as VenueOnChain | undefined
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

function placeOf({ info }: SigningVenue): VenueOnChain | undefined {
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
