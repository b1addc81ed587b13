// Entry `openvenue/chain`: the venue reconstructed from its chain, without the API.
export {
  type ChainBook,
  ChainView,
  type ChainViewOptions,
  type FoldedBlock,
} from './chain-view.ts'
export { type ReadBlock, readContract } from './contract-reads.ts'
export { RECORDS_MAX, REORG_BLOCKS_MAX } from './folded-state.ts'
export type { ChainBalances, ChainPosition } from './holdings.ts'
export { HttpNode } from './http-node.ts'
export type { ChainOrder } from './order-text.ts'
export {
  ChainError,
  type ChainHeader,
  type ChainLog,
  type ChainRpc,
  LOG_RANGE_BLOCKS,
  type LogFilter,
  NodeRefusal,
  NodeUnreachable,
  readHeader,
  readLogsInHalves,
} from './rpc.ts'
export { namedContracts, type VenueContracts } from './venue-contracts.ts'
