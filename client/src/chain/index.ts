// Entry `openvenue/chain`: the venue reconstructed from its chain, without the API.
export {
  type ChainBook,
  ChainView,
  type ChainViewOptions,
  type FoldedBlock,
} from './chain-view.ts'
export { RECORDS_MAX, REORG_BLOCKS_MAX } from './folded-state.ts'
export type { ChainBalances, ChainPosition } from './holdings.ts'
export type { ChainOrder } from './order-text.ts'
export { ChainError, type ChainRpc } from './rpc.ts'
export { namedContracts, type VenueContracts } from './venue-contracts.ts'
