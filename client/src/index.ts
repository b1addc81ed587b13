// Entry `openvenue`: REST, sockets, books, orders and numbers. Signing is a separate entry.

export type { Channels } from '../generated/channels.ts'
export type { RefusalCode } from '../generated/codes.ts'
export type { Endpoints } from '../generated/endpoints.ts'
export type * as shapes from '../generated/shapes.ts'
export { type FollowOptions, followBook } from './book/follow-book.ts'
export { type BookData, type Level, OrderBook } from './book/order-book.ts'
export {
  AuthError,
  ConflictError,
  ConnectionError,
  type Difference,
  type ErrorCode,
  InvalidRequestError,
  MismatchError,
  NotFoundError,
  OpenvenueError,
  RateLimitedError,
  type RefusalFacts,
  RefusedError,
  UnavailableError,
  UnexpectedAnswerError,
} from './errors.ts'
export type { ApiKey } from './hmac.ts'
export { InputError, nearestOf } from './input.ts'
export {
  type Decimal,
  fromRaw,
  fromSteps,
  type MarketSteps,
  type OrderSide,
  type Rounding,
  StepError,
  toOrderAmount,
  toOrderPrice,
  toRaw,
  toSteps,
} from './numbers.ts'
export { ENDED, type TrackOptions, trackOrder } from './orders/track-order.ts'
export { type PagedEndpoint, type PageParts, pages } from './rest/pages.ts'
export {
  type Answer,
  type CallOptions,
  type CallParts,
  type Endpoint,
  type Fetch,
  type Patience,
  type RateLimit,
  Rest,
  type RestOptions,
} from './rest/rest.ts'
export type { Gap, Listener, ListenOptions } from './socket/channel-set.ts'
export type { ChannelData, ChannelMessage, ChannelName } from './socket/channels.ts'
export type { Message } from './socket/cursor.ts'
export type { Reply } from './socket/link.ts'
export { type Messages, UnreadError } from './socket/mailbox.ts'
export { type SocketState, VenueSocket, type VenueSocketOptions } from './socket/venue-socket.ts'
export type { WebSocketClass, WebSocketLike } from './socket/web-socket.ts'
