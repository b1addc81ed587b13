// The parts that routes can be given, and what routes of markets have in common.
import type { AccountHistory } from '@openvenue/store/account-history'
import type { Equity } from '@openvenue/store/equity'
import type { Identity } from '@openvenue/store/identity'
import type { KeyRelays } from '@openvenue/store/key-relays'
import type { Ledger } from '@openvenue/store/ledger'
import type { Notifications } from '@openvenue/store/notifications'
import type { Safeguards } from '@openvenue/store/safeguards'
import type { Reader } from '@openvenue/store/store'
import type { Trading } from '@openvenue/wire/trading'
import type { AccountPasts } from '../account/account-past.ts'
import type { Overviews } from '../account/overview.ts'
import type { OwnedReads } from '../account/owned-reads.ts'
import type { Wallets } from '../account/wallets.ts'
import type { Host } from '../http/host-type.ts'
import type { RateOptions } from '../http/limits.ts'
import { Refusal, type RefusalCode } from '../http/refusals.ts'
import type { Authenticate } from '../identity/authenticate.ts'
import type { EthCall } from '../identity/eth-call.ts'
import type { KeyChecks } from '../identity/key-checks.ts'
import type { IdentitySettings } from '../identity/settings.ts'
import type { Clock } from '../model/clock.ts'
import type { FreshReads } from '../model/fresh-reads.ts'
import type { Freshness } from '../model/freshness.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { marketNames, nearestName } from '../model/nearest-name.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { OrderChain } from '../orders/order-chain.ts'
import type { OrderParts } from '../orders/order-parts.ts'
import type { RelayParts } from '../orders/relay-status.ts'
import type { Signers } from '../orders/signers.ts'
import type { Published } from './published.ts'
import type { Probes, ServiceOptions } from './readiness.ts'
import type { Terminal } from './terminal-files.ts'

export type RestOptions = ServiceOptions & Readonly<{ marketsCacheMs: number }>

/** Everything that a route of the first host can be given. Each takes the parts that it names. */
export type RouteParts = Readonly<{
  model: VenueModel
  clock: Clock
  options: RestOptions
  rates: Pick<RateOptions, 'proxyHops'>
  settings: IdentitySettings & Readonly<{ balancePointsMax: number; trading: Trading }>
  published: Published
  /** The page to trade on, where there is one. */
  terminal: Terminal | undefined
  /** Why there is none, where one was to be built. */
  terminalProblem: string | undefined
  probes: Probes
  freshness: Freshness
  reader: Reader
  history: AccountHistory
  identity: Identity
  keyRelays: Pick<KeyRelays, 'of' | 'ofWallet' | 'newestAllowance' | 'enqueueAllowance'>
  notifications: Notifications
  equity: Equity
  safeguards: Safeguards
  call: EthCall
  /** What orders are asked of the nodes. */
  orderChain: OrderChain
  /** Who may sign for which account. */
  signers: Signers
  keys: KeyChecks
  /** Lets a request through that comes with a live key. */
  authenticate: Authenticate
  wallets: Wallets
  /** Reads of the database, none older than what this node has published. */
  fresh: FreshReads
  owned: OwnedReads
  /** What accounts have made, joined to what they have. */
  pasts: AccountPasts
  /** Account objects, read once for everybody who asks. */
  overviews: Overviews
  ledger: Ledger
  /** What the venue says of how it relays, and its signatures. */
  relay: RelayParts
  /** What commands on orders stand on. */
  orderParts: OrderParts
}>

export type Parts<K extends keyof RouteParts> = Pick<RouteParts, K>

/** The parts that looking at the orders and positions of an account stands on. */
export type OwnerParts = 'model' | 'wallets' | 'owned'

/** Adds a group of routes, which stand on the parts `K`. */
export type Routes<K extends keyof RouteParts = never> = (host: Host, parts: Parts<K>) => void

/** Groups of the documentation, in its order. */
export const TAGS = {
  service: ['Service'],
  markets: ['Markets'],
  book: ['Order book'],
  trades: ['Trades'],
  statistics: ['Statistics'],
  funding: ['Funding'],
  index: ['Index prices and assets'],
  candles: ['Candles'],
  charting: ['Charting'],
  account: ['Account'],
  orders: ['Orders'],
  notifications: ['Notifications'],
  registration: ['Registration and keys'],
} as const satisfies Record<string, string[]>

/** How routes of one market refuse another's. */
export const NO_INSTRUMENT: readonly RefusalCode[] = ['INSTRUMENT_NOT_FOUND']

/** Returns the refusal of a market that is not there. `nearest` is the name probably meant. */
export function instrumentNotFound(field: string, nearest?: string): Refusal {
  const code = 'INSTRUMENT_NOT_FOUND'
  const message = `${field} is the name or the id of a market: see /markets`
  const near = nearest === undefined ? {} : { nearest }
  return new Refusal(code, { details: [{ field, code, message, ...near }] })
}

/**
 * Returns the market of that exact name or id, which `field` gave, or refuses with 404. Section
 * 4.2.
 */
export function marketOr404(model: VenueModel, field: string, nameOrId: string): LiveMarket {
  const live = model.market(nameOrId)
  if (live === undefined) throw instrumentNotFound(field, nearestName(marketNames(model), nameOrId))
  return live
}
