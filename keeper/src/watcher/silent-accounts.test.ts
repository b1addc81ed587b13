// The watcher's actions for silent accounts: timers, closed connections, market-maker protection.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { FIRST, SECOND } from '../../test/fake-state.ts'
import { ACCOUNT, GAS_PER_BLOCK, WALLET, WatchedVenue } from '../../test/watched-venue.ts'

const [ABOVE, BELOW] = [1, 2]
const HOUR_MS = 3_600_000
const SILENCE_MS = 10_000
const FAR = { triggerKind: ABOVE, triggerPrice: `${10n ** 40n}` }
/** One lot of the test market: a thousandth of a whole base unit, 1,000 millionths. */
const LOT = 1_000n

let venue: WatchedVenue
before(async () => {
  venue = await WatchedVenue.open()
})
after(() => venue.close())
beforeEach(async () => {
  await venue.stop()
  for (const table of ['intents', 'intent_log', 'orders', 'cancel_timers', 'mmp_rules', 'fills'])
    await venue.store.db.primary.query(`DELETE FROM ${table}`)
  venue.view.state.records.order.clear()
  venue.start()
})

const cancelOf = async (id: string) => {
  await venue.reach(`cancel:${id}`, 'queued')
  return venue.find(`cancel:${id}`)
}
const isCancelled = async (id: string) =>
  (await venue.store.intents.find([`cancel:${id}`])).length > 0

describe('a timer that ends', () => {
  const arm = (given: object = {}) =>
    venue.store.safeguards.armTimer({
      ...{ account: ACCOUNT, wallet: WALLET, timeoutMs: 60_000 },
      ...{ includesTriggers: false, cancelAlls: [] },
      ...given,
    })
  /** Moves the timer an hour into the past. */
  const pass = () =>
    venue.store.db.primary.query(`UPDATE cancel_timers SET
      armed_ms = armed_ms - ${HOUR_MS}, trigger_ms = trigger_ms - ${HOUR_MS}`)
  const isOver = async () =>
    (await venue.store.db.primary.query('SELECT 1 FROM cancel_timers')).length === 0

  test('an expired timer withdraws queued orders and cancels resting ones of its account only', async () => {
    const [queued, sent, resting] = [
      await venue.accept(),
      await venue.accept(),
      await venue.accept(),
    ]
    await venue.move(sent, 'sent')
    await venue.chain(resting)
    const heldId = await venue.accept(FAR)
    const stranger = await venue.accept({ account: 8 })
    await arm()
    await venue.settle()
    assert.ok(await venue.is(queued, 'queued'), 'it has not ended yet')
    await pass()
    assert.equal(await venue.reach(queued, 'withdrawn'), 'CANCEL_AFTER')
    assert.equal(await venue.reach(heldId, 'withdrawn'), 'CANCEL_AFTER')
    const { payload, wallet, market } = await cancelOf(resting)
    assert.deepEqual(
      [payload, wallet, market],
      [{ kind: 'cancel', target: resting }, WALLET, FIRST.id],
    )
    await cancelOf(sent)
    await until('the timer is gone', isOver)
    assert.ok(await venue.is(stranger, 'queued'))
  })

  test('an expired timer spares protective orders unless it is set to cancel them', async () => {
    const stop = { reduceOnly: true, triggerKind: BELOW, triggerPrice: '1' }
    const [protective, queued] = [await venue.accept(stop), await venue.accept()]
    await arm()
    await pass()
    await venue.reach(queued, 'withdrawn')
    await until('the timer is gone', isOver)
    assert.ok(await venue.is(protective, 'received'))
    await arm({ includesTriggers: true })
    await pass()
    await venue.reach(protective, 'withdrawn')
  })

  test('an expired timer cancels orders once the database has recovered', async () => {
    await venue.stop()
    const queued = await venue.accept()
    await arm()
    await pass()
    const { safeguards } = venue.store
    let failures = 0
    const dueTimers = (limit: number) =>
      failures++ < 3 ? Promise.reject(new Error('away')) : safeguards.dueTimers(limit)
    venue.start({ safeguards: { ...safeguards, dueTimers } })
    await venue.reach(queued, 'withdrawn')
    assert.ok(failures > 3)
  })

  test('two concurrent watchers of an expired timer cancel each order once', async () => {
    const other = new AbortController()
    const resting = await venue.accept()
    await venue.chain(resting)
    const { watch } = await import('./watcher.ts')
    const { intents, safeguards } = venue.store
    const { wallClock } = await import('../../test/clock.ts')
    const second = watch(
      {
        ...{ intents, safeguards, node: venue.node, clock: wallClock, view: venue.view },
        resting: { find: (id) => venue.order(id) },
        gasPerBlock: GAS_PER_BLOCK,
        monotonicMs: () => performance.now(),
        log: { info: () => {}, warn: () => {} },
        mayAct: () => true,
      },
      other.signal,
    )
    await arm()
    await pass()
    await cancelOf(resting)
    await until('the timer is gone', isOver)
    other.abort()
    await second
    const [[count] = []] = await venue.store.db.primary.query(
      "SELECT count(*) FROM intents WHERE kind = 'cancel'",
    )
    assert.equal(Number(count), 1)
  })

  test('an expired timer uses a signed cancel where the venue has no permission to cancel', async () => {
    const [resting, other, sent] = [
      await venue.accept(),
      await venue.accept({ in: SECOND }),
      await venue.accept(),
    ]
    await venue.chain(resting)
    await venue.chain(other)
    await venue.move(sent, 'sent')
    const digest = `0x${'dd'.repeat(32)}`
    const signed = { digest, market: FIRST.id, salt: '1', deadline: '99', signature: '0xs' }
    await arm({ cancelAlls: [signed] })
    await pass()
    await venue.settle()
    assert.deepEqual(await venue.store.intents.find([digest]), [], 'one has no number yet')
    await venue.chain(sent)
    await venue.reach(digest, 'queued')
    const { payload } = await venue.find(digest)
    assert.ok(payload.kind === 'signed_cancel_all')
    assert.deepEqual(
      payload.orders.toSorted(),
      [venue.order(resting)?.number, venue.order(sent)?.number].toSorted(),
    )
    assert.equal(await isCancelled(other), false)
    await until('the timer is gone', isOver)
  })
})

describe('a timer that was signed for', () => {
  test('a signed timer cancels more orders than fit into one transaction', async () => {
    const ids: string[] = []
    for (let made = 0; made < 120; made++) ids.push(await venue.accept())
    for (const id of ids) await venue.chain(id)
    const digest = `0x${'dc'.repeat(32)}`
    const signed = { digest, market: FIRST.id, salt: '1', deadline: '99', signature: '0xs' }
    const timer = { account: ACCOUNT, wallet: WALLET, timeoutMs: 60_000, includesTriggers: false }
    await venue.store.safeguards.armTimer({ ...timer, cancelAlls: [signed] })
    await venue.store.db.primary.query(`UPDATE cancel_timers SET
      armed_ms = armed_ms - ${HOUR_MS}, trigger_ms = trigger_ms - ${HOUR_MS}`)
    const named: number[] = []
    for (const id of [digest, `cancel:${digest}:1`]) {
      await venue.reach(id, 'queued')
      const { payload } = await venue.find(id)
      assert.ok(payload.kind === 'signed_cancel_all' && payload.orders.length <= 100)
      named.push(...payload.orders)
    }
    assert.deepEqual(
      named.toSorted((a, b) => a - b),
      ids.map((id) => venue.order(id)?.number),
    )
  })
})

describe('a connection that ends', () => {
  test('a closed connection cancels the orders made over it, and no others', async () => {
    const [ownId, resting, other] = [
      await venue.accept({ connection: 'a:1' }),
      await venue.accept({ connection: 'a:1' }),
      await venue.accept({ connection: 'a:2' }),
    ]
    await venue.chain(resting)
    await venue.store.safeguards.endConnections(['a:1'])
    assert.equal(await venue.reach(ownId, 'withdrawn'), 'CANCEL_ON_DISCONNECT')
    await cancelOf(resting)
    assert.ok(await venue.is(other, 'queued'))
    await until('it is forgotten', async () => {
      const ended = await venue.store.safeguards.endedConnections(9)
      return ended.length === 0
    })
    const late = await venue.accept({ connection: 'a:1' })
    assert.equal(await venue.reach(late, 'withdrawn'), 'CANCEL_ON_DISCONNECT')
  })

  test('a connection closes with its node, even when the node dies without a message', async () => {
    const { safeguards } = venue.store
    const [dead, alive] = [
      await venue.accept({ connection: 'dead:1' }),
      await venue.accept({ connection: 'alive:1' }),
    ]
    await safeguards.beat('dead')
    const beating = async (ms: number) => {
      // In steps, since a late check does not count.
      for (let passed = 0; passed < ms; passed += 1_000) {
        await safeguards.beat('alive')
        venue.aheadMs += 1_000
        await venue.settle()
      }
    }
    await beating(SILENCE_MS / 2)
    assert.ok(await venue.is(dead, 'queued'))
    await beating(SILENCE_MS)
    assert.equal(await venue.reach(dead, 'withdrawn'), 'CANCEL_ON_DISCONNECT')
    assert.ok(await venue.is(alive, 'queued'))
  })

  test('a node does not count as dead while the database was down', async () => {
    const { safeguards } = venue.store
    const ownId = await venue.accept({ connection: 'node:1' })
    await safeguards.beat('node')
    await venue.settle()
    venue.aheadMs += 2_000
    await venue.settle()
    venue.aheadMs += HOUR_MS
    await venue.settle()
    venue.aheadMs += 2_000
    await venue.settle()
    assert.ok(await venue.is(ownId, 'queued'))
  })
})

describe('market-maker protection', () => {
  const RULE = {
    ...{ account: ACCOUNT, wallet: WALLET, asset: FIRST.asset },
    ...{ intervalSeconds: 10, frozenSeconds: 0, amountLimit: 5n * LOT, deltaLimit: undefined },
  }
  const isFrozen = async () =>
    (await venue.store.safeguards.readMmp(ACCOUNT)).rules[0]?.frozenMs !== undefined
  const quote = async (isBuy = true) => {
    const id = await venue.accept({ isMmp: true, isBuy })
    await venue.chain(id)
    await venue.settle()
    return id
  }
  const fill = (id: string, lots: bigint) =>
    venue.chain(id, { filledLots: lots, restingLots: 10n - lots, status: 'partial' })
  const at = (seconds: number) => venue.block((venue.view.state.head?.seconds ?? 0) + seconds)

  test('market-maker protection acts when the limit is exceeded, not when it is reached', async () => {
    await venue.store.safeguards.setMmp(RULE)
    const [bid, ask, plain] = [await quote(), await quote(false), await venue.accept()]
    const elsewhere = await venue.accept({ isMmp: true, in: SECOND })
    await fill(bid, 5n)
    await venue.settle()
    assert.equal(await isFrozen(), false)
    await fill(ask, 1n)
    await until('it is frozen', isFrozen)
    await cancelOf(bid)
    await cancelOf(ask)
    assert.ok(await venue.is(plain, 'queued'))
    assert.ok(await venue.is(elsewhere, 'queued'))
    const late = await venue.accept({ isMmp: true })
    assert.equal(await venue.reach(late, 'withdrawn'), 'MMP')
    await venue.store.safeguards.resetMmp(ACCOUNT, FIRST.asset)
    await venue.settle()
    const again = await venue.accept({ isMmp: true })
    await venue.settle()
    assert.ok(await venue.is(again, 'queued'))
  })

  describe('of a watcher that begins', () => {
    /** The chain's time equals the database's: fills before the rule was set are excluded. */
    const now = () => venue.block(Math.floor(Date.now() / 1_000))
    const heir = async (given: Parameters<WatchedVenue['start']>[0] = {}) => {
      await venue.stop()
      venue.start(given)
    }

    test('a new watcher counts fills within the protection interval, before and during its start', async () => {
      await venue.store.safeguards.setMmp(RULE)
      now()
      const bid = await quote()
      await fill(bid, 3n)
      await venue.settle()
      let answer = () => {}
      let isAsked = () => {}
      const whenAsked = new Promise<void>((resolve) => {
        isAsked = resolve
      })
      const { safeguards } = venue.store
      const whenAnswered = new Promise<void>((resolve) => {
        answer = resolve
      })
      const mmpFills: typeof safeguards.mmpFills = async (...args) => {
        isAsked()
        await whenAnswered
        return safeguards.mmpFills(...args)
      }
      await heir({ safeguards: { ...safeguards, mmpFills } })
      await whenAsked
      // In the database before the answer, and in the feed: the fill counts once.
      now()
      await fill(bid, 5n)
      answer()
      await venue.settle()
      assert.equal(await isFrozen(), false, 'five may be filled')
      await fill(bid, 6n)
      await until('it is frozen', isFrozen)
    })

    test('a new watcher counts neither old fills nor fills without a rule', async () => {
      await venue.store.safeguards.setMmp(RULE)
      now()
      const bid = await quote()
      await fill(bid, 5n)
      const plain = await venue.accept()
      await venue.chain(plain, { filledLots: 5n, restingLots: 5n })
      at(10)
      await heir()
      await venue.settle()
      await fill(bid, 10n)
      await venue.settle()
      assert.equal(await isFrozen(), false)
    })

    test('a new watcher counts no fill from before a reset', async () => {
      await venue.store.safeguards.setMmp(RULE)
      venue.block(Math.floor(Date.now() / 1_000) - 5)
      const bid = await quote()
      await fill(bid, 5n)
      await venue.store.safeguards.resetMmp(ACCOUNT, FIRST.asset)
      await heir()
      await venue.settle()
      now()
      await fill(bid, 10n)
      await venue.settle()
      assert.equal(await isFrozen(), false)
    })

    test('a new watcher retries when the database does not answer', async () => {
      await venue.store.safeguards.setMmp(RULE)
      now()
      const bid = await quote()
      await fill(bid, 5n)
      const { safeguards } = venue.store
      let failures = 0
      const mmpFills: typeof safeguards.mmpFills = (...args) =>
        failures++ < 2 ? Promise.reject(new Error('away')) : safeguards.mmpFills(...args)
      await heir({ safeguards: { ...safeguards, mmpFills } })
      await until('it was asked', () => failures > 2)
      await venue.settle()
      await fill(bid, 6n)
      await until('it is frozen', isFrozen)
    })
  })

  test('market-maker protection counts only fills within its interval', async () => {
    await venue.store.safeguards.setMmp(RULE)
    const bid = await quote()
    await fill(bid, 5n)
    await venue.settle()
    at(10)
    await fill(bid, 8n)
    await venue.settle()
    assert.equal(await isFrozen(), false)
    at(9)
    await fill(bid, 10n)
    await venue.settle()
    assert.equal(await isFrozen(), false, 'five in ten seconds')
  })

  test('market-maker protection counts bought less sold amounts against delta_limit', async () => {
    await venue.store.safeguards.setMmp({ ...RULE, amountLimit: 100n * LOT, deltaLimit: 3n * LOT })
    const [bid, ask] = [await quote(), await quote(false)]
    await fill(bid, 3n)
    await fill(ask, 6n)
    await venue.settle()
    assert.equal(await isFrozen(), false)
    await fill(ask, 7n)
    await until('it is frozen', isFrozen)
  })
})
