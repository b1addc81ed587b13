// Shared dependencies of the watcher's parts.
import type { Order } from '@openvenue/core/records'
import type { RpcNode } from '@openvenue/runtime/node'
import type { Intents } from '@openvenue/store/intents/intents'
import type { Safeguards } from '@openvenue/store/intents/safeguards'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { VenueView } from '../venue-view.ts'
import type { Retractions } from './retractions.ts'
import type { WatchedIntents } from './watched-intents.ts'

export type WatcherOptions = Readonly<{
  intents: Intents
  safeguards: Safeguards
  view: Pick<VenueView, 'state' | 'onFold' | 'onChange'>
  node: RpcNode
  /** Finds resting orders by digest or chain id. */
  resting: Readonly<{ find(id: string): Order | undefined }>
  /** The relayer's share of a block, from which the block of a fired order is promised. */
  gasPerBlock: number
  clock: Clock
  /** Monotonic milliseconds, unaffected by clock changes. */
  monotonicMs: () => number
  log: Pick<Logger, 'info' | 'warn'>
  /** Returns whether this process may write: false once the lease is lost. */
  mayAct: () => boolean
}>

/** Shared by the parts of a watcher. */
export type WatcherContext = WatcherOptions &
  Readonly<{ watched: WatchedIntents; retractions: Retractions; seconds: () => number }>
