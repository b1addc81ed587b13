// Collects the facts that the operator publishes about the venue: contracts and public nodes.
import { marketEngine } from '@openvenue/core/ids'
import { type GasTerms, NETWORKS } from '@openvenue/core/networks'
import type { IdentitySettings } from '../identity/settings.ts'
import type { VenueModel } from '../model/venue-model.ts'

/** Contracts that exist once per venue, in listing order. */
export const CONTRACTS = ['accounts', 'spot', 'perps', 'lens', 'governance', 'treasury'] as const

/** Contracts by role. Addresses are lower case. */
export type PublishedContracts = Readonly<Partial<Record<(typeof CONTRACTS)[number], string>>>

/** Published facts that the chain does not contain. */
export type PublishedVenue = Readonly<{
  /** Nodes for clients; never those of this node, whose URLs may hold secrets. */
  rpcUrls: readonly string[]
  explorerUrl: string | undefined
  gas: GasTerms
  contracts: PublishedContracts
  oracles: readonly string[]
  /** The first block with a contract of the venue. */
  startBlock: number | undefined
}>

/** For a node that knows only its database. */
export const NOTHING_PUBLISHED: PublishedVenue = {
  rpcUrls: [],
  explorerUrl: undefined,
  gas: NETWORKS.devnet,
  contracts: {},
  oracles: [],
  startBlock: undefined,
}

type PublishedSources = Readonly<{
  model: VenueModel
  settings: Pick<IdentitySettings, 'accountsContract'>
  published: PublishedVenue
}>

/** Returns the contracts; engines default to those of the listed markets. */
export function knownContracts({
  model,
  settings,
  published,
}: PublishedSources): PublishedContracts {
  const { accountsContract: accounts } = settings
  const accountsContract = accounts === undefined ? {} : { accounts }
  return { ...engines(model), ...published.contracts, ...accountsContract }
}

function engines(model: VenueModel): PublishedContracts {
  const addresses: { spot?: string; perps?: string } = {}
  for (const { market } of model.markets)
    addresses[market.type === 'SPOT' ? 'spot' : 'perps'] = marketEngine(market.id)
  return addresses
}
