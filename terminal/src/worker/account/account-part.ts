// The part of the worker that an account needs: its session and tables, orders and what is new of
// them. It is loaded where an account was saved, or once somebody asks for one.
import type { shapes } from 'openvenue'
import { chainTableHandlers } from '../chain/chain-requests.ts'
import { NotificationFeed } from '../notifications/notification-feed.ts'
import type { NotificationRequests } from '../notifications/notification-protocol.ts'
import { orderHandlers } from '../order/order-requests.ts'
import { lateHandlers } from '../pages/late-handlers.ts'
import type { Handlers, LateRequests } from '../requests.ts'
import { NO_ACCOUNT } from '../tables/table-protocol.ts'
import { tableHandlers } from '../tables/table-requests.ts'
import type { PlannedCall } from '../wallet/wallet.ts'
import type { WorkerParts } from '../worker-parts.ts'
import { AccountControl } from './account-control.ts'
import { AccountFeed } from './account-feed.ts'
import { accountHandlers } from './account-requests.ts'
import type { AccountTabs } from './account-tabs.ts'
import { askAgain } from './ask-again.ts'
import type { AccountFile } from './saved-account.ts'
import type { VenueConnection } from './venue-connection.ts'

/** The page is at rest by then. */
const AT_REST_MS = 3_000
/** What comes anew of an account that is followed. */
const OF_ACCOUNT = ['positions', 'orders', 'account'] as const

export type AccountPart = Readonly<{
  handlers: Handlers<LateRequests>
  /** Of the wallet; empty without one. */
  address: () => string
  /** Ids of orders that the API said rest. */
  orders: () => readonly string[]
  /** Has everything of the account come anew; returns what will come. */
  renew: () => readonly string[]
}>

/** Where the account is kept, and which venue it is of. */
export type AccountPlace = Readonly<{
  file: AccountFile
  tabs: AccountTabs
  connection: VenueConnection
}>

/** Makes what an account needs, and takes up the one of the last visit. */
export async function openAccount(
  parts: WorkerParts,
  { file, tabs, connection }: AccountPlace,
): Promise<AccountPart> {
  const { apiUrl, poster, sessions, relay, fallback } = parts
  const control = new AccountControl({
    ...{ apiUrl, sessions, relay, file, tabs, connection },
    show: (view) => {
      poster.show('wallet', view)
      fallback.wallet(view.address)
    },
  })
  const follower = followAccount(parts)
  const feed = () => follower.feed()
  const tables = tableHandlers(sessions, feed)
  const handlers = {
    ...accountHandlers(control),
    ...orderHandlers({
      ...parts,
      feed,
      onPositions: follower.onPositions,
      send: (call) => sendOwn(parts, control, call),
    }),
    ...notificationHandlers(parts),
    ...chainTableHandlers(tables, { fallback, control }),
    ...lateHandlers({ apiUrl, sessions, control, show: (acting) => poster.show('acting', acting) }),
  }
  keepActions(parts, control)
  // A question that comes now finds the account that was saved.
  await control.read()
  void askAgain(() => control.restore(), fallback.returns)
  return {
    handlers,
    address: () => control.address,
    orders: () => follower.feed().orders.flatMap(({ chain_order_id: id }) => id ?? []),
    renew: () => {
      follower.renew()
      return control.hasKeys ? OF_ACCOUNT : []
    },
  }
}

/** While the API is away the wallet sends: what does it is loaded while the API is there. */
function keepActions({ sessions }: WorkerParts, control: AccountControl): void {
  sessions.onChange((session) => {
    if (session !== undefined) setTimeout(() => control.actions().catch(() => {}), AT_REST_MS)
  })
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
  call: PlannedCall,
): Promise<void> {
  if (sessions.require().account !== control.address)
    throw new Error('the wallet sends this for its own account: switch back to Main first')
  await control.sendPlanned([call])
}

/** Follows the account of each session: knows the one there is, and can begin it anew. */
function followAccount({ poster, sessions, view, isSeen }: WorkerParts) {
  let drawPositions: (positions: readonly shapes.PerpetualPosition[]) => void = () => {}
  const begin = () =>
    new AccountFeed(
      (name, value) => poster.show(name, value as never),
      { digitsOf: (market) => view.digitsOf(market), shown: () => view.market },
      (positions) => drawPositions(positions),
    )
  let feed = begin()
  view.onChoose(() => feed.marketChosen())
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
  const onPositions = (listener: typeof drawPositions) => {
    drawPositions = listener
  }
  return { feed: () => feed, renew, onPositions }
}
