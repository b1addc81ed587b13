import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NOTIFICATION_TYPES } from '@openvenue/core/notifications'
import { Preferences } from '@openvenue/wire/notifications'
import { Value } from 'typebox/value'
import {
  add,
  ask,
  notification,
  OWNER,
  parseIds,
  readPage,
  refused,
  serveNotifications,
  store,
} from '../../test/notification-node.ts'

serveNotifications()

describe('/notifications/preferences', () => {
  const url = '/notifications/preferences'
  const read = async () => {
    const { body } = await ask('GET', url)
    assert.ok(Value.Check(Preferences, body), JSON.stringify(body))
    return body as Preferences
  }

  test('/notifications/preferences are, by default, all but funding, listed and pushed, without a webhook', async () => {
    const { channels, types } = await read()
    assert.deepEqual(channels, { in_app: true, websocket: true, webhook: false })
    assert.deepEqual(Object.keys(types).sort(), [...NOTIFICATION_TYPES].sort())
    const off = Object.entries(types).filter(([, isOn]) => !isOn)
    assert.deepEqual(off, [['funding_paid', false]])
  })

  test('preferences change where PUT names them, and stay elsewhere', async () => {
    const changed = await ask('PUT', url, {
      body: { channels: { websocket: false }, types: { funding_paid: true, order_filled: false } },
    })
    assert.equal(changed.status, 200)
    await ask('PUT', url, { body: { channels: { webhook: false }, types: { order_filled: true } } })
    const { channels, types } = await read()
    assert.deepEqual(channels, { in_app: true, websocket: false, webhook: false })
    assert.deepEqual([types.funding_paid, types.order_filled], [true, true])
    await add(notification('a', { type: 'funding_paid' }))
    assert.deepEqual(parseIds(await readPage()), ['a'])
    await ask('PUT', url, { body: { channels: { in_app: false, websocket: true } } })
    await add(notification('b'))
    assert.deepEqual(parseIds(await readPage()), ['a'])
    assert.equal((await store.notifications.byIds(OWNER, ['b'])).length, 1)
  })

  test('preferences refuse a webhook, unknown names, and values other than true or false', async () => {
    for (const [body, field] of [
      [{ channels: { webhook: true } }, 'channels.webhook'],
      [{ channels: { email: true } }, 'channels'],
      [{ channels: { in_app: 1 } }, 'channels.in_app'],
      [{ channels: [] }, 'channels'],
      [{ types: { stop_triggered: true, gas_low: true, no_such: 1 } }, 'types'],
      [{ types: { order_filled: 'no' } }, 'types.order_filled'],
      [[], 'body'],
    ] as const)
      assert.deepEqual(await refused('PUT', url, body), [400, 'INVALID_PARAMETER', field])
    assert.equal((await read()).channels.webhook, false)
  })
})
