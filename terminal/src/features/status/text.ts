// Texts of the status page.
import type { ConnectionState } from './status-protocol.ts'

export const status = 'Status'
export const loading = 'Loading …'
export const unknown = 'not known yet'

// Venue
export const venue = 'Venue'
export const network = 'Network'
export const networkOnChain = (name: string, chain: number) => `${name}, chain ${chain}`
export const trading = 'Trading'
export const tradingNames = {
  live: 'live',
  coming_soon: 'not live yet: new orders are refused',
  cancel_only: 'cancels only',
} as const
export const noOrdersWithoutApi = 'no new orders while the API does not respond'
export const version = 'Version'

// Data
export const data = 'Data'
export const newestBlock = 'Newest block'
/** `block` is empty while it is unknown. */
export const blockAge = (block: string, age: string) =>
  `${block === '' ? '' : `${block}, `}${age} old`
export const ready = 'Ready'
export const noAnswer = 'no answer'
export const isReady = 'yes'
/** `awaiting` is empty if the venue does not report it. */
export const isNotReady = (awaiting: string) =>
  `no${awaiting === '' ? '' : `: waiting for ${awaiting}`}`
export const chainNode = 'Chain node'
export const indexer = 'Indexer'
export const cacheStore = 'Cache store'
export const responds = 'responds'
export const failsWith = (error: string) => `fails: ${error}`
export const noReason = 'no reason given'
export const atBlock = (block: string) => `at block ${block}`
export const lagUnknown = 'responds; lag unknown'
export const blocksBehind = (lag: number) => (lag === 1 ? '1 block behind' : `${lag} blocks behind`)

// Keeper
export const keeper = 'Keeper'
export const indexPrices = 'Index prices'
export const noIndexPrices = 'not used by any market'
export const noPriceYet = (asset: string) => `none yet for ${asset}`
const oldest = (asset: string, age: string) => `oldest (${asset}): ${age} old`
export const pricesStopped = (asset: string, age: string) =>
  `${oldest(asset, age)}; no update since`
export const pricesLate = (asset: string, age: string) => `late: ${oldest(asset, age)}`
export const pricesUpdating = (asset: string, age: string) => `updating; ${oldest(asset, age)}`

// This page
export const thisPage = 'This page'
export const socket = 'Socket'
export const connectionNames: Readonly<Record<Exclude<ConnectionState, 'stale'>, string>> = {
  connecting: 'connecting',
  resync: 'reconnected, catching up',
  open: 'open',
  lost: 'lost, reconnecting',
  down: 'the API does not respond',
}
export const connectionStale = (since: string) => `open, but no data for ${since}`
export const roundTrip = 'Round trip'
export const reorgs = 'Reorganisations seen'
export const reorgsSeen = (count: number) => `${count} since the page was opened`

// Order relay
export const orderRelay = 'Order relay'
export const relayer = 'Relayer'
export const acceptsNoOrders = 'this node accepts no orders'
export const relayerRunning = (block: string) => `running, at block ${block}`
export const relayerDown = 'not responding: orders wait'
export const promise = 'Promise'
export const promiseOf = (blocks: number) =>
  `an accepted order is on chain, or refused, expired or withdrawn, within ${blocks} blocks, ` +
  'plus full blocks of the queue ahead of it'
export const queue = 'Queue'
export const queueOf = (blocks: number, blockTime: string) =>
  `${blocks} blocks; block time ${blockTime}`
export const lane = (name: string) => `Lane ${name}`
export const laneState = (isFunded: boolean, queued: number, sent: number) =>
  `${isFunded ? 'funded' : 'out of gas'}, ${queued} waiting, ${sent} sent`
export const promiseLedger = 'Promise ledger'
export const ledgerEmpty = 'empty'
export const ledgerHead = (entry: string, isSigned: boolean, hash: string) =>
  `entry ${entry}, ${isSigned ? 'signed' : 'not signed'}, hash ${hash}…`
export const receiptsSignedBy = 'Receipts are signed by'
