// Texts of the notification tray.

export const title = 'Notifications'
export const unread = ' unread'
export const unreadCount = (count: number, most: number) => (count > most ? `${most}+` : `${count}`)
export const markAllRead = 'Mark all as read'
export const none = 'No notifications yet.'
export const markRead = 'mark as read'
export const markRowRead = (title: string, time: string) => `Mark as read: ${title}, ${time}`

// Choices
export const systemNotifications = 'System notifications while the page is hidden'
export const withSound = 'With a sound'
export const blockedByBrowser =
  '▲ The browser blocks notifications: allow them in its settings for this site.'
