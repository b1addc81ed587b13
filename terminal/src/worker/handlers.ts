// Puts together what answers the page's questions. It is loaded after the first book: signing is
// most of its size.
import { AccountControl } from './account/account-control.ts'
import { AccountFeed } from './account/account-feed.ts'
import { accountHandlers } from './account/account-requests.ts'
import { AccountTabs } from './account/account-tabs.ts'
import { indexedRecords } from './account/indexed-records.ts'
import { AccountFile } from './account/saved-account.ts'
import { SealedStore } from './account/sealed-store.ts'
import type { SessionHolder } from './account/session.ts'
import type { ChainFallback } from './chain/chain-fallback.ts'
import { chainTableHandlers } from './chain/chain-requests.ts'
import type { ChainConfig } from './chain/venue-config.ts'
import { VenuePlaces } from './chain/venue-place.ts'
import { chartHandlers } from './market/chart-requests.ts'
import { NotificationFeed } from './notifications/notification-feed.ts'
import type { Alert, NotificationRequests } from './notifications/notification-protocol.ts'
import { orderHandlers } from './order/order-requests.ts'
import { lateHandlers } from './pages/late-handlers.ts'
import type { Handlers } from './requests.ts'
import type { Poster } from './shown-sources.ts'
import { NO_ACCOUNT } from './tables/table-protocol.ts'
import { tableHandlers } from './tables/table-requests.ts'
import type { VenueView } from './venue-view.ts'
import type { WalletRelay } from './wallet/wallet-relay.ts'

/** After so long a venue that did not answer is asked again. */
const RETRY_MS = 2_000
/** What comes anew of an account that is followed. */
const OF_ACCOUNT = ['positions', 'orders', 'account'] as const

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

/** Returns what answers every question, and takes up the account of the last visit. */
export function makeHandlers(parts: WorkerParts): Handlers {
  const { apiUrl, config, poster, sessions, relay, fallback } = parts
  const records = indexedRecords()
  const places = new VenuePlaces(records, apiUrl, config)
  const control = new AccountControl({
    ...{ apiUrl, sessions, relay },
    tabs: new AccountTabs(apiUrl),
    file: new AccountFile(new SealedStore(records), apiUrl),
    show: (view) => {
      poster.show('wallet', view)
      fallback.wallet(view.address)
    },
    loadVenue: (rest) => places.load(rest),
    away: () => {
      const venue = fallback.mode?.venue()
      return venue && fallback.mode && { venue, ask: fallback.mode.ask }
    },
  })
  const follower = followAccount(parts)
  fallback.know({
    place: () => places.read(),
    wallet: () => control.address,
    orders: () => follower.feed().orders.flatMap(({ chain_order_id: id }) => id ?? []),
    renew: () => {
      follower.renew()
      return control.hasKeys ? OF_ACCOUNT : []
    },
  })
  const feed = () => follower.feed()
  const tables = tableHandlers(sessions, feed)
  const handlers = {
    ...accountHandlers(control),
    ...orderHandlers({ ...parts, feed, send: (...asked) => sendOwn(parts, control, asked) }),
    ...notificationHandlers(parts),
    ...chainTableHandlers(tables, { fallback, control }),
    ...chartHandlers(parts.view.chart),
    ...lateHandlers({ apiUrl, sessions, control, show: (acting) => poster.show('acting', acting) }),
  }
  // Where the venue does not answer, what is public says so already.
  const restore = (): Promise<unknown> =>
    control.restore().catch(() => setTimeout(restore, RETRY_MS))
  void restore()
  return handlers
}

function notificationHandlers(parts: WorkerParts): Handlers<NotificationRequests> {
  const { poster, sessions, alert } = parts
  const feed = new NotificationFeed({ show: (view) => poster.show('notifications', view), alert })
  sessions.onChange((session) => feed.use(session))
  return {
    readNotifications: async ({ id }) => {
      await feed.markRead(id)
      return null
    },
  }
}

/** What the wallet itself sends is of its own account: not while a sub-account acts. */
async function sendOwn(
  { sessions }: WorkerParts,
  control: AccountControl,
  asked: Parameters<AccountControl['send']>,
): Promise<void> {
  if (sessions.require().account !== control.address)
    throw new Error('the wallet sends this for its own account: switch back to Main first')
  await control.send(...asked)
}

/** Follows the account of each session: knows the one there is, and can begin it anew. */
function followAccount({ poster, sessions, view, isSeen }: WorkerParts) {
  const begin = () =>
    new AccountFeed(
      (name, value) => poster.show(name, value as never),
      (market) => view.digitsOf(market),
    )
  let feed = begin()
  let following = new AbortController()
  const renew = () => {
    following.abort()
    following = new AbortController()
    feed = begin()
    // It ends with the socket, at sign-out, or with a key that the venue no longer takes.
    const { current } = sessions
    if (current === undefined) return
    const { signal } = following
    feed.follow(current.socket, signal).catch(() => {})
    void feed.followMarks({ rest: current.hasty, isSeen, signal })
  }
  sessions.onChange(() => {
    poster.show('account', NO_ACCOUNT)
    for (const name of ['positions', 'orders', 'fills'] as const) poster.show(name, [])
    renew()
  })
  return { feed: () => feed, renew }
}
