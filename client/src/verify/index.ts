// Entry `openvenue/verify`: compares answers of the API with the chain.
export type { MarketUnits } from '../chain/market-text.ts'
export { ChainError, type ChainRpc, LOG_RANGE_BLOCKS } from '../chain/rpc.ts'
export { namedContracts, type VenueContracts } from '../chain/venue-contracts.ts'
export { type Difference, MismatchError } from '../errors.ts'
export {
  type ChainReading,
  LOG_RANGES_MAX,
  type VerifiedBlock,
} from './block-view.ts'
export type { ChainMarket } from './contracts.ts'
export { type VerifiedBalances, verifyBalances } from './verify-balances.ts'
export {
  ORDERS_PER_SIDE_MAX,
  type VerifiedBook,
  type VerifyOptions,
  verifyBook,
} from './verify-book.ts'
export { type ListOptions, type VerifiedFills, verifyFills } from './verify-fills.ts'
export { type VerifiedOrder, verifyOrder } from './verify-order.ts'
export { type VerifiedTrades, verifyTrades } from './verify-trades.ts'
