// Notifications of an account, and its preferences. Interface 1 and 4.6.
import type { NotificationFilter, StoredNotification } from '@openvenue/store/history/notifications'
import { END_OF_TIME_S } from '@openvenue/wire/account-query'
import type { Static, TSchema } from '@openvenue/wire/field'
import {
  encodePreferences,
  NotificationRead,
  NotificationRemoved,
  NotificationsPage,
  NotificationsQuery,
  NotificationsRead,
  NotificationTarget,
  Preferences,
  PreferencesChange,
  ReadAll,
  ReadMany,
  ReadOne,
  UnreadCount,
  UnreadCountQuery,
} from '@openvenue/wire/notifications'
import { ADDRESS_WORDS, type PathDescriptions, pathSchema } from '@openvenue/wire/pagination'
import type { FastifyRequest } from 'fastify'
import { timeRangeOr400 } from '../account/account-filter.ts'
import { answers } from '../http/answer.ts'
import type { Host } from '../http/host-type.ts'
import { exactly, inTwoReads, readPage } from '../http/page.ts'
import { orUnavailable, Refusal, type RefusalCode } from '../http/refusals.ts'
import type { Authenticate } from '../identity/authenticate.ts'
import { requireCaller } from '../identity/caller.ts'
import { notificationBody } from '../orders/relay/find-order.ts'
import { accountGet } from './account-route.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import {
  isNotificationId,
  parseBeforeSeconds,
  parseIds,
  parsePreferencesChange,
  parseReadFlag,
} from './notification-bodies.ts'
import { type Parts, type Routes, TAGS } from './route.ts'

type NotificationParts = 'notifications' | 'settings' | 'model'

const PATH = '/notifications'
const tags = TAGS.notifications
const NOT_FOUND: readonly RefusalCode[] = ['NOTIFICATION_NOT_FOUND']

export const notificationRoutes: Routes<NotificationParts | 'clock' | 'authenticate'> = (
  host,
  deps,
) => {
  const { notifications } = deps
  const get = <Q extends TSchema>(
    path: string,
    route: Readonly<{ summary: string; query: Q; body: TSchema }>,
    answer: (account: string, query: Static<Q>) => Promise<object>,
  ) =>
    accountGet(
      host,
      deps,
      { path, below: path, tags, isOffChain: true, ...route },
      ({ caller, query }) => answer(caller.account, query),
    )
  get(
    PATH,
    {
      summary: 'Notifications of the account, newest first',
      query: NotificationsQuery,
      body: NotificationsPage,
    },
    (account, query) => readNotifications(deps, account, query),
  )
  get(
    `${PATH}/unread-count`,
    {
      summary: 'Number of unread notifications',
      query: UnreadCountQuery,
      body: UnreadCount,
    },
    async (account, query) => ({ unread_count: await unreadCount(deps, account, query) }),
  )
  get(
    `${PATH}/preferences`,
    {
      summary: 'Notification preferences of the account',
      query: NotificationTarget,
      body: Preferences,
    },
    async (account) => encodePreferences(await orUnavailable(notifications.preferences(account))),
  )
  withExactBodies(host, (scope) => {
    const add = createAdder(scope, deps.authenticate)
    markingRoutes(add, deps)
    otherRoutes(add, deps)
  })
}

/** A venue has one chain only. */
const isOtherChain = (
  { settings }: Parts<'settings'>,
  { chain_id }: Readonly<{ chain_id?: number }>,
) => chain_id !== undefined && chain_id !== settings.chainId

const everything = (wallet: string): NotificationFilter => ({
  wallet,
  status: 'all',
  type: undefined,
  fromSeconds: 0,
  toSeconds: END_OF_TIME_S,
})

const cursorPosition = ({ seconds, id }: StoredNotification) => ({ seconds, id })

async function readNotifications(
  deps: Parts<NotificationParts>,
  account: string,
  query: Static<typeof NotificationsQuery>,
): Promise<NotificationsPage> {
  const { notifications, settings, model } = deps
  const { chainId } = settings
  const { status = 'all', type, chain_id = chainId } = query
  const filter = { ...everything(account), ...timeRangeOr400(query), status, type }
  const isNothing = isOtherChain(deps, query)
  const { rows, pagination } = await readPage<StoredNotification>(query, {
    name: {
      list: 'notifications',
      isAscending: false,
      filter: [account, status, type, chain_id, filter.fromSeconds, filter.toSeconds],
    },
    read: inTwoReads(
      async (scan) => (isNothing ? [] : orUnavailable(notifications.page({ ...filter, ...scan }))),
      cursorPosition,
    ),
    cursorPosition,
    count: async () => exactly(isNothing ? 0 : await orUnavailable(notifications.count(filter))),
    // Its owner may have deleted it.
    isFinal: () => false,
  })
  return {
    notifications: rows.map((row) => notificationBody({ model, chainId }, row)),
    unread_count: await unreadCount(deps, account, query),
    pagination,
  }
}

const unreadCount = async (
  deps: Parts<NotificationParts>,
  account: string,
  query: Readonly<{ chain_id?: number }>,
): Promise<number> =>
  isOtherChain(deps, query)
    ? 0
    : orUnavailable(deps.notifications.count({ ...everything(account), status: 'unread' }))

type WriteRoute = Readonly<{
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  summary: string
  /** Schema of the request body; undefined: there is none. */
  takes?: TSchema
  body: TSchema
  refuses?: readonly RefusalCode[]
}>

type WriteRequest = Readonly<{ account: string; id: string; body: unknown }>

type AddRoute = (route: WriteRoute, answer: (request: WriteRequest) => Promise<object>) => void

/** Returns a function that adds a writing route, at its plain path and below the address. */
function createAdder(scope: Host, onRequest: Authenticate): AddRoute {
  return ({ method, path, summary, takes, body, refuses = [] }, answer) => {
    const schema = {
      tags,
      summary,
      response: answers(body),
      ...(takes === undefined ? {} : { body: takes }),
    }
    // Read marks and preferences need no trading scope.
    const codes = [...refuses, 'HISTORY_UNAVAILABLE'] as const
    const config = { isOffChain: true, scope: 'read', refuses: codes } as const
    const handler = (request: FastifyRequest) => {
      const { id = '' } = request.params as Readonly<Record<string, string>>
      return answer({ account: requireCaller(request).account, id, body: request.body })
    }
    const words: PathDescriptions = path.startsWith('/:id') ? { id: 'Id of the notification.' } : {}
    for (const [url, all] of [
      [`${PATH}${path}`, words],
      [`/account/:address${PATH}${path}`, { ...ADDRESS_WORDS, ...words }],
    ] as const) {
      const params = Object.keys(all).length === 0 ? {} : { params: pathSchema(all) }
      const described = { ...schema, ...params }
      const options = { schema: described, config, onRequest, validatorCompiler: describedOnly }
      scope.route({ method, url, ...options, handler })
    }
  }
}

function markingRoutes(
  add: AddRoute,
  { notifications, settings, model, clock }: Parts<NotificationParts | 'clock'>,
): void {
  const { chainId } = settings
  const readMs = (isRead: boolean) => (isRead ? clock.nowMs() : undefined)
  for (const method of ['POST', 'PUT'] as const)
    add(
      {
        method,
        path: '/:id/read',
        summary: 'Mark a notification as read, or as unread',
        takes: ReadOne,
        body: NotificationRead,
        refuses: NOT_FOUND,
      },
      async ({ account, id, body }) => {
        const isRead = parseReadFlag(body)
        if (!isNotificationId(id)) throw notFound()
        await orUnavailable(notifications.mark(account, [id], readMs(isRead)))
        const notification = await orUnavailable(notifications.find(account, id))
        if (notification === undefined) throw notFound()
        return {
          success: true,
          notification: notificationBody({ model, chainId }, notification),
        }
      },
    )
  add(
    {
      method: 'POST',
      path: '/read',
      summary: 'Mark notifications as read, or as unread',
      takes: ReadMany,
      body: NotificationsRead,
      refuses: ['MISSING_PARAMETER'],
    },
    async ({ account, body }) => {
      const [ids, isRead] = [parseIds(body), parseReadFlag(body)]
      const updated = await orUnavailable(notifications.mark(account, ids, readMs(isRead)))
      return { success: true, updated }
    },
  )
  add(
    {
      method: 'POST',
      path: '/read-all',
      summary: 'Mark all notifications as read, or those before a time',
      takes: ReadAll,
      body: NotificationsRead,
    },
    async ({ account, body }) => {
      const toSeconds = parseBeforeSeconds(body) ?? END_OF_TIME_S
      const updated = await orUnavailable(notifications.markAll(account, toSeconds, clock.nowMs()))
      return { success: true, updated }
    },
  )
}

function otherRoutes(add: AddRoute, { notifications }: Parts<'notifications'>): void {
  add(
    {
      method: 'DELETE',
      path: '/:id',
      summary: 'Delete a notification',
      body: NotificationRemoved,
      refuses: NOT_FOUND,
    },
    async ({ account, id }) => {
      if (isNotificationId(id) && (await orUnavailable(notifications.remove(account, id))))
        return { success: true }
      throw notFound()
    },
  )
  add(
    {
      method: 'PUT',
      path: '/preferences',
      summary: 'Change the notification preferences; omitted ones stay',
      takes: PreferencesChange,
      body: Preferences,
    },
    async ({ account, body }) => {
      const change = parsePreferencesChange(body)
      return encodePreferences(
        await orUnavailable(notifications.changePreferences(account, change)),
      )
    },
  )
}

function notFound(): Refusal {
  const code = 'NOTIFICATION_NOT_FOUND'
  const message = 'id is unknown: expected that of a notification of the account'
  return new Refusal(code, { details: [{ field: 'id', code, message }] })
}
