import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AddedNotifications, StoredNotification } from '@openvenue/store/history/notifications'
import { readOf } from '../../../test/block-reads.ts'
import { channelNode, ScenarioFeed, settled, walletOf } from '../../../test/channel-node.ts'
import { assertShape } from '../../../test/channel-shape.ts'
import { funded } from '../../../test/funded.ts'

const notification = (wallet: string, id: string, blockNumber?: number): StoredNotification => ({
  wallet,
  id,
  type: 'api_key_created',
  seconds: 1_767_225_600,
  blockNumber,
  data: { prefix: 'abc' },
  readMs: undefined,
})

/** The notifications of alice and bob over a database that a test fills. */
async function live() {
  const scenario = funded('ETH-USDC')
  const feed = new ScenarioFeed()
  const rows: StoredNotification[] = []
  const asked: [wallets: readonly string[], block: number][] = []
  const listeners = new Set<(added: AddedNotifications | undefined) => void>()
  const [alice, bob] = [walletOf(scenario, 'alice'), walletOf(scenario, 'bob')]
  const db = { isDown: false }
  const answer = (found: StoredNotification[]) =>
    db.isDown ? Promise.reject(new Error('the database is down')) : Promise.resolve(found)
  const node = channelNode(feed, {
    nowSeconds: scenario.seconds,
    history: { accountNumber: async () => readOf(undefined) },
    notifications: {
      page: ({ wallet, limit, after }) => {
        const own = rows.filter((row) => row.wallet === wallet).reverse()
        const start = after === undefined ? 0 : own.findIndex(({ id }) => id === after.id) + 1
        return answer(own.slice(start, start + limit))
      },
      ofBlock: (wallets, block) => {
        asked.push([wallets, block])
        return answer(
          rows.filter((row) => wallets.includes(row.wallet) && row.blockNumber === block),
        )
      },
      byIds: (wallet, ids) =>
        answer(rows.filter((row) => row.wallet === wallet && ids.includes(row.id))),
      onAdded: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  })
  let count = 0
  const next = async () => {
    const blocks = scenario.blocks()
    feed.applyBlocks(blocks.slice(count))
    count = blocks.length
    node.follow()
    await settled()
  }
  await next()
  const notify = (added: AddedNotifications | undefined) => {
    for (const listener of listeners) listener(added)
  }
  return { scenario, feed, node, next, rows, asked, listeners, alice, bob, db, notify }
}

describe('notifications', () => {
  test('the notifications channel begins with the newest 50 up to the head of the node, newest first', async () => {
    const { node, rows, alice } = await live()
    for (let i = 1; i <= 60; i++) rows.push(notification(alice, `a${i}`, 1))
    for (let i = 1; i <= 55; i++) rows.push(notification(alice, `later${i}`, 99))
    rows.push(notification(alice, 'key'))
    const frame = await node.open('notifications', alice).snapshot()
    const ids = frame.data.notifications.map(({ id }: { id: string }) => id)
    assert.deepEqual([ids.length, ids[0], ids[1], ids[49]], [50, 'key', 'a60', 'a12'])
    assertShape(frame)
  })

  test('notifications carry the effects of a block on each account, read once per block', async () => {
    const { scenario, node, next, rows, asked, alice, bob } = await live()
    const [ofAlice, ofBob] = [alice, bob].map((wallet) => node.open('notifications', wallet))
    await ofAlice?.snapshot()
    await ofBob?.snapshot()
    const block = (node.model.head?.number ?? 0) + 1
    rows.push(
      notification(alice, 'a1', block),
      notification(alice, 'a2', block),
      notification(bob, 'b1', block),
    )
    scenario.place('carol', 'buy', 299_000, 1n)
    await next()
    const frames = ofAlice?.take() ?? []
    assert.deepEqual(
      frames.map(({ seq, part, parts, data }) => [seq, part, parts, data.id]),
      [
        [node.model.seq, 1, 2, 'a1'],
        [node.model.seq, 2, 2, 'a2'],
      ],
    )
    for (const frame of frames) assertShape(frame)
    assert.deepEqual(
      ofBob?.take().map(({ data }) => data.id),
      ['b1'],
    )
    assert.deepEqual(asked, [[[alice, bob], block]])
    scenario.next()
    await next()
    assert.equal(asked.length, 1, 'a block in which nothing happened')
  })

  test('the notifications channel sends the ids of those that an undo takes back, of the snapshot as well', async () => {
    const { scenario, feed, node, next, rows, alice } = await live()
    scenario.place('carol', 'buy', 299_000, 1n)
    await next()
    rows.push(notification(alice, 'first', node.model.head?.number))
    const channel = node.open('notifications', alice)
    await channel.snapshot()
    rows.push(notification(alice, 'second', (node.model.head?.number ?? 0) + 1))
    scenario.place('carol', 'buy', 299_000, 1n)
    await next()
    channel.take()
    const undo = async () => {
      feed.undoBlock()
      node.follow()
      await settled()
      return channel.take().map(({ type, data }) => [type, data.ids])
    }
    assert.deepEqual(await undo(), [['undo', ['second']]])
    assert.deepEqual(await undo(), [['undo', ['first']]])
  })

  test('a notification that is added off the chain is sent only to its account', async () => {
    const { node, rows, alice, bob, notify } = await live()
    const [ofAlice, ofBob] = [alice, bob].map((wallet) => node.open('notifications', wallet))
    await ofAlice?.snapshot()
    await ofBob?.snapshot()
    rows.push(notification(alice, 'key'))
    notify({ wallet: alice, ids: ['key'] })
    node.pass(50)
    await settled()
    const [frame, ...others] = ofAlice?.take() ?? []
    assert.deepEqual(others, [])
    assert.deepEqual([frame?.data.id, frame?.seq], ['key', node.model.seq])
    assert.deepEqual(ofBob?.take(), [])
    node.pass(50)
    await settled()
    assert.deepEqual(ofAlice?.take(), [])
  })

  test('notifications begin again when some may have been missed, or the database did not answer', async () => {
    const { scenario, node, next, rows, alice, notify, db } = await live()
    const channel = node.open('notifications', alice)
    await channel.snapshot()
    const again = async () => {
      node.pass(1000)
      await settled()
      return channel.take().map(({ type, data }) => [type, data.notifications?.length])
    }
    rows.push(notification(alice, 'key'))
    notify(undefined)
    assert.deepEqual(await again(), [['snapshot', 1]])
    db.isDown = true
    rows.push(notification(alice, 'a1', (node.model.head?.number ?? 0) + 1))
    scenario.place('carol', 'buy', 299_000, 1n)
    await next()
    assert.deepEqual(await again(), [])
    db.isDown = false
    assert.deepEqual(await again(), [['snapshot', 2]])
  })

  test('the notifications channel stops listening with the last account', async () => {
    const { node, alice, bob, listeners, asked, next, scenario } = await live()
    const [ofAlice, ofBob] = [alice, bob].map((wallet) => node.open('notifications', wallet))
    ofAlice?.close()
    assert.equal(listeners.size, 1)
    ofBob?.close()
    assert.equal(listeners.size, 0)
    scenario.place('carol', 'buy', 299_000, 1n)
    await next()
    assert.deepEqual(asked, [])
    assert.equal(node.timers(), 0)
  })
})
