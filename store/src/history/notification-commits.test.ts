// Notifications of the chain exist once each, whatever happens to writers and blocks.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { accountWallet, LISTINGS, PERP_ENGINE } from '@openvenue/core/test/scenario/listing'
import { randomTale } from '@openvenue/core/test/scenario/random-scenario'
import {
  SCENARIO_START_SECONDS,
  type Scenario,
  scenario,
} from '@openvenue/core/test/scenario/scenario'
import fc from 'fast-check'
import { type TestDatabase, testEngines } from '../../test/engines.ts'
import {
  type BlockWithNotifications,
  blocksWithNotifications,
  chainNotifications,
  commitWithNotifications,
  registerAt,
} from '../../test/notifications.ts'
import { CHAIN_LAG_SECONDS_MAX } from '../db/checkpoint.ts'
import type { Store } from '../store.ts'

const seed = Number(process.env.SEED ?? 1)
const START_MS = SCENARIO_START_SECONDS * 1000
const [ALICE, BOB] = [accountWallet(3), accountWallet(4)] as const
const ALL_WALLETS = [3, 4, 5, 6, 7].map(accountWallet)

/** Lists the expected notifications of an account. Funding is published on request only. */
const expectedNotifications = (
  applied: readonly BlockWithNotifications[],
  account: number,
  sinceSeconds = 0,
) =>
  applied
    .flatMap(({ notificationBatch }) => notificationBatch.notifications)
    .filter(
      (notification) =>
        notification.account === account && notification.header.seconds >= sinceSeconds,
    )
    .filter(({ type }) => type !== 'funding_paid')
    .map(({ id, type, data }) => ({ id, type, data }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`notifications of blocks on ${engine.name}, seed ${seed}`, () => {
    let database: TestDatabase
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
    })
    beforeEach(async () => {
      await store.writer.wipeChain()
      await store.db.script(
        `TRUNCATE notifications, notification_preferences, margin_warnings, registrations, api_keys;
         UPDATE checkpoint SET notified_to = 0;`,
      )
      await store.close()
      store = await database.open()
    })
    after(async () => {
      await store.close()
      await database.remove()
    })

    const reopen = async () => {
      await store.close()
      store = await database.open()
    }
    const readStored = async (wallet: string) =>
      (await chainNotifications(store, wallet))
        .map(({ id, type, data }) => ({ id, type, data }))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
    const checkAll = async (applied: readonly BlockWithNotifications[]) => {
      for (const [index, wallet] of ALL_WALLETS.entries())
        assert.deepEqual(
          await readStored(wallet),
          expectedNotifications(applied, index + 3),
          wallet,
        )
    }
    const registerAll = async () => {
      for (const wallet of ALL_WALLETS) await registerAt(store, wallet, START_MS)
    }
    const tale = (blocks: number) => randomTale(seed, blocks, { actionsMax: 4 })

    test('notifications are for registered wallets, from the second of their registration', async () => {
      const applied = blocksWithNotifications(tale(60).blocks())
      const sinceSeconds = applied[30]?.block.header.seconds ?? 0
      await registerAt(store, ALICE, sinceSeconds * 1000 + 999)
      for (const block of applied) await commitWithNotifications(store, [block], 0)
      assert.deepEqual(await readStored(ALICE), expectedNotifications(applied, 3, sinceSeconds))
      assert.ok((await readStored(ALICE)).length > 0)
      assert.ok(
        expectedNotifications(applied, 3).length >
          expectedNotifications(applied, 3, sinceSeconds).length,
      )
      assert.deepEqual(await readStored(BOB), [])
    })

    test('notifications follow a registration even if its clock is ahead of the blocks', async () => {
      const applied = blocksWithNotifications(tale(60).blocks())
      const head = applied[30]?.block.header
      assert.ok(head)
      await commitWithNotifications(store, applied.slice(0, 31), 0)
      await registerAt(store, ALICE, (head.seconds + CHAIN_LAG_SECONDS_MAX) * 1000)
      await commitWithNotifications(store, applied.slice(31), 0)
      const expected = expectedNotifications(applied.slice(31), 3)
      assert.ok(expected.length > 0)
      assert.deepEqual(await readStored(ALICE), expected)
    })

    test('a backfill makes no notifications of old blocks', async () => {
      const applied = blocksWithNotifications(tale(60).blocks())
      const last = applied.at(-1)?.block.header
      assert.ok(last)
      await commitWithNotifications(store, applied.slice(0, 1), 0)
      await registerAt(store, ALICE, (last.seconds + CHAIN_LAG_SECONDS_MAX + 1) * 1000)
      await commitWithNotifications(store, applied.slice(1), 0)
      assert.deepEqual(await readStored(ALICE), [])
    })

    test('a wallet that registered before its account was opened is notified', async () => {
      await registerAll()
      const applied = blocksWithNotifications(tale(12).blocks())
      for (const block of applied) await commitWithNotifications(store, [block], 0)
      await checkAll(applied)
    })

    test('one large batch makes the same notifications as a commit for each block', async () => {
      await registerAll()
      const applied = blocksWithNotifications(tale(150).blocks())
      await commitWithNotifications(store, applied, 100)
      await checkAll(applied)
    })

    test('notifications of a flagged loss are removed when its block is undone', async () => {
      await registerAll()
      const loss = { market: LISTINGS['ETH-PERP'].id, account: 4 } as const
      const played = scenario()
        .index('ETH', 3000n * E18)
        .list('ETH-PERP')
        .deposit('alice', 'USDC', 100n)
        .deposit('bob', 'USDC', 100n)
        .next()
        .say({ type: 'LossFlagged', ...loss })
        .next()
        .say({ type: 'LossCleared', ...loss })
      const applied = blocksWithNotifications(played.blocks())
      await commitWithNotifications(store, applied, 0)
      const typesOf = async () => (await chainNotifications(store, ALICE)).map(({ type }) => type)
      const shown = (types: readonly string[]) =>
        types.filter((type) => type.startsWith('withdrawals'))
      assert.deepEqual(shown(await typesOf()).sort(), [
        'withdrawals_resumed',
        'withdrawals_stopped',
      ])
      await store.writer.undoTo(2)
      assert.deepEqual(shown(await typesOf()), ['withdrawals_stopped'])
      await store.writer.undoTo(1)
      assert.deepEqual(shown(await typesOf()), [])
    })

    test('notifications are removed when their block is undone, and return with it', async () => {
      await registerAll()
      const applied = blocksWithNotifications(tale(40).blocks())
      await commitWithNotifications(store, applied, 10)
      await store.writer.undoTo(25)
      await checkAll(applied.slice(0, 25))
      await reopen()
      await commitWithNotifications(store, applied.slice(25), 10)
      await checkAll(applied)
    })

    test('a reindex keeps notifications as read and deleted, and duplicates none', async () => {
      await registerAll()
      const applied = blocksWithNotifications(tale(40).blocks())
      await commitWithNotifications(store, applied, 30)
      const before = await chainNotifications(store, ALICE)
      const [first, second] = before.map(({ id }) => id) as [string, string]
      const last = before.at(-1)?.id ?? ''
      await store.notifications.mark(ALICE, [first, last], 5)
      await store.notifications.remove(ALICE, second)
      const left = await chainNotifications(store, ALICE)
      await store.writer.wipeChain()
      assert.deepEqual(await chainNotifications(store, ALICE), left)
      await reopen()
      for (const block of applied)
        await commitWithNotifications(store, [block], block.block.header.number - 5)
      assert.deepEqual(await chainNotifications(store, ALICE), left)
    })

    test('expired notifications do not return when the chain is reindexed', async () => {
      await registerAll()
      const applied = blocksWithNotifications(tale(40).blocks())
      await commitWithNotifications(store, applied, 30)
      await store.db.script('DELETE FROM notifications WHERE block_number <= 30')
      const left = await chainNotifications(store, ALICE)
      await store.writer.wipeChain()
      await commitWithNotifications(store, applied.slice(0, 20), 20)
      await commitWithNotifications(store, applied.slice(20), 35)
      assert.deepEqual(await chainNotifications(store, ALICE), left)
    })

    test('notifications of blocks that the chain dropped during a reindex are removed', async () => {
      await registerAll()
      const first = tale(30)
      const other = first.fork(24).on('ETH-USDC').deposit('alice', 'USDC', 77n).next().next()
      const [applied, forked] = [
        blocksWithNotifications(first.blocks()),
        blocksWithNotifications(other.blocks()),
      ]
      await commitWithNotifications(store, applied, 20)
      await store.writer.wipeChain()
      await reopen()
      await commitWithNotifications(store, forked.slice(0, 10), 5)
      for (const block of forked.slice(10)) await commitWithNotifications(store, [block], 20)
      // Blocks 27 to 30 are still missing; their notifications are removed later.
      const rest = await chainNotifications(store, ALICE)
      const upTo = rest.filter(({ blockNumber = 0 }) => blockNumber <= forked.length)
      assert.deepEqual(
        upTo.map(({ id }) => id).sort(),
        expectedNotifications(forked, 3).map(({ id }) => id),
      )
      const longer = other.next().next().next().next()
      await commitWithNotifications(
        store,
        blocksWithNotifications(longer.blocks()).slice(forked.length),
        20,
      )
      await checkAll(blocksWithNotifications(longer.blocks()))
    })

    test('notifications exist once each after any sequence of commits, reorgs, restarts and wipes', async () => {
      const whole = tale(30)
      const branches = [whole, whole.fork(20).deposit('bob', 'USDC', 3n).next().next().next()]
      const applied = branches.map((branch) => blocksWithNotifications(branch.blocks()))
      await registerAll()
      const step = fc.record({
        branch: fc.nat({ max: 1 }),
        blocks: fc.integer({ min: 1, max: 9 }),
        act: fc.constantFrom('commit', 'commit', 'commit', 'restart', 'wipe'),
      })
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 8 }),
        async (steps) => {
          await store.writer.wipeChain()
          let current: readonly BlockWithNotifications[] = []
          for (const { branch, blocks, act } of steps) {
            if (act === 'wipe') {
              await store.writer.wipeChain()
              current = []
            } else if (act === 'restart') await reopen()
            else current = await goTo(current, applied[branch] ?? [], blocks)
          }
          await checkUpTo(current)
        },
      )
      await fc.assert(property, { seed, numRuns: engine.name === 'PGlite' ? 8 : 5 })
    })

    /** Undoes blocks that are not on `chain`, and commits `more` blocks of it. */
    const goTo = async (
      current: readonly BlockWithNotifications[],
      chain: readonly BlockWithNotifications[],
      more: number,
    ): Promise<readonly BlockWithNotifications[]> => {
      const isSame = ({ block }: BlockWithNotifications, at: number) =>
        block.header.hash === chain[at]?.block.header.hash
      const same = current.filter(isSame).length
      if (same < current.length) await store.writer.undoTo(same)
      const next = chain.slice(same, same + more)
      const all = [...current.slice(0, same), ...next]
      // The branches part at block 20.
      await commitWithNotifications(store, next, Math.min(19, all.length - 3))
      return all
    }

    /** A wipe keeps notifications of later blocks, which are removed when their blocks arrive. */
    const checkUpTo = async (current: readonly BlockWithNotifications[]) => {
      const last = current.at(-1)?.block.header.number ?? 0
      for (const [index, wallet] of ALL_WALLETS.entries()) {
        const notifications = await chainNotifications(store, wallet)
        const upTo = notifications.filter(({ blockNumber = 0 }) => blockNumber <= last)
        assert.deepEqual(
          upTo.map(({ id }) => id).sort(),
          expectedNotifications(current, index + 3).map(({ id }) => id),
        )
      }
    }

    test('notifications follow the preferences that their wallet had at the time of the block', async () => {
      await registerAll()
      const applied = blocksWithNotifications(fundedHours().blocks())
      await commitWithNotifications(store, applied.slice(0, 3), 0)
      await store.notifications.changePreferences(ALICE, {
        types: { funding_paid: true, deposit_finalized: false },
      })
      await store.notifications.changePreferences(BOB, { inApp: false, websocket: false })
      await commitWithNotifications(store, applied.slice(3), 0)
      const types = (await readStored(ALICE)).map(({ type }) => type)
      assert.deepEqual(types, ['deposit_finalized', 'order_filled', 'funding_paid', 'funding_paid'])
      // Bob's first one is from before.
      assert.deepEqual(
        (await readStored(BOB)).map(({ type }) => type),
        ['deposit_finalized', 'order_filled'],
      )
    })

    test('notifications are listed, pushed or both, as their wallet prefers', async () => {
      await registerAll()
      const applied = blocksWithNotifications(spotDeposits(3).blocks())
      const ids = ({ notificationBatch }: BlockWithNotifications) =>
        notificationBatch.notifications.map(({ id }) => id)
      const pushed = async (number: number) =>
        (await store.notifications.ofBlock([ALICE, BOB], number)).map(({ id }) => id)
      const [, first, second, third] = applied as [
        BlockWithNotifications,
        BlockWithNotifications,
        BlockWithNotifications,
        BlockWithNotifications,
      ]
      await commitWithNotifications(store, applied.slice(0, 2), 0)
      await store.notifications.changePreferences(ALICE, { inApp: false })
      await commitWithNotifications(store, [second], 0)
      await store.notifications.changePreferences(ALICE, { inApp: true, websocket: false })
      await commitWithNotifications(store, [third], 0)
      assert.deepEqual(
        (await readStored(ALICE)).map(({ id }) => id),
        [...ids(first), ...ids(third)],
      )
      assert.deepEqual(await pushed(2), ids(first))
      assert.deepEqual(await pushed(3), ids(second))
      assert.deepEqual(await pushed(4), [])
    })

    test('the episode of a warning is known after a restart, an undo, and a wipe', async () => {
      await registerAll()
      const warned = async () =>
        (await store.writer.readAudience()).warned.map(({ account }) => account)
      const applied = blocksWithNotifications(crash().blocks())
      // Begins with block 3, ends with 5, begins with 6.
      await commitWithNotifications(store, applied.slice(0, 3), 0)
      await reopen()
      assert.deepEqual(await warned(), [3])
      await commitWithNotifications(store, applied.slice(3, 5), 0)
      assert.deepEqual(await warned(), [])
      await store.writer.undoTo(4)
      assert.deepEqual(await warned(), [3])
      await store.writer.undoTo(2)
      assert.deepEqual(await warned(), [])
      await commitWithNotifications(store, applied.slice(2), 4)
      assert.deepEqual(await warned(), [3])
      await store.writer.wipeChain()
      assert.deepEqual(await warned(), [3], 'block 3 is final, its end in block 5 is not')
      await commitWithNotifications(store, applied, 4)
      const warnings = (await readStored(ALICE)).filter(
        ({ type }) => type === 'liquidation_warning',
      )
      assert.deepEqual(
        warnings.map(({ id }) => id),
        [3, 6].map((block) => `00000000000${block}-w-${PERP_ENGINE}`),
      )
    })

    test('the writer reports the first registration, with which notifications begin', async () => {
      assert.deepEqual(await store.writer.readAudience(), {
        notifiedTo: 0,
        sinceSeconds: undefined,
        warned: [],
      })
      await registerAt(store, BOB, START_MS + 5000)
      await registerAt(store, ALICE, START_MS + 2999)
      await commitWithNotifications(store, blocksWithNotifications(tale(9).blocks()), 7)
      const { notifiedTo, sinceSeconds } = await store.writer.readAudience()
      assert.deepEqual([notifiedTo, sinceSeconds], [7, SCENARIO_START_SECONDS + 2])
    })
  })
}

/** Notifies Alice in each of `blocks` blocks after the first. */
function spotDeposits(blocks: number): Scenario {
  const applied = scenario().list('ETH-USDC').next()
  for (let at = 0; at < blocks; at += 1) applied.deposit('alice', 'USDC', 1n).next()
  return applied
}

const perp = () =>
  scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')

/** Deposits, a trade, then an hour of funding and a deposit. */
const fundedHours = () =>
  perp()
    .deposit('alice', 'USDC', 100_000n)
    .deposit('bob', 'USDC', 100_000n)
    .next()
    .place('alice', 'buy', 30_000, 1000n)
    .place('bob', 'sell', 30_000, 1000n)
    .next(60)
    .poke()
    .next(3600)
    .deposit('alice', 'USDC', 1n)
    .next()
    .poke()
    .next(3600)
    .poke()

/** Alice is close to liquidation in blocks 3, 4 and 6: see core/src/warnings.test.ts. */
function crash(): Scenario {
  const applied = perp()
    .deposit('alice', 'USDC', 200n)
    .deposit('bob', 'USDC', 100_000n)
    .place('alice', 'buy', 30_000, 1000n)
    .place('bob', 'sell', 30_000, 1000n)
    .next()
  for (const price of [2900, 2890, 2905, 2910, 2890])
    applied.index('ETH', BigInt(price) * E18).next()
  return applied
}
