// Follows the account's notifications at the venue.
import type { ChannelMessage, shapes } from 'openvenue'
import type { Session } from '../../session/worker/session.ts'
import {
  type Alert,
  NO_NOTIFICATIONS,
  type NotificationRow,
  type NotificationsView,
} from '../notification-protocol.ts'
import * as text from '../text.ts'

const NS_PER_MS = 1_000_000n
const LISTED_MAX = 50
const SHOWN_MAX = 99

type NotificationParts = Readonly<{
  show: (view: NotificationsView) => void
  alert: (alert: Alert) => void
}>

export class NotificationFeed {
  readonly #parts: NotificationParts
  #listed: readonly shapes.Notification[] = []
  #unread = 0
  #session: Session | undefined

  constructor(parts: NotificationParts) {
    this.#parts = parts
  }

  /** Follows another account, or none. Ends with the account's socket. */
  use(session: Session | undefined): void {
    this.#session = session
    this.#listed = []
    this.#unread = 0
    this.#parts.show(NO_NOTIFICATIONS)
    if (session !== undefined) this.#follow(session).catch(() => {})
  }

  async #follow(session: Session): Promise<void> {
    for await (const message of session.socket.subscribe('notifications', { snapshot: true })) {
      if (this.#session !== session) return
      if (message.type === 'snapshot') await this.#read(session)
      else this.take(message)
    }
  }

  /** Reads the list and the count: the snapshot has no count. */
  async #read(session: Session): Promise<void> {
    const query = { limit: LISTED_MAX }
    const { notifications, unread_count } = await session.rest.call('GET /notifications', { query })
    if (this.#session !== session) return
    this.#listed = notifications
    this.#unread = unread_count
    this.#show()
  }

  /** Applies new and undone notifications; duplicates are ignored. */
  take(message: Exclude<ChannelMessage<'notifications'>, { type: 'snapshot' }>): void {
    if (message.type === 'undo') this.#undo(message.data.ids)
    else if (!this.#listed.some(({ id }) => id === message.data.id)) this.#add(message.data)
  }

  #undo(ids: readonly string[]): void {
    const undone = this.#listed.filter(({ id }) => ids.includes(id))
    this.#listed = this.#listed.filter((listed) => !undone.includes(listed))
    this.#unread -= undone.filter(({ read }) => !read).length
    this.#show()
  }

  #add(added: shapes.Notification): void {
    this.#listed = [added, ...this.#listed].sort(byNewest).slice(0, LISTED_MAX)
    if (!added.read) this.#unread += 1
    this.#show()
    this.#parts.alert({ id: added.id, title: added.title, text: added.message })
  }

  /** Marks a row as read at the venue, with all notifications of its order, or all of them. */
  async markRead(id: string | undefined): Promise<void> {
    const session = this.#session
    if (session === undefined) return
    if (id === undefined) await session.rest.call('POST /notifications/read-all')
    const group = this.#groups().find(([newest]) => newest?.id === id) ?? []
    for (const grouped of group.filter(({ read }) => !read))
      await session.rest.call('POST /notifications/{id}/read', { path: { id: grouped.id } })
    await this.#read(session)
  }

  /** Notifications of one order are one row; each group is newest first. */
  #groups(): readonly (readonly shapes.Notification[])[] {
    return [...Map.groupBy(this.#listed, ({ id, data }) => data?.['order_id'] ?? id).values()]
  }

  #show(): void {
    const count = Math.max(this.#unread, 0)
    this.#parts.show({
      rows: this.#groups().map(viewRow),
      unread: countText(count),
    })
  }
}

/** The venue's order: same timestamps are sorted by id. */
const byNewest = (a: shapes.Notification, b: shapes.Notification): number =>
  Number(BigInt(b.created_timestamp) - BigInt(a.created_timestamp)) || (a.id < b.id ? 1 : -1)

function countText(count: number): string {
  if (count === 0) return ''
  return text.unreadCount(count, SHOWN_MAX)
}

/** Shows the newest notification of a group. */
function viewRow(group: readonly shapes.Notification[]): NotificationRow {
  const [newest] = group as readonly [shapes.Notification]
  return {
    ...{ id: newest.id, title: newest.title, text: newest.message, tone: newest.severity },
    ...{ isRead: group.every(({ read }) => read), time: timeText(newest.created_timestamp) },
  }
}

function timeText(timestampNs: string): string {
  const date = new Date(Number(BigInt(timestampNs) / NS_PER_MS))
  return `${date.toLocaleDateString('sv-SE')} ${date.toLocaleTimeString('en-GB')}`
}
