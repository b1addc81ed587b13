// Shared dependencies of the worker's lazily loaded parts.
import type { ChainFallback } from '../features/chain/worker/chain-fallback.ts'
import type { ChainConfig } from '../features/chain/worker/venue-config.ts'
import type { Alert } from '../features/notifications/notification-protocol.ts'
import type { SessionHolder } from '../features/session/worker/session.ts'
import type { WalletRelay } from '../features/wallet/worker/wallet-relay.ts'
import type { Poster } from '../protocol/worker/shown-sources.ts'
import type { VenueView } from './venue-view.ts'

export type WorkerParts = Readonly<{
  apiUrl: string
  config: ChainConfig
  poster: Poster
  view: VenueView
  sessions: SessionHolder
  relay: WalletRelay
  fallback: ChainFallback
  /** Posts an account event immediately, also while the page is hidden. */
  alert: (alert: Alert) => void
  /** Returns true while the page is visible. */
  isSeen: () => boolean
}>
