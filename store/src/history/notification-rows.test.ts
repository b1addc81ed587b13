// Notifications for their owners, and those that do not come from the chain.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import { registerAt, walletFilter } from '../../test/notifications.ts'
import type { Store } from '../store.ts'
import {
  type AddedNotifications,
  NOTIFICATION_DAYS_MAX,
  NOTIFICATIONS_PER_ACCOUNT_MAX,
  type NotificationQuery,
  type OwnNotification,
} from './notifications.ts'

const [OWNER, OTHER] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const
const NOW_SECONDS = 1_800_000_000
const NOW_MS = NOW_SECONDS * 1000
const DAY_SECONDS = 86_400

const notification = (id: string, given: Partial<OwnNotification> = {}): OwnNotification => ({
  wallet: OWNER,
  id,
  type: 'api_key_created',
  seconds: NOW_SECONDS,
  data: {},
  ...given,
})

const first = (given: Partial<NotificationQuery> = {}): NotificationQuery => ({
  ...walletFilter(OWNER),
  after: undefined,
  isAscending: false,
  limit: 10,
  ...given,
})

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`notifications on ${engine.name}`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
    })
    beforeEach(() =>
      store.db.script('TRUNCATE notifications, notification_preferences, registrations, api_keys'),
    )
    after(async () => {
      await store.close()
      await database.remove()
    })
    const add = (...notifications: readonly OwnNotification[]) =>
      store.notifications.add(notifications)
    const ids = async (given?: Partial<NotificationQuery>) =>
      (await store.notifications.page(first(given))).map(({ id }) => id)

    test('notifications are read back as they were added', async () => {
      const data = { text: 'quote " and \\ and é', number: 5, nothing: null }
      await add(notification('a', { data, type: 'api_key_revoked' }))
      assert.deepEqual(await store.notifications.find(OWNER, 'a'), {
        wallet: OWNER,
        id: 'a',
        type: 'api_key_revoked',
        seconds: NOW_SECONDS,
        blockNumber: undefined,
        data,
        readMs: undefined,
      })
      assert.equal(await store.notifications.find(OTHER, 'a'), undefined)
      assert.equal(await store.notifications.find(OWNER, 'b'), undefined)
    })

    test('repeated notifications are stored once', async () => {
      await add(notification('a'), notification('b'))
      await add(notification('a', { seconds: 5 }), notification('c'))
      assert.deepEqual(await ids(), ['c', 'b', 'a'])
    })

    test('notifications are listed newest first, by time and then id, in pages, both ways', async () => {
      await add(
        notification('b'),
        notification('a'),
        notification('c', { seconds: NOW_SECONDS - 1 }),
        notification('0', { seconds: NOW_SECONDS + 1 }),
        notification('z', { wallet: OTHER }),
      )
      assert.deepEqual(await ids(), ['0', 'b', 'a', 'c'])
      assert.deepEqual(await ids({ limit: 2 }), ['0', 'b'])
      const after = { seconds: NOW_SECONDS, id: 'b' }
      assert.deepEqual(await ids({ after }), ['a', 'c'])
      assert.deepEqual(await ids({ after, isAscending: true }), ['0'])
      assert.deepEqual(await ids({ isAscending: true, limit: 2 }), ['c', 'a'])
    })

    test('notifications are filtered by type, status and time, both bounds inclusive', async () => {
      await add(
        notification('a', { seconds: 10 }),
        notification('b', { seconds: 20, type: 'api_key_revoked' }),
        notification('c', { seconds: 30 }),
      )
      await store.notifications.mark(OWNER, ['c'], NOW_MS)
      const cases: readonly [Partial<NotificationQuery>, string[]][] = [
        [{ type: 'api_key_created' }, ['c', 'a']],
        [{ type: 'order_filled' }, []],
        [{ status: 'read' }, ['c']],
        [{ status: 'unread' }, ['b', 'a']],
        [{ fromSeconds: 20 }, ['c', 'b']],
        [{ toSeconds: 20 }, ['b', 'a']],
        [{ fromSeconds: 21, toSeconds: 29 }, []],
        [{ status: 'unread', type: 'api_key_created', toSeconds: 10 }, ['a']],
      ]
      for (const [given, expected] of cases) {
        assert.deepEqual(await ids(given), expected)
        assert.equal(await store.notifications.count(first(given)), expected.length)
      }
    })

    test('notifications are marked as read and unread; only changes count', async () => {
      await add(notification('a'), notification('b'), notification('a', { wallet: OTHER }))
      assert.equal(await store.notifications.mark(OWNER, ['a', 'x'], NOW_MS), 1)
      assert.equal(await store.notifications.mark(OWNER, ['a', 'b'], NOW_MS + 1), 1)
      assert.equal((await store.notifications.find(OWNER, 'a'))?.readMs, NOW_MS)
      assert.equal((await store.notifications.find(OTHER, 'a'))?.readMs, undefined)
      assert.equal(await store.notifications.mark(OWNER, ['a', 'b'], undefined), 2)
      assert.equal(await store.notifications.mark(OWNER, ['a'], undefined), 0)
      assert.equal((await store.notifications.find(OWNER, 'a'))?.readMs, undefined)
    })

    test('all notifications up to a time are marked as read', async () => {
      await add(notification('a', { seconds: 10 }), notification('b', { seconds: 20 }))
      await add(notification('a', { wallet: OTHER, seconds: 10 }))
      assert.equal(await store.notifications.markAll(OWNER, 10, NOW_MS), 1)
      assert.deepEqual(await ids({ status: 'read' }), ['a'])
      assert.equal(await store.notifications.markAll(OWNER, 20, NOW_MS), 1)
      assert.equal(await store.notifications.markAll(OWNER, 20, NOW_MS), 0)
      assert.equal(await store.notifications.count({ ...walletFilter(OTHER), status: 'unread' }), 1)
    })

    test('deleted notifications are never found, counted, pushed or added again', async () => {
      await add(notification('a'), notification('b'), notification('a', { wallet: OTHER }))
      assert.equal(await store.notifications.remove(OWNER, 'a'), true)
      assert.equal(await store.notifications.remove(OWNER, 'a'), false)
      assert.equal(await store.notifications.remove(OWNER, 'x'), false)
      await add(notification('a'))
      assert.deepEqual(await ids(), ['b'])
      assert.equal(await store.notifications.count(walletFilter(OWNER)), 1)
      assert.equal(await store.notifications.mark(OWNER, ['a'], NOW_MS), 0)
      assert.deepEqual(await store.notifications.byIds(OWNER, ['a']), [])
      assert.ok(await store.notifications.find(OTHER, 'a'))
    })

    test('preferences apply, and a change keeps the others', async () => {
      const { notifications } = store
      assert.deepEqual(await notifications.preferences(OWNER), {
        inApp: true,
        websocket: true,
        types: {},
      })
      await notifications.changePreferences(OWNER, { types: { api_key_created: false } })
      await notifications.changePreferences(OWNER, {
        websocket: false,
        types: { funding_paid: true },
      })
      const changed = await notifications.changePreferences(OWNER, {})
      assert.deepEqual(changed, {
        inApp: true,
        websocket: false,
        types: { api_key_created: false, funding_paid: true },
      })
      assert.deepEqual(await notifications.preferences(OWNER), changed)
      assert.equal((await notifications.preferences(OTHER)).websocket, true)
      await add(notification('a'), notification('b', { type: 'api_key_revoked' }))
      await add(notification('a', { wallet: OTHER }))
      assert.deepEqual(await ids(), ['b'])
      assert.deepEqual(await notifications.byIds(OWNER, ['a', 'b']), [])
      assert.equal((await notifications.byIds(OTHER, ['a', 'b'])).length, 1)
    })

    test('added notifications are published by id once they can be read', async () => {
      const published: AddedNotifications[] = []
      const stop = store.notifications.onAdded((added) => {
        if (added !== undefined) published.push(added)
      })
      // Until the database listens, additions may be missed.
      const tried = async () => {
        await add(notification(`try-${published.length}-${Math.random().toString(36).slice(2)}`))
        return published.length > 0
      }
      await until('the store hears what is added', tried)
      published.length = 0
      await add(notification('a'), notification('b'), notification('c', { wallet: OTHER }))
      await until('all is heard', () => published.some(({ wallet }) => wallet === OTHER))
      const ofOwner = published
        .filter(({ wallet }) => wallet === OWNER)
        .flatMap((added) => added.ids)
      assert.deepEqual(ofOwner.filter((id) => !id.startsWith('try')).sort(), ['a', 'b'])
      await add(notification('a'))
      stop()
      await add(notification('d'))
      assert.ok(!published.some((added) => added.ids.includes('d')))
    })

    test('API key notifications come with creation and revocation, and do not contain the key', async () => {
      await registerAt(store, OWNER, NOW_MS, 'one-key-of-the-owner')
      await registerAt(store, OWNER, NOW_MS + 1000, 'two-key-of-the-owner')
      await store.identity.revoke(OWNER, 'one-key-of-the-owner', NOW_MS + 2000)
      const page = await store.notifications.page(first())
      assert.deepEqual(
        page.map(({ type, seconds, data }) => [type, seconds - NOW_SECONDS, data.prefix]),
        [
          ['api_key_revoked', 2, 'one-key-'],
          ['api_key_created', 1, 'two-key-'],
          ['api_key_created', 0, 'one-key-'],
        ],
      )
      assert.ok(!JSON.stringify(page).includes('key-of'))
      assert.equal(await store.identity.revoke(OWNER, 'x', NOW_MS), false)
      assert.deepEqual(await store.identity.revokeAll(OWNER, NOW_MS + 3000), [
        'two-key-of-the-owner',
      ])
      assert.equal((await ids({ type: 'api_key_revoked' })).length, 2)
    })

    test('keys revoked by a sixth one make notifications, too', async () => {
      for (let at = 0; at < 6; at += 1)
        await registerAt(store, OWNER, NOW_MS, `key-${at}-long-enough`)
      const [revoked, ...others] = await store.notifications.page(
        first({ type: 'api_key_revoked' }),
      )
      assert.deepEqual(others, [])
      assert.equal(revoked?.data.prefix, 'key-0-lo')
    })

    test('a key within the last tenth of its life makes one notification', async () => {
      await registerAt(store, OWNER, NOW_MS)
      const expiring = async (minutes: number) => {
        await store.notifications.addExpiring(NOW_MS + minutes * 60_000)
        return ids({ type: 'api_key_expiring' })
      }
      // It lives an hour.
      assert.deepEqual(await expiring(53), [])
      const [id = '', ...others] = await expiring(54)
      assert.deepEqual(others, [])
      assert.deepEqual(await expiring(55), [id])
      await store.notifications.remove(OWNER, id)
      assert.deepEqual(await expiring(56), [])
      await registerAt(store, OTHER, NOW_MS)
      await store.notifications.addExpiring(NOW_MS + 60 * 60_000)
      assert.deepEqual(await ids({ wallet: OTHER, type: 'api_key_expiring' }), [], 'it has ended')
    })

    test('a long-lived key makes a notification a day before its end', async () => {
      await registerAt(store, OWNER, NOW_MS)
      const endMs = NOW_MS + 30 * DAY_SECONDS * 1000
      await store.db.primary.query('UPDATE api_keys SET expires_ms = $1', [endMs])
      await store.notifications.addExpiring(endMs - DAY_SECONDS * 1000 - 1)
      assert.deepEqual(await ids({ type: 'api_key_expiring' }), [])
      await store.notifications.addExpiring(endMs - DAY_SECONDS * 1000)
      const [notification] = await store.notifications.page(first({ type: 'api_key_expiring' }))
      assert.equal(notification?.data.expiresTimestamp, `${endMs}000000`)
    })

    test('the newest 10,000 notifications of a wallet are kept for 400 days', async () => {
      // A session keeps the plan that it makes now, when the table is empty.
      await store.db.primary.query('ANALYZE notifications', [])
      assert.equal(await store.notifications.prune(NOW_SECONDS, ''), '')
      const oldest = NOW_SECONDS - NOTIFICATION_DAYS_MAX * DAY_SECONDS
      await add(
        notification('old', { seconds: oldest - 1 }),
        notification('kept', { seconds: oldest }),
        notification('z', { wallet: OTHER, seconds: oldest - 1 }),
      )
      assert.equal(await store.notifications.prune(NOW_SECONDS, OWNER), '')
      assert.equal(
        await store.notifications.count(walletFilter(OWNER)),
        2,
        'from the wallet on, it has no part',
      )
      assert.equal(await store.notifications.prune(NOW_SECONDS, ''), '')
      assert.deepEqual(await ids(), ['kept'])
      assert.equal(await store.notifications.count(walletFilter(OTHER)), 0)
      const many = Array.from({ length: NOTIFICATIONS_PER_ACCOUNT_MAX }, (_, at) =>
        notification(`n${at}`, { seconds: NOW_SECONDS - at }),
      )
      await store.notifications.add(many)
      await store.notifications.prune(NOW_SECONDS, '')
      assert.equal(
        await store.notifications.count(walletFilter(OWNER)),
        NOTIFICATIONS_PER_ACCOUNT_MAX,
      )
      assert.equal(await store.notifications.find(OWNER, 'kept'), undefined)
      await add(notification('new', { seconds: NOW_SECONDS + 1 }))
      await store.notifications.prune(NOW_SECONDS, '')
      assert.equal(
        await store.notifications.find(OWNER, `n${NOTIFICATIONS_PER_ACCOUNT_MAX - 1}`),
        undefined,
      )
      assert.equal((await ids())[0], 'new')
    })
  })
}
