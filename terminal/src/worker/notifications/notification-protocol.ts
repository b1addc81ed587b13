// What the page shows of the venue's notifications, and what it asks about them.
import type { Question } from '../question.ts'

export type NotificationRow = Readonly<{
  id: string
  title: string
  text: string
  time: string
  tone: 'info' | 'warning' | 'critical'
  isRead: boolean
}>

export type NotificationsView = Readonly<{
  /** Those that are listed, newest first. */
  rows: readonly NotificationRow[]
  /** Of all that the venue has of the account, as text; empty: none. */
  unread: string
}>

export const NO_NOTIFICATIONS: NotificationsView = { rows: [], unread: '' }

/** What has just happened, for the system's notifications and for a sound. */
export type Alert = Readonly<{ id: string; title: string; text: string }>

export type NotificationRequests = Readonly<{
  /** Marks one as read, or all that are listed. */
  readNotifications: Question<Readonly<{ id: string | undefined }>, null>
}>
