// The venue's notifications for display, and requests about them.
import type { Question } from '../../protocol/question.ts'

export type NotificationRow = Readonly<{
  id: string
  title: string
  text: string
  time: string
  tone: 'info' | 'warning' | 'critical'
  isRead: boolean
}>

export type NotificationsView = Readonly<{
  /** The listed notifications, newest first. */
  rows: readonly NotificationRow[]
  /** Number of unread notifications at the venue, as text; empty: none. */
  unread: string
}>

export const NO_NOTIFICATIONS: NotificationsView = { rows: [], unread: '' }

/** A new event, for system notifications and for a sound. */
export type Alert = Readonly<{ id: string; title: string; text: string }>

export type NotificationRequests = Readonly<{
  /** Marks one as read, or all that are listed. */
  readNotifications: Question<Readonly<{ id: string | undefined }>, null>
}>
