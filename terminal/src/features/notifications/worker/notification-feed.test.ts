import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { shapes } from 'openvenue'
import type { Alert, NotificationsView } from '../notification-protocol.ts'
import { NotificationFeed } from './notification-feed.ts'

const HEAD = { channel: '', seq: 1, prev_seq: null, block_number: 1, ts: 1 } as const

const notificationOf = (id: string, change: Partial<shapes.Notification> = {}) =>
  ({
    ...{ id, title: `Title ${id}`, message: `Text ${id}`, severity: 'info', read: false },
    ...{ created_timestamp: '1700000000000000000' },
    ...change,
  }) as shapes.Notification

function follow() {
  const views: NotificationsView[] = []
  const alerts: Alert[] = []
  const feed = new NotificationFeed({
    show: (view) => views.push(view),
    alert: (alert) => alerts.push(alert),
  })
  const update = (data: shapes.Notification) => feed.take({ ...HEAD, type: 'update', data })
  const undo = (ids: string[]) => feed.take({ ...HEAD, type: 'undo', data: { ids } })
  return { update, undo, alerts, now: () => views.at(-1) }
}

describe('notifications', () => {
  test('notifications are sorted newest first, counted while unread, and alert once each', () => {
    const { update, alerts, now } = follow()
    for (const id of ['a', 'b', 'b', 'c']) update(notificationOf(id, { read: id === 'c' }))
    assert.deepEqual(
      now()?.rows.map(({ id }) => id),
      ['c', 'b', 'a'],
    )
    assert.equal(now()?.unread, '2')
    assert.deepEqual(
      alerts.map(({ id }) => id),
      ['a', 'b', 'c'],
    )
  })

  test('the notifications of an order are one row with the newest, unread until all are read', () => {
    const { update, now } = follow()
    const of = (order_id: string) => ({ data: { order_id } })
    update(notificationOf('a', of('1')))
    update(notificationOf('b', { ...of('2'), read: true }))
    update(notificationOf('c', { ...of('1'), read: true }))
    assert.deepEqual(
      now()?.rows.map(({ id, isRead }) => [id, isRead]),
      [
        ['c', false],
        ['b', true],
      ],
    )
    assert.equal(now()?.unread, '1')
  })

  test("notifications follow the venue's order, also if two of the same moment are swapped", () => {
    const { update, now } = follow()
    const at = (created_timestamp: string) => ({ created_timestamp })
    update(notificationOf('b', at('1700000001000000000')))
    update(notificationOf('a', at('1700000001000000000')))
    update(notificationOf('c', at('1700000000000000000')))
    assert.deepEqual(
      now()?.rows.map(({ id }) => id),
      ['b', 'a', 'c'],
    )
  })

  test('notifications that a reorganisation undid disappear from the list and the count', () => {
    const { update, undo, now } = follow()
    for (const id of ['a', 'b']) update(notificationOf(id))
    undo(['a', 'unknown'])
    assert.deepEqual(
      now()?.rows.map(({ id }) => id),
      ['b'],
    )
    assert.equal(now()?.unread, '1')
    undo(['b'])
    assert.deepEqual(now(), { rows: [], unread: '' })
  })

  test('notifications are listed up to fifty, and counted up to 99', () => {
    const { update, now } = follow()
    for (let at = 0; at < 120; at += 1) update(notificationOf(`${at}`))
    assert.equal(now()?.rows.length, 50)
    assert.equal(now()?.unread, '99+')
  })
})
