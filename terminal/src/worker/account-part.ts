// The worker's account code: session, tables, orders and news. Loaded if an account is stored, or
// once one is requested.
import type { shapes } from 'openvenue'
import type { AccountRequests } from '../features/account/account-protocol.ts'
import type { AccountActions } from '../features/account/worker/account-actions.ts'
import { AccountControl } from '../features/account/worker/account-control.ts'
import { AccountFeed } from '../features/account/worker/account-feed.ts'
import { askAgain } from '../features/chain/worker/ask-again.ts'
import { chainTableHandlers } from '../features/chain/worker/chain-requests.ts'
import type { NotificationRequests } from '../features/notifications/notification-protocol.ts'
import { NotificationFeed } from '../features/notifications/worker/notification-feed.ts'
import { orderHandlers } from '../features/order/worker/order-requests.ts'
import type { AccountTabs } from '../features/session/worker/account-tabs.ts'
import type { AccountFile } from '../features/session/worker/saved-account.ts'
import type { VenueConnection } from '../features/session/worker/venue-connection.ts'
import { NO_ACCOUNT } from '../features/tables/table-protocol.ts'
import { tableHandlers } from '../features/tables/worker/table-requests.ts'
import type { PlannedCall } from '../features/wallet/worker/wallet.ts'
import type { PageRequests } from '../protocol/protocol.ts'
import type { Handlers, LateRequests } from '../protocol/worker/requests.ts'
import { once } from '../protocol/worker/retry.ts'
import type { PageContext } from './page-requests.ts'
import * as text from './text.ts'
import type { WorkerParts } from './worker-parts.ts'

/** Requests of the secondary pages, whose handlers are loaded with the first of them. */
const LATE_NAMES: readonly (keyof PageRequests)[] = [
  ...(['readPortfolio', 'exportPortfolio', 'lookAt', 'readFaucet'] as const),
  ...(['readKeys', 'makeKey', 'revokeKey', 'revokeAllKeys', 'revokeSigningKey'] as const),
  ...(['allowVenue', 'revokeCanceller'] as const),
  ...(['readAccounts', 'openSubAccount', 'moveMoney', 'actAs'] as const),
]
/** The page is idle by then. */
const AT_REST_MS = 3_000
/** Members that a followed account sends again. */
const OF_ACCOUNT = ['positions', 'orders', 'account'] as const

export type AccountPart = Readonly<{
  handlers: Handlers<LateRequests>
  /** Address of the wallet; empty without one. */
  address: () => string
  /** Ids of resting orders last reported by the API. */
  orders: () => readonly string[]
  /** Requests all account data again; returns the names of the expected members. */
  renew: () => readonly string[]
}>

/** Storage of the account, and its venue. */
export type AccountStorage = Readonly<{
  file: AccountFile
  tabs: AccountTabs
  connection: VenueConnection
}>

/** Creates the account's parts, and restores the account of the last visit. */
export async function openAccount(
  parts: WorkerParts,
  { file, tabs, connection }: AccountStorage,
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
  // Later requests need the stored account.
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

/** Loads the wallet code in advance: while the API is down, only the wallet can send. */
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

/**
 * Wallet transactions concern the wallet's own account: refused while a sub-account is selected.
 */
async function sendOwn(
  { sessions }: WorkerParts,
  control: AccountControl,
  call: PlannedCall,
): Promise<void> {
  if (sessions.require().account !== control.address) throw new Error(text.ownAccountOnly)
  await control.sendPlanned([call])
}

/** Follows the account of each session; can restart the current one. */
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
    // It ends with the socket, at sign-out, or with a key that the venue no longer accepts.
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

/** Returns handlers that share one lazily loaded module. */
function lateHandlers(parts: PageContext): Handlers<PageRequests> {
  const load = once(async () => (await import('./page-requests.ts')).pageHandlers(parts))
  const late = (name: keyof PageRequests) => async (data: never) => (await load())[name](data)
  return Object.fromEntries(LATE_NAMES.map((name) => [name, late(name)])) as never
}

function accountHandlers(control: AccountControl): Handlers<AccountRequests> {
  const done = async (work: Promise<void>): Promise<null> => {
    await work
    return null
  }
  const act = async (work: (actions: AccountActions) => Promise<void>): Promise<null> =>
    done(work(await control.actions()))
  return {
    startTest: () => act((actions) => actions.startTest()),
    connect: (wallet) => act((actions) => actions.connect(wallet)),
    switchChain: () => act((actions) => actions.switchChain()),
    stopWaiting: async () => {
      control.stopWaiting()
      return null
    },
    resume: () => act((actions) => actions.resume()),
    checkMoney: async (money) => (await control.actions()).checkMoney(money),
    getTestMoney: () => act((actions) => actions.getTestMoney()),
    enableTrading: (money) => act((actions) => actions.enableTrading(money)),
    deposit: (money) => act((actions) => actions.deposit(money)),
    withdraw: (money) => act((actions) => actions.withdraw(money)),
    walletChanged: () => done(control.walletChanged()),
    signOut: () => done(control.signOut()),
  }
}
