// Serves notifications to the tests of a file: a node, one whose database does not answer, and a
// key of OWNER. Each test begins with an empty store of notifications.
import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import type { OwnNotification } from '@openvenue/store/history/notifications'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { NotificationsPage } from '@openvenue/wire/notifications'
import type { InjectOptions } from 'fastify'
import { Value } from 'typebox/value'
import { type IssuedKey, issueKey } from './keyed.ts'
import { BROKEN_ACCOUNTS, type ScenarioNode, scenarioNode } from './scenario-node.ts'

export const [OWNER, OTHER] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const
export const NOW = 1_800_000_000

type Page = NotificationsPage
export type ErrorBody = Readonly<{ error: string; details: readonly Record<string, unknown>[] }>

export let store: Store
export let venue: ScenarioNode
export let broken: ScenarioNode
let key: IssuedKey

/** Starts the nodes for the tests of the calling file. */
export function serveNotifications(): void {
  before(async () => {
    store = await openMemoryStore()
    venue = await scenarioNode([], store)
    venue.setNow(NOW)
    const { identity } = store
    broken = await scenarioNode([], undefined, { accounts: { ...BROKEN_ACCOUNTS, identity } })
    key = await issueKey(store, OWNER, NOW * 1000)
  })
  beforeEach(() => store.db.script('TRUNCATE notifications, notification_preferences'))
  after(async () => {
    await venue.close()
    await broken.close()
    await store.close()
  })
}

export const notification = (
  id: string,
  given: Partial<OwnNotification> = {},
): OwnNotification => ({
  wallet: OWNER,
  id,
  type: 'order_filled',
  seconds: NOW,
  data: {
    instrumentName: 'ETH-PERP',
    orderId: '0x1',
    side: 'buy',
    price: '3000',
    amount: '1',
    filled: '1',
  },
  ...given,
})
export const add = (...notifications: readonly OwnNotification[]) =>
  store.notifications.add(notifications)

export async function ask(
  method: NonNullable<InjectOptions['method']>,
  url: string,
  { body, host: node = venue }: Readonly<{ body?: unknown; host?: ScenarioNode }> = {},
) {
  const payload = body === undefined ? {} : { payload: body as object }
  const answer = await node.host.inject({ method, url, headers: { ...key.headers }, ...payload })
  return { status: answer.statusCode, body: answer.json() as unknown }
}

export async function readPage(query = ''): Promise<Page> {
  const { status, body } = await ask('GET', `/notifications${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Value.Check(NotificationsPage, body), JSON.stringify(body))
  return body as Page
}

export const parseIds = ({ notifications }: Page) => notifications.map(({ id }) => id)

export async function refused(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: unknown,
) {
  const answer = await ask(method, url, { body })
  const { error, details = [] } = answer.body as ErrorBody
  return [answer.status, error, ...details.map(({ field }) => field)]
}
