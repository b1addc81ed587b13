// Gathers what the operator publishes of the venue: where its contracts stand, and whom to ask.
import { marketEngine } from '@openvenue/core/ids'
import { type GasTerms, NETWORKS } from '@openvenue/core/networks'
import type { IdentitySettings } from '../identity/settings.ts'
import type { VenueModel } from '../model/venue-model.ts'

/** Contracts of which a venue has one, in the order in which they are listed. */
export const CONTRACTS = ['accounts', 'spot', 'perps', 'lens', 'governance', 'treasury'] as const

/** Contracts by what they are. Addresses are lower case. */
export type PublishedContracts = Readonly<Partial<Record<(typeof CONTRACTS)[number], string>>>

/** What is published besides what the chain says. */
export type Published = Readonly<{
  /** Nodes that clients may ask; never those that this node asks, whose URLs may hold secrets. */
  rpcUrls: readonly string[]
  explorerUrl: string | undefined
  gas: GasTerms
  contracts: PublishedContracts
  oracles: readonly string[]
  /** The first block with a contract of the venue. */
  startBlock: number | undefined
}>

/** Of a node that knows its database alone. */
export const NOTHING_PUBLISHED: Published = {
  rpcUrls: [],
  explorerUrl: undefined,
  gas: NETWORKS.devnet,
  contracts: {},
  oracles: [],
  startBlock: undefined,
}

type Known = Readonly<{
  model: VenueModel
  settings: Pick<IdentitySettings, 'accountsContract'>
  published: Published
}>

/** Returns the contracts: the engines as their markets say, where nothing else does. */
export function knownContracts({ model, settings, published }: Known): PublishedContracts {
  const { accountsContract: accounts } = settings
  const own = accounts === undefined ? {} : { accounts }
  return { ...engines(model), ...published.contracts, ...own }
}

function engines(model: VenueModel): PublishedContracts {
  const found: { spot?: string; perps?: string } = {}
  for (const { market } of model.markets)
    found[market.type === 'SPOT' ? 'spot' : 'perps'] = marketEngine(market.id)
  return found
}
