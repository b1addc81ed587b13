import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NOTIFICATION_TYPES } from '@openvenue/core/notifications'
import {
  NOTIFICATION_IDS_MAX,
  type NotificationItem,
  NotificationRead,
  NotificationRemoved,
  NotificationsRead,
  UnreadCount,
} from '@openvenue/wire/notifications'
import { Value } from 'typebox/value'
import { issueKey } from '../../test/keyed.ts'
import {
  add,
  ask,
  broken,
  type ErrorBody,
  NOW,
  notification,
  OTHER,
  OWNER,
  parseIds,
  readPage,
  refused,
  serveNotifications,
  store,
  venue,
} from '../../test/notification-node.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'

serveNotifications()

const { chainId } = ACCOUNT_SETTINGS
type MarkedNotification = Readonly<{ notification: NotificationItem }>

describe('GET /notifications', () => {
  test('GET /notifications returns everything about a notification, including a text', async () => {
    await add(notification('000000000001-000002-t'))
    const { notifications, unread_count } = await readPage()
    assert.equal(unread_count, 1)
    assert.deepEqual(notifications, [
      {
        id: '000000000001-000002-t',
        account: OWNER,
        chain_id: chainId,
        type: 'order_filled',
        severity: 'info',
        title: 'Order filled',
        message: 'Bought 1 ETH-PERP at 3000. The order is complete.',
        data: {
          instrument_name: 'ETH-PERP',
          order_id: '0x1',
          side: 'buy',
          price: '3000',
          amount: '1',
          filled: '1',
        },
        read: false,
        read_timestamp: null,
        created_timestamp: `${NOW}000000000`,
        dedupe_key: '000000000001-000002-t',
      },
    ])
  })

  test('GET /notifications has words for every type, without a gap', async () => {
    const data = {
      ...notification('').data,
      reason: 'EXPIRED',
      fee: '3',
      equity: '5',
      maintenanceMargin: '4',
      asset: 'USDC',
      recipient: OTHER,
      prefix: 'abc',
      trigger: '900',
    }
    await add(...NOTIFICATION_TYPES.map((type) => notification(type, { type, data })))
    await store.notifications.changePreferences(OWNER, { types: { funding_paid: true } })
    await add(notification('funding_paid', { type: 'funding_paid', data }))
    await add(notification('paid', { type: 'funding_paid', data: { ...data, amount: '-2' } }))
    const { notifications } = await readPage()
    assert.equal(notifications.length, NOTIFICATION_TYPES.length + 1)
    for (const { message } of notifications) assert.doesNotMatch(message, /undefined|null/)
    const messages = new Map(notifications.map(({ id, message }) => [id, message]))
    assert.match(messages.get('funding_paid') ?? '', /received 1/)
    assert.match(messages.get('paid') ?? '', /paid 2/)
  })

  test('GET /notifications lists the newest first, 50 by default, page by page both ways', async () => {
    await add(
      ...Array.from({ length: 60 }, (_, at) => notification(`n${at}`, { seconds: NOW - at })),
    )
    const first = await readPage()
    assert.deepEqual([first.notifications.length, parseIds(first)[0]], [50, 'n0'])
    assert.deepEqual([first.pagination.total_count, first.pagination.has_next], [60, true])
    const second = await readPage(`?cursor=${first.pagination.next_cursor}`)
    assert.deepEqual([parseIds(second)[0], parseIds(second).length], ['n50', 10])
    assert.deepEqual([second.pagination.has_next, second.pagination.has_prev], [false, true])
    // A new notification does not move a page.
    await add(notification('new', { seconds: NOW + 1 }))
    const back = await readPage(`?cursor=${second.pagination.prev_cursor}&direction=prev`)
    assert.deepEqual(parseIds(back), parseIds(first))
    assert.equal(back.pagination.has_prev, true)
    const short = await readPage('?limit=3')
    assert.deepEqual([short.pagination.limit, short.pagination.total_pages], [3, 21])
  })

  test('GET /notifications filters by status, type and time in any unit', async () => {
    await add(
      notification('a', { seconds: NOW - 20 }),
      notification('b', { seconds: NOW - 10, type: 'deposit_finalized' }),
      notification('c'),
      notification('other', { wallet: OTHER }),
    )
    await store.notifications.mark(OWNER, ['c'], 1)
    for (const [query, ids] of [
      ['?status=all', ['c', 'b', 'a']],
      ['?status=unread', ['b', 'a']],
      ['?status=read', ['c']],
      ['?type=order_filled', ['c', 'a']],
      [`?start_time=${NOW - 10}`, ['c', 'b']],
      [`?start_time=${NOW - 10}000`, ['c', 'b']],
      [`?end_time=${NOW - 10}000000000`, ['b', 'a']],
      [`?start_time=${NOW - 19}&end_time=${NOW - 11}`, []],
      [`?chain_id=${chainId}`, ['c', 'b', 'a']],
      ['?chain_id=1', []],
    ] as const) {
      const page = await readPage(query)
      assert.deepEqual(parseIds(page), ids, query)
      assert.equal(page.pagination.total_count, ids.length, query)
      assert.equal(page.unread_count, query === '?chain_id=1' ? 0 : 2, query)
    }
  })

  test('GET /notifications refuses unknown filters, and names the valid ones', async () => {
    for (const [query, code, field] of [
      ['?status=new', 'INVALID_PARAMETER', 'status'],
      ['?type=stop_triggered', 'INVALID_PARAMETER', 'type'],
      ['?limit=0', 'INVALID_PARAMETER', 'limit'],
      ['?direction=up', 'INVALID_PARAMETER', 'direction'],
      ['?chain_id=x', 'INVALID_PARAMETER', 'chain_id'],
      ['?cursor=abc', 'INVALID_CURSOR', 'cursor'],
      ['?start_time=5&end_time=4', 'INVALID_TIME_RANGE', 'start_time'],
    ] as const)
      assert.deepEqual(await refused('GET', `/notifications${query}`), [400, code, field], query)
    await add(notification('a'), notification('b'))
    const { pagination } = await readPage('?limit=1')
    const url = `/notifications?limit=1&cursor=${pagination.next_cursor}`
    const other = `${url}&status=unread`
    assert.deepEqual(await refused('GET', other), [400, 'INVALID_CURSOR', 'cursor'])
    const { headers } = await issueKey(store, OTHER, NOW * 1000)
    const answer = await venue.host.inject({ url, headers })
    assert.equal((answer.json() as ErrorBody).error, 'INVALID_CURSOR')
  })
})

test('GET /notifications/unread-count counts what was not read', async () => {
  await add(notification('a'), notification('b'), notification('c', { wallet: OTHER }))
  await store.notifications.mark(OWNER, ['a'], 1)
  const { body } = await ask('GET', '/notifications/unread-count')
  assert.ok(Value.Check(UnreadCount, body))
  assert.deepEqual(body, { unread_count: 1 })
  const other = await ask('GET', '/notifications/unread-count?chain_id=1')
  assert.deepEqual(other.body, { unread_count: 0 })
})

describe('marking notifications', () => {
  for (const method of ['POST', 'PUT'] as const)
    test(`${method} /notifications/{id}/read marks one as read, without a body or with one`, async () => {
      await add(notification('a'))
      const { status, body } = await ask(method, '/notifications/a/read')
      assert.equal(status, 200)
      assert.ok(Value.Check(NotificationRead, body), JSON.stringify(body))
      const read = (body as MarkedNotification).notification
      assert.deepEqual([read.read, read.read_timestamp], [true, `${NOW}000000000`])
      const back = await ask(method, '/notifications/a/read', { body: { read: false } })
      const unread = (back.body as MarkedNotification).notification
      assert.deepEqual([unread.read, unread.read_timestamp], [false, null])
      const again = await ask(method, '/notifications/a/read', { body: { read: true } })
      assert.equal((again.body as MarkedNotification).notification.read, true)
    })

  test('marking an unknown notification, or one of another account, is 404', async () => {
    await add(notification('a', { wallet: OTHER }))
    for (const id of ['a', 'x', '%00', 'x'.repeat(200)])
      assert.deepEqual(
        await refused('POST', `/notifications/${id}/read`),
        [404, 'NOTIFICATION_NOT_FOUND', 'id'],
        id,
      )
  })

  test('POST /notifications/read marks those named, and counts those that changed', async () => {
    await add(notification('a'), notification('b'), notification('c'))
    const read = await ask('POST', '/notifications/read', { body: { ids: ['a', 'b', 'x', '\0'] } })
    assert.ok(Value.Check(NotificationsRead, read.body))
    assert.deepEqual(read.body, { success: true, updated: 2 })
    assert.deepEqual(parseIds(await readPage('?status=unread')), ['c'])
    const body = { ids: ['a', 'c'], read: false }
    assert.deepEqual((await ask('POST', '/notifications/read', { body })).body, {
      success: true,
      updated: 1,
    })
  })

  test('marking refuses an invalid, empty or too long list of ids, and an invalid flag', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`)
    const url = '/notifications/read'
    assert.deepEqual(await refused('POST', url, {}), [400, 'MISSING_PARAMETER', 'ids'])
    for (const ids of ['a', [5], [], many(NOTIFICATION_IDS_MAX + 1)])
      assert.deepEqual(await refused('POST', url, { ids }), [400, 'INVALID_PARAMETER', 'ids'])
    assert.equal(
      (await ask('POST', url, { body: { ids: many(NOTIFICATION_IDS_MAX) } })).status,
      200,
    )
    const wrong = { ids: ['a'], read: 'yes' }
    assert.deepEqual(await refused('POST', url, wrong), [400, 'INVALID_PARAMETER', 'read'])
    assert.deepEqual(await refused('POST', url, []), [400, 'INVALID_PARAMETER', 'body'])
  })

  test('POST /notifications/read-all marks all, or those before a time in any unit', async () => {
    await add(
      notification('a', { seconds: NOW - 2 }),
      notification('b', { seconds: NOW - 1 }),
      notification('c'),
    )
    await add(notification('a', { wallet: OTHER }))
    for (const [before, updated] of [
      [`${NOW - 2}000000000`, 0],
      [`${NOW - 2}000000001`, 1],
      [NOW, 1],
      [undefined, 1],
    ] as const) {
      const body = before === undefined ? {} : { body: { before } }
      const answer = await ask('POST', '/notifications/read-all', body)
      assert.deepEqual(answer.body, { success: true, updated }, String(before))
    }
    assert.equal(await store.notifications.mark(OTHER, ['a'], 1), 1)
    for (const before of ['x', -1, 1.5, true, '1'.repeat(21)])
      assert.deepEqual(await refused('POST', '/notifications/read-all', { before }), [
        400,
        'INVALID_PARAMETER',
        'before',
      ])
  })
})

test('DELETE /notifications/{id} deletes one, once', async () => {
  await add(notification('a'), notification('b'))
  const { status, body } = await ask('DELETE', '/notifications/a')
  assert.equal(status, 200)
  assert.ok(Value.Check(NotificationRemoved, body))
  assert.deepEqual(parseIds(await readPage()), ['b'])
  for (const id of ['a', '%00'])
    assert.deepEqual(await refused('DELETE', `/notifications/${id}`), [
      404,
      'NOTIFICATION_NOT_FOUND',
      'id',
    ])
})

const ROUTES = [
  ['GET', '/notifications'],
  ['GET', '/notifications/unread-count'],
  ['POST', '/notifications/a/read'],
  ['PUT', '/notifications/a/read'],
  ['POST', '/notifications/read'],
  ['POST', '/notifications/read-all'],
  ['DELETE', '/notifications/a'],
  ['GET', '/notifications/preferences'],
  ['PUT', '/notifications/preferences'],
] as const

describe('every endpoint of notifications', () => {
  const body = (method: string) => (method === 'GET' ? {} : { body: { ids: ['a'] } })

  for (const [method, url] of ROUTES) {
    test(`${method} ${url} needs a key, and heeds no account that a header or parameter names`, async () => {
      const headers = { 'x-account-address': OWNER }
      const answer = await venue.host.inject({ method, url: `${url}?account=${OWNER}`, headers })
      assert.equal(answer.statusCode, 401)
    })

    test(`${method} ${url} answers the same below the address of the key, and 403 below another`, async () => {
      await add(notification('a'))
      const plain = await ask(method, url, body(method))
      await store.db.script('TRUNCATE notifications, notification_preferences')
      await add(notification('a'))
      const below = await ask(
        method,
        `/account/${OWNER.toUpperCase().replace('X', 'x')}${url}`,
        body(method),
      )
      assert.equal(plain.status, 200, JSON.stringify(plain.body))
      assert.deepEqual(below, plain)
      assert.deepEqual((await refused(method, `/account/${OTHER}${url}`)).slice(0, 2), [
        403,
        'FORBIDDEN_ACCOUNT',
      ])
      const keyless = await venue.host.inject({ method, url: `/account/${OTHER}${url}` })
      assert.equal(keyless.statusCode, 401)
    })

    test(`${method} ${url} is refused with 503 while the database does not answer`, async () => {
      const answer = await ask(method, url, { ...body(method), host: broken })
      assert.deepEqual(
        [answer.status, (answer.body as ErrorBody).error],
        [503, 'HISTORY_UNAVAILABLE'],
      )
    })
  }
})
