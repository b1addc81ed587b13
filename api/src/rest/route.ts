// The parts available to routes, and helpers for routes of markets.
import { nearestName } from '@openvenue/core/nearest-name'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import type { Equity } from '@openvenue/store/history/equity'
import type { Notifications } from '@openvenue/store/history/notifications'
import type { Identity } from '@openvenue/store/identity/identity'
import type { KeyRelays } from '@openvenue/store/identity/key-relays'
import type { Ledger } from '@openvenue/store/intents/ledger'
import type { Safeguards } from '@openvenue/store/intents/safeguards'
import type { Reader } from '@openvenue/store/store'
import type { Trading } from '@openvenue/wire/trading'
import type { AccountPasts } from '../account/account-past.ts'
import type { Overviews } from '../account/overview.ts'
import type { OwnedReads } from '../account/owned-reads.ts'
import type { Wallets } from '../account/wallets.ts'
import type { Host } from '../http/host-type.ts'
import type { RateOptions } from '../http/limits.ts'
import { Refusal, type RefusalCode } from '../http/refusals.ts'
import { MARKET_RULE, mismatchText } from '../http/validation.ts'
import type { Authenticate } from '../identity/authenticate.ts'
import type { EthCall } from '../identity/eth-call.ts'
import type { KeyChecks } from '../identity/key-checks.ts'
import type { IdentitySettings } from '../identity/settings.ts'
import type { Clock } from '../model/clock.ts'
import type { FreshReads } from '../model/fresh-reads.ts'
import type { Freshness } from '../model/freshness.ts'
import type { LiveMarket } from '../model/live-market.ts'
import { marketNames } from '../model/market-list.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { OrderParts } from '../orders/order-parts.ts'
import type { Relay } from '../orders/relay/relay-status.ts'
import type { PublishedVenue } from './published.ts'
import type { Probes, ServiceOptions } from './readiness.ts'
import type { Terminal } from './terminal-files.ts'

export type RestOptions = ServiceOptions & Readonly<{ marketsCacheMs: number }>

/** Everything available to a route of the first host. Each route takes the parts that it names. */
export type RouteParts = Readonly<{
  model: VenueModel
  clock: Clock
  options: RestOptions
  rates: Pick<RateOptions, 'proxyHops'>
  settings: IdentitySettings &
    Readonly<{ balancePointsMax: number; trading: Trading; receiptAddresses: readonly string[] }>
  published: PublishedVenue
  /** The terminal, if the venue has one. */
  terminal: Terminal | undefined
  /** The reason why the terminal is missing, if one was expected. */
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
  keys: KeyChecks
  /** Authenticates a request by a live key. */
  authenticate: Authenticate
  wallets: Wallets
  /** Database reads, none older than what this node has published. */
  fresh: FreshReads
  owned: OwnedReads
  /** Past results of accounts, joined to their current records. */
  pasts: AccountPasts
  /** Account objects, cached for all callers. */
  overviews: Overviews
  ledger: Ledger
  /** Facts about the relayer, and the receipt signatures. */
  relay: Relay
  /** Services of the commands on orders. */
  orderParts: OrderParts
}>

export type Parts<K extends keyof RouteParts> = Pick<RouteParts, K>

/** Dependencies of reading an account's orders and positions. */
export type OwnerParts = 'model' | 'wallets' | 'owned'

/** Adds a group of routes that need the parts `K`. */
export type Routes<K extends keyof RouteParts = never> = (host: Host, parts: Parts<K>) => void

/** Groups of the documentation, in their order. */
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

/** Refusal codes of routes for one market. */
export const NO_INSTRUMENT: readonly RefusalCode[] = ['INSTRUMENT_NOT_FOUND']

/** Returns the refusal of an unknown market. `nearest` is the name probably meant. */
export function instrumentNotFound(field: string, name?: string, nearest?: string): Refusal {
  const code = 'INSTRUMENT_NOT_FOUND'
  const message = `${field} is unknown: ${mismatchText(MARKET_RULE, name)}`
  const near = nearest === undefined ? {} : { nearest }
  return new Refusal(code, { details: [{ field, code, message, ...near }] })
}

/** Returns the market with the exact name or id in `field`, or refuses with 404. Section 4.2. */
export function marketOr404(model: VenueModel, field: string, nameOrId: string): LiveMarket {
  const live = model.market(nameOrId)
  if (live === undefined) {
    const nearest = nearestName(marketNames(model), nameOrId)
    throw instrumentNotFound(field, nameOrId, nearest)
  }
  return live
}
