// Names what the parts of the watcher work with.
import type { Order } from '@openvenue/core/records'
import type { Intents } from '@openvenue/store/intents'
import type { Safeguards } from '@openvenue/store/safeguards'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Node } from '../node.ts'
import type { VenueView } from '../venue-view.ts'
import type { Retractions } from './retractions.ts'
import type { WatchedIntents } from './watched-intents.ts'

export type WatcherDeps = Readonly<{
  intents: Intents
  safeguards: Safeguards
  view: Pick<VenueView, 'state' | 'onFold' | 'onChange'>
  node: Node
  /** Knows the resting orders by digest or chain id. */
  resting: Readonly<{ find(id: string): Order | undefined }>
  /** The relayer's share of a block: what is promised for an order that fires. */
  gasPerBlock: number
  clock: Clock
  /** Milliseconds that no clock's setting moves. */
  monotonicMs: () => number
  log: Pick<Logger, 'info' | 'warn'>
  /** Nothing is written by who has lost the turn. */
  mayAct: () => boolean
}>

/** What the parts of a watcher share. */
export type WatcherParts = WatcherDeps &
  Readonly<{ watched: WatchedIntents; retractions: Retractions; seconds: () => number }>
