// Puts together what answers the page's questions. It is loaded after the first book: signing is
// most of its size.
import { AccountControl } from './account/account-control.ts'
import { AccountFeed } from './account/account-feed.ts'
import { accountHandlers } from './account/account-requests.ts'
import { indexedRecords } from './account/indexed-records.ts'
import { AccountFile } from './account/saved-account.ts'
import { SealedStore } from './account/sealed-store.ts'
import type { SessionHolder } from './account/session.ts'
import type { FramePoster } from './frame-poster.ts'
import { chartHandlers } from './market/chart-requests.ts'
import { orderHandlers } from './order/order-requests.ts'
import type { Handlers } from './requests.ts'
import { NO_ACCOUNT } from './tables/table-protocol.ts'
import { tableHandlers } from './tables/table-requests.ts'
import type { VenueView } from './venue-view.ts'
import type { WalletRelay } from './wallet/wallet-relay.ts'

/** After so long a venue that did not answer is asked again. */
const RETRY_MS = 2_000

/** What is there to answer with. */
export type WorkerParts = Readonly<{
  apiUrl: string
  poster: FramePoster
  view: VenueView
  sessions: SessionHolder
  relay: WalletRelay
}>

/** Returns what answers every question, and takes up the account of the last visit. */
export function makeHandlers(parts: WorkerParts): Handlers {
  const { apiUrl, poster, sessions, relay } = parts
  const control = new AccountControl({
    ...{ apiUrl, sessions, relay },
    file: new AccountFile(new SealedStore(indexedRecords()), apiUrl),
    show: (view) => poster.show('wallet', view),
  })
  const feed = followAccount(parts)
  const handlers = {
    ...accountHandlers(control),
    ...orderHandlers({ ...parts, feed, send: (words, callOf) => control.send(words, callOf) }),
    ...tableHandlers(sessions, feed),
    ...chartHandlers(parts.view.chart),
  }
  // Where the venue does not answer, what is public says so already.
  const restore = (): Promise<unknown> =>
    control.restore().catch(() => setTimeout(restore, RETRY_MS))
  void restore()
  return handlers
}

/** Follows the account of each session; returns what knows the account of the one there is. */
function followAccount({ poster, sessions, view }: WorkerParts): () => AccountFeed {
  const begin = () =>
    new AccountFeed(
      (name, value) => poster.show(name, value as never),
      (market) => view.digitsOf(market),
    )
  let feed = begin()
  sessions.onChange((session) => {
    poster.show('account', NO_ACCOUNT)
    for (const name of ['positions', 'orders', 'fills'] as const) poster.show(name, [])
    feed = begin()
    // It ends with the socket, at sign-out, or with a key that the venue no longer takes.
    if (session !== undefined) feed.follow(session.socket).catch(() => {})
  })
  return () => feed
}
