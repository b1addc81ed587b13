// Endpoints that the adapter offers under ccxt's implicit names, with their cost in requests.
import type { Endpoints } from 'openvenue'

/** Costs of a method's endpoints in requests, by path without the leading slash. */
type Costs<Method extends string> = Readonly<
  Partial<Record<keyof Endpoints extends infer E ? PathOf<E, Method> : never, number>>
>
type PathOf<E, Method extends string> = E extends `${Method} /${infer Path}` ? Path : never

const PUBLIC_GET = {
  health: 1,
  ready: 1,
  version: 1,
  time: 1,
  info: 1,
  relay: 1,
  markets: 1,
  'markets/{instrument_id}': 1,
  'markets/{instrument_id}/trades': 1,
  orderbook: 1,
  'instrument/{instrument_name}/trade-history': 1,
  statistics: 1,
  funding: 1,
  'funding-history': 5,
  index: 1,
  assets: 1,
  'index-history': 5,
  'mark-history': 5,
  tickers: 1,
  'markets-summary': 1,
  candles: 2,
} as const satisfies Costs<'GET'>

const PRIVATE_GET = {
  account: 1,
  'account/collaterals': 1,
  'account/leverages': 1,
  'account/cancellers': 1,
  'account/accumulated-fundings': 1,
  limits: 1,
  portfolio: 1,
  positions: 1,
  'open-orders': 1,
  orders: 1,
  'orders/{order_id}': 1,
  'orders/by-client-id/{client_order_id}': 1,
  'trade-history': 1,
  'order-history': 1,
  'order-history/stops': 1,
  'position-history': 1,
  'transaction-history': 1,
  'balance-history': 1,
  notifications: 1,
  'api-keys': 1,
} as const satisfies Costs<'GET'>

/** Orders and cancels have limits of their own: 200 and 400 per second and account. */
const WRITE = 0.1

const PRIVATE_POST = {
  orders: WRITE,
  'orders/{order_id}': WRITE,
  'orders/preview': 5,
  'orders/build': WRITE,
  'batch-orders': WRITE,
  'account/cancel-after': WRITE,
  'account/cancellers': WRITE,
  'account/leverage': WRITE,
  'account/margin-type': WRITE,
} as const satisfies Costs<'POST'>

const PRIVATE_DELETE = {
  orders: WRITE,
  'orders-all': WRITE,
  'orders/{order_id}': WRITE,
  'orders/by-client-id/{client_order_id}': WRITE,
} as const satisfies Costs<'DELETE'>

/** In the form of ccxt's `describe`: by access, method and path. */
export const REST_API = {
  public: { get: PUBLIC_GET },
  private: { get: PRIVATE_GET, post: PRIVATE_POST, delete: PRIVATE_DELETE },
} as const

type EndpointName<Method extends string, Table> = `${Method} /${keyof Table & string}`

/** The endpoints above, with the names of the client library. */
export type RestEndpoint =
  | EndpointName<'GET', typeof PUBLIC_GET>
  | EndpointName<'GET', typeof PRIVATE_GET>
  | EndpointName<'POST', typeof PRIVATE_POST>
  | EndpointName<'DELETE', typeof PRIVATE_DELETE>

export type Access = 'public' | 'private'

/** Returns access, method and cost of an endpoint. */
export function lookUp(endpoint: RestEndpoint): {
  access: Access
  method: string
  path: string
  cost: number
} {
  const [method = '', slashed = ''] = endpoint.split(' ')
  const path = slashed.slice(1)
  const publicCosts: Readonly<Record<string, number>> = method === 'GET' ? PUBLIC_GET : {}
  const verb = method.toLowerCase() as keyof typeof REST_API.private
  const privateCosts: Readonly<Record<string, number>> = REST_API.private[verb]
  const access = Object.hasOwn(publicCosts, path) ? 'public' : 'private'
  return { access, method, path, cost: publicCosts[path] ?? privateCosts[path] ?? 1 }
}
