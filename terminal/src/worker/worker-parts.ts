// What the parts of the worker that are loaded later stand on.
import type { SessionHolder } from './account/session.ts'
import type { ChainFallback } from './chain/chain-fallback.ts'
import type { ChainConfig } from './chain/venue-config.ts'
import type { Alert } from './notifications/notification-protocol.ts'
import type { Poster } from './shown-sources.ts'
import type { VenueView } from './venue-view.ts'
import type { WalletRelay } from './wallet/wallet-relay.ts'

/** What is there to answer with. */
export type WorkerParts = Readonly<{
  apiUrl: string
  config: ChainConfig
  poster: Poster
  view: VenueView
  sessions: SessionHolder
  relay: WalletRelay
  fallback: ChainFallback
  /** Says what has just happened at once, also while the page is hidden. */
  alert: (alert: Alert) => void
  /** Whether the page can be seen. */
  isSeen: () => boolean
}>
