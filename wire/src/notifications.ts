// Encodes the notifications of an account. Title and message are composed on reading.
import {
  NOTIFICATION_TYPES,
  type NotificationType,
  OPT_IN_NOTIFICATIONS,
} from '@openvenue/core/notifications'
import Type, { type Static } from 'typebox'
import { timeRange } from './account-query.ts'
import { nsText } from './decimal.ts'
import { Address, choice, named, ns, nullable } from './field.ts'
import { Pagination, pageParameters } from './pagination.ts'

/** Maximum number of ids per request. */
export const NOTIFICATION_IDS_MAX = 500

const NotificationTypeField = choice(NOTIFICATION_TYPES as readonly NotificationType[], {
  title: 'NotificationType',
  description: 'Type of the notification.',
})
const Severity = choice(['info', 'warning', 'critical'])
type Severity = Static<typeof Severity>

export const NotificationItem = named(
  'Notification',
  {
    id: Type.String({ description: 'Unique within the account.' }),
    account: Address('Wallet of the account.'),
    chain_id: Type.Integer(),
    type: NotificationTypeField,
    severity: Severity,
    title: Type.String(),
    message: Type.String(),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Fields by type: order_id, instrument_name, amount, ...',
    }),
    read: Type.Boolean(),
    read_timestamp: nullable(ns('Time at which it was marked as read.')),
    created_timestamp: ns(
      'Time of its block; without a block, that of the newest block at the time, at most 60 s before the event.',
    ),
    dedupe_key: Type.String({ description: 'Identical for every delivery of the notification.' }),
  },
  'A notification of an account.',
)
export type NotificationItem = Static<typeof NotificationItem>

const chainFilter = {
  chain_id: Type.Optional(
    Type.Integer({ description: 'Chain id; a different one yields no rows.' }),
  ),
}

export const NotificationsQuery = Type.Object({
  ...pageParameters,
  ...timeRange,
  ...chainFilter,
  status: Type.Optional(
    choice(['all', 'unread', 'read'], {
      default: 'all',
      description: 'Only read, or only unread, notifications.',
    }),
  ),
  type: Type.Optional(NotificationTypeField),
})

export const NotificationsPage = named(
  'NotificationsPage',
  {
    notifications: Type.Array(NotificationItem, { description: 'Newest first.' }),
    unread_count: Type.Integer({ description: 'Unread ones, regardless of the filters.' }),
    pagination: Pagination,
  },
  'A page of notifications of the account.',
)
export type NotificationsPage = Static<typeof NotificationsPage>

/** No parameters. */
export const NotificationTarget = Type.Object({})
export const UnreadCountQuery = Type.Object(chainFilter)
export const UnreadCount = named(
  'UnreadCount',
  { unread_count: Type.Integer() },
  'Number of unread notifications.',
)

const isRead = Type.Optional(
  Type.Boolean({ default: true, description: 'False marks it as unread.' }),
)
export const ReadOne = Type.Object({ read: isRead })
export const ReadMany = Type.Object({
  ids: Type.Array(Type.String(), { minItems: 1, maxItems: NOTIFICATION_IDS_MAX }),
  read: isRead,
})
export const ReadAll = Type.Object({
  before: Type.Optional(
    Type.String({ description: 'Only those up to this time, Unix nanoseconds as text.' }),
  ),
})

export const NotificationRead = named(
  'NotificationRead',
  {
    success: Type.Literal(true),
    notification: NotificationItem,
  },
  'The notification after the change.',
)
export const NotificationsRead = named(
  'NotificationsRead',
  {
    success: Type.Literal(true),
    updated: Type.Integer({ description: 'Number of notifications changed.' }),
  },
  'The notifications are marked.',
)
export const NotificationRemoved = named(
  'NotificationRemoved',
  { success: Type.Literal(true) },
  'It is deleted.',
)

export const CHANNELS = ['in_app', 'websocket', 'webhook'] as const

const Channels = named('NotificationChannels', {
  in_app: Type.Boolean({ description: 'Listed by GET /notifications.' }),
  websocket: Type.Boolean({ description: 'Pushed on the channel notifications.' }),
  webhook: Type.Literal(false, { description: 'Not offered.' }),
})
const Types = named(
  'NotificationChoices',
  Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, Type.Boolean()])) as Record<
    NotificationType,
    ReturnType<typeof Type.Boolean>
  >,
)
export const Preferences = named(
  'NotificationPreferences',
  { channels: Channels, types: Types },
  'Enabled notification types and channels. Changes apply to later events.',
)
export type Preferences = Static<typeof Preferences>
/** The body of PUT; omitted members are unchanged. */
export const PreferencesChange = Type.Object({
  channels: Type.Optional(Type.Partial(Channels)),
  types: Type.Optional(Type.Partial(Types)),
})

/** Preferences as stored. */
type StoredPreferences = Readonly<{
  inApp: boolean
  websocket: boolean
  types: Readonly<Record<string, boolean>>
}>

/** Returns the preferences, with defaults for types that were not set. */
export const encodePreferences = ({ inApp, websocket, types }: StoredPreferences): Preferences => ({
  channels: { in_app: inApp, websocket, webhook: false },
  types: Object.fromEntries(
    NOTIFICATION_TYPES.map((type) => [type, types[type] ?? !OPT_IN_NOTIFICATIONS.includes(type)]),
  ) as Preferences['types'],
})

/** A notification as stored. */
export type NotificationRecord = Readonly<{
  wallet: string
  id: string
  type: string
  seconds: number
  data: Readonly<Record<string, unknown>>
  readMs: number | undefined
}>

/** Returns a notification of the chain `chainId` with its text. REST and sockets send the same. */
export function encodeNotification(
  notification: NotificationRecord,
  chainId: number,
): NotificationItem {
  const { wallet, id, type, seconds, data, readMs } = notification
  const { severity, title, message } = WORDS[type as NotificationType]
  return {
    id,
    account: wallet,
    chain_id: chainId,
    type: type as NotificationType,
    severity,
    title,
    message: message(data),
    data: Object.fromEntries(Object.entries(data).map(([name, value]) => [snake(name), value])),
    read: readMs !== undefined,
    read_timestamp: readMs === undefined ? null : `${readMs}000000`,
    created_timestamp: nsText(seconds),
    dedupe_key: id,
  }
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type Data = NotificationRecord['data']
type NotificationText = Readonly<{
  severity: Severity
  title: string
  message: (data: Data) => string
}>

const words = (
  severity: Severity,
  title: string,
  message: NotificationText['message'],
): NotificationText => ({
  severity,
  title,
  message,
})

const side = ({ side }: Data) => (side === 'buy' ? 'Bought' : 'Sold')
const filled = (data: Data) =>
  `${side(data)} ${data.amount} ${data.instrumentName} at ${data.price}`

const ordered = ({ side, amount, instrumentName, price }: Data) =>
  `${side} order of ${amount} ${instrumentName} at ${price}`

const WORDS: Readonly<Record<NotificationType, NotificationText>> = {
  order_filled: words('info', 'Order filled', (data) => `${filled(data)}. The order is complete.`),
  order_partially_filled: words(
    'info',
    'Order partially filled',
    (data) => `${filled(data)}. So far ${data.filled} of the order is filled.`,
  ),
  order_cancelled: words(
    'warning',
    'Order cancelled',
    (data) =>
      `The venue cancelled your ${ordered(data)} (${data.reason}). ${data.filled} of it was filled.`,
  ),
  order_rejected: words(
    'warning',
    'Order rejected',
    (data) => `Your ${ordered(data)} was not placed (${data.reason}).`,
  ),
  order_expired: words(
    'info',
    'Order expired',
    (data) => `Your ${ordered(data)} was not placed in its time (${data.reason}).`,
  ),
  order_triggered: words(
    'info',
    'Stop triggered',
    (data) => `The mark met ${data.trigger}: your ${ordered(data)} goes to the chain.`,
  ),
  position_liquidated: words('critical', 'Liquidation', (data) => {
    const { kind } = data
    if (kind === 'deleverage')
      return `${filled(data)}, against another account: the loser's equity was used up and insurance could not take its position.`
    const closed = `Your equity fell below the maintenance margin. ${filled(data)}`
    return kind === 'absorption'
      ? `${closed}: insurance took the position over, and ${data.fee} of collateral.`
      : `${closed}, for a fee of ${data.fee}.`
  }),
  liquidation_warning: words(
    'warning',
    'Close to liquidation',
    ({ equity, maintenanceMargin }) =>
      `Your equity is ${equity}, your maintenance margin ${maintenanceMargin}. Below it your positions may be closed.`,
  ),
  funding_paid: words('info', 'Funding', ({ amount, instrumentName }) =>
    String(amount).startsWith('-')
      ? `You paid ${String(amount).slice(1)} of funding for ${instrumentName}.`
      : `You received ${amount} of funding for ${instrumentName}.`,
  ),
  deposit_finalized: words(
    'info',
    'Deposit',
    ({ amount, asset }) => `Your deposit of ${amount} ${asset} has arrived.`,
  ),
  withdraw_finalized: words(
    'info',
    'Withdrawal',
    ({ amount, asset, recipient }) => `Your withdrawal of ${amount} ${asset} went to ${recipient}.`,
  ),
  transfer_received: words(
    'info',
    'Transfer received',
    ({ amount, asset }) => `Another account gave you ${amount} ${asset}.`,
  ),
  market_halted: words(
    'warning',
    'Market halted',
    ({ instrumentName }) =>
      `${instrumentName} is halted. You have a position or an order there; orders can be cancelled.`,
  ),
  withdrawals_stopped: words(
    'critical',
    'Withdrawals stopped',
    ({ instrumentName }) =>
      `A loss in ${instrumentName} is more than insurance can carry. Withdrawals and transfers of margin are stopped until it is covered. Trading, deposits, cancels and spot withdrawals still work.`,
  ),
  withdrawals_resumed: words(
    'info',
    'Withdrawals resumed',
    ({ instrumentName }) =>
      `The loss in ${instrumentName} is covered. Margin can be withdrawn and transferred again.`,
  ),
  api_key_created: words(
    'info',
    'API key created',
    ({ prefix }) => `The API key ${prefix}... was created for your account.`,
  ),
  api_key_expiring: words(
    'warning',
    'API key ends soon',
    ({ prefix }) => `The API key ${prefix}... ends soon. Register again for a new one.`,
  ),
  api_key_revoked: words(
    'warning',
    'API key revoked',
    ({ prefix }) => `The API key ${prefix}... was revoked.`,
  ),
}
