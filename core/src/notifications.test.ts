import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  accountWallet,
  LISTINGS,
  PERP_ENGINE,
  SPOT_ENGINE,
  TOKENS,
} from '../test/scenario/listing.ts'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { type Scenario, scenario } from '../test/scenario/scenario.ts'
import { invertChanges } from './changes.ts'
import type { VenueBlock } from './events.ts'
import { E18 } from './integers.ts'
import {
  deriveNotifications,
  largestAccounts,
  type Notification,
  WITHDRAWAL_NOTIFICATIONS_MAX,
} from './notifications.ts'
import { emptyState, fold } from './state.ts'
import { applyBlock } from './venue.ts'

const { id: ETH_PERP } = LISTINGS['ETH-PERP']

/** Returns the notifications of every block of a scenario. */
function notifiedBy(blocks: readonly VenueBlock[]): readonly (readonly Notification[])[] {
  const state = emptyState()
  return blocks.map((block) => deriveNotifications(state, applyBlock(state, block)))
}

const lastNotifications = (played: Scenario) => notifiedBy(played.blocks()).at(-1) ?? []

/** Alice is account 3, Bob 4. */
const spot = () =>
  scenario()
    .list('ETH-USDC')
    .deposit('alice', 'USDC', 100_000n)
    .deposit('bob', 'ETH', 100n)
    .next()
    .place('alice', 'buy', 300_000, 10n)
    .next()

const perp = () =>
  scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', 100_000n)
    .deposit('bob', 'USDC', 100_000n)
    .next()

/** Carol holds tokens at the spot engine and no collateral. */
const spotAndPerp = () => perp().list('ETH-USDC').deposit('carol', 'ETH', 5n).next().on('ETH-PERP')

describe('a fill', () => {
  test('a fill notifies both sides: filled when no lots of the order remain, else partially', () => {
    const notifications = lastNotifications(spot().place('bob', 'sell', 300_000, 4n))
    const [maker, taker] = [3, 4].map((account) =>
      notifications.find((notification) => notification.account === account),
    )
    assert.equal(notifications.length, 2)
    assert.equal(taker?.type, 'order_filled')
    assert.deepEqual(maker, {
      id: '000000000003-000001-m',
      account: 3,
      type: 'order_partially_filled',
      data: {
        instrumentId: LISTINGS['ETH-USDC'].id,
        instrumentName: 'ETH-USDC',
        orderId: `${LISTINGS['ETH-USDC'].id}0000000000000001`,
        tradeId: '000000000003-000001-m',
        side: 'buy',
        price: '3000',
        amount: '0.0004',
        filled: '0.0004',
        fee: '0',
        liquidity: 'maker',
      },
    })
  })

  test('a fill reports the lots of the fill and the total filled', () => {
    const twice = spot().place('bob', 'sell', 300_000, 4n).place('bob', 'sell', 300_000, 3n)
    const ofAlice = lastNotifications(twice).filter(({ account }) => account === 3)
    assert.deepEqual(
      ofAlice.map(({ data }) => [data.amount, data.filled]),
      [
        ['0.0004', '0.0004'],
        ['0.0003', '0.0007'],
      ],
    )
  })
})

describe('a cancelled order', () => {
  test('a cancelled order is published with the reason when the venue cancelled it', () => {
    const [notification, ...others] = lastNotifications(spot().cancel(1, 'KEY_REVOKED'))
    assert.deepEqual(others, [])
    assert.equal(notification?.type, 'order_cancelled')
    assert.equal(notification.account, 3)
    assert.equal(notification.data.reason, 'KEY_REVOKED')
    assert.equal(notification.id, `000000000003-c-${LISTINGS['ETH-USDC'].id}0000000000000001`)
  })

  test('a cancelled order is not published when its owner cancelled it', () => {
    assert.deepEqual(lastNotifications(spot().cancel(1)), [])
  })

  test('a cancelled order is published when it was placed and dropped in one block', () => {
    const played = spot().order({
      who: 'bob',
      side: 'sell',
      tick: 310_000,
      lots: 1n,
      timeInForce: 'IOC',
    })
    assert.deepEqual(
      lastNotifications(played).map(({ account, type, data }) => [account, type, data.reason]),
      [[4, 'order_cancelled', 'IOC_REMAINDER']],
    )
  })

  test('of an account below its margin is published with that reason', () => {
    const played = perp().place('alice', 'buy', 29_000, 10n).next().cancel(1, 'LIQUIDATION')
    assert.deepEqual(
      lastNotifications(played).map(({ account, type, data }) => [account, type, data.reason]),
      [[3, 'order_cancelled', 'LIQUIDATION']],
    )
  })
})

describe('a forced close', () => {
  /** Alice has bought 10 lots from Bob. */
  const holding = () =>
    perp().place('bob', 'sell', 30_000, 10n).place('alice', 'buy', 30_000, 10n).next()
  const liquidations = (played: Scenario) =>
    lastNotifications(played).filter(({ type }) => type === 'position_liquidated')
  const { quotePerLotTick } = LISTINGS['ETH-PERP']

  test('a forced close on the book is published once, with its average price and its fee, and not as an order', () => {
    const played = holding()
      .place('carol', 'buy', 29_000, 4n)
      .place('carol', 'buy', 28_000, 20n)
      .next()
      .liquidate('alice', { tick: 28_000, lots: 10n, fee: 3n * E18 })
    const ofAlice = lastNotifications(played).filter(({ account }) => account === 3)
    assert.deepEqual(ofAlice, [
      {
        id: '000000000004-000004-l',
        account: 3,
        type: 'position_liquidated',
        data: {
          instrumentId: ETH_PERP,
          instrumentName: 'ETH-PERP',
          engine: PERP_ENGINE,
          kind: 'liquidation',
          side: 'sell',
          amount: '0.01',
          price: '2840',
          fee: '3',
        },
      },
    ])
  })

  test('a forced close without fills on the book is not published as a cancelled order', () => {
    const played = holding().liquidate('alice', { tick: 30_000, lots: 10n, fee: 0n })
    assert.deepEqual(lastNotifications(played), [])
  })

  test('a forced close by insurance notifies only the holder of the position', () => {
    const [notification, ...others] = liquidations(
      holding().absorb('bob', 29_000n * quotePerLotTick, -5n * E18),
    )
    assert.deepEqual(others, [])
    assert.deepEqual(
      [
        notification?.account,
        notification?.data.kind,
        notification?.data.side,
        notification?.data.price,
        notification?.data.fee,
      ],
      [4, 'absorption', 'buy', '2900', '-5'],
    )
  })

  test('against a winner notifies both, each with its side, even at a negative price', () => {
    const played = liquidations(
      holding().deleverage('alice', 'bob', { lots: 4n, unit: -quotePerLotTick }),
    )
    assert.deepEqual(
      played.map(({ account, data }) => [account, data.kind, data.side, data.amount, data.price]),
      [
        [3, 'deleverage', 'sell', '0.004', '-0.1'],
        [4, 'deleverage', 'buy', '0.004', '-0.1'],
      ],
    )
    assert.equal(new Set(played.map(({ id }) => id)).size, 1)
  })
})

describe('incoming tokens', () => {
  test('notify the recipient: deposits, withdrawals, transfers received', () => {
    const played = spot()
      .deposit('alice', 'USDC', 5n)
      .withdraw('alice', 'USDC', 6n)
      .transfer('alice', 'bob', { symbol: 'USDC', whole: 7n })
    const notifications = lastNotifications(played)
    assert.deepEqual(
      notifications.map(({ account, type, data }) => [account, type, data.amount, data.asset]),
      [
        [3, 'deposit_finalized', '5', 'USDC'],
        [3, 'withdraw_finalized', '6', 'USDC'],
        [4, 'transfer_received', '7', 'USDC'],
      ],
    )
    const [deposit, withdrawal] = notifications
    assert.equal(deposit?.data.engine, SPOT_ENGINE)
    assert.equal(deposit?.data.token, TOKENS.USDC.address)
    assert.equal(deposit?.data.recipient, undefined)
    assert.equal(withdrawal?.data.recipient, accountWallet(3))
  })
})

describe('funding', () => {
  test('funding is published for each position and hour, positive for the receiver', () => {
    const played = perp()
      .place('alice', 'buy', 30_000, 1000n)
      .place('bob', 'sell', 30_000, 1000n)
      .next(60)
      .poke()
      .next(3600)
      .poke()
      .next(3600)
      .poke()
    const funding = lastNotifications(played).filter(({ type }) => type === 'funding_paid')
    const amounts = new Map(funding.map(({ account, data }) => [account, String(data.amount)]))
    assert.equal(funding.length, 2)
    assert.match(amounts.get(3) ?? '', /^-0\.0/)
    assert.equal(`-${amounts.get(4)}`, amounts.get(3))
    assert.ok(funding.every(({ data }) => data.instrumentName === 'ETH-PERP'))
  })
})

describe('a market that is halted', () => {
  const halt = (halted: boolean) => ({ type: 'Halted', market: ETH_PERP, halted }) as const

  test('a market that is halted notifies only accounts with a position or an order there', () => {
    const played = perp()
      .deposit('carol', 'USDC', 10n)
      .deposit('dave', 'USDC', 10n)
      .place('alice', 'buy', 30_000, 10n)
      .place('bob', 'sell', 30_000, 10n)
      .place('carol', 'buy', 29_000, 10n)
      .next()
      .say(halt(true))
    assert.deepEqual(
      lastNotifications(played).map(({ account, type, id }) => [account, type, id]),
      [3, 4, 5].map((account) => [account, 'market_halted', `000000000003-h-${ETH_PERP}`]),
    )
  })

  test('a market that is halted is published once, and not when it resumes', () => {
    const played = perp().place('alice', 'buy', 29_000, 10n).next().say(halt(true)).next()
    assert.deepEqual(lastNotifications(played.say(halt(false))), [])
  })
})

describe('a flagged loss', () => {
  const loss = { market: ETH_PERP, account: 3 }
  const flagged = () => perp().say({ type: 'LossFlagged', ...loss })
  const facts = (played: Scenario) =>
    lastNotifications(played).map(({ account, type }) => [account, type])

  test('a flagged loss notifies every account with collateral at that engine that withdrawals stop, and where', () => {
    const played = spotAndPerp().say({ type: 'LossFlagged', ...loss })
    const [first, ...others] = lastNotifications(played)
    assert.deepEqual(first, {
      id: `000000000003-w-${ETH_PERP}`,
      account: 3,
      type: 'withdrawals_stopped',
      data: {
        instrumentId: ETH_PERP,
        instrumentName: 'ETH-PERP',
        engine: PERP_ENGINE,
        blockNumber: 3,
      },
    })
    assert.deepEqual(
      others.map(({ account, type }) => [account, type]),
      [[4, 'withdrawals_stopped']],
    )
  })

  test('a flagged loss notifies those accounts when it is cleared', () => {
    const played = flagged()
      .next()
      .say({ type: 'LossCleared', ...loss })
    assert.deepEqual(facts(played), [
      [3, 'withdrawals_resumed'],
      [4, 'withdrawals_resumed'],
    ])
  })

  test('a flagged loss that replaces another in one block notifies no account: withdrawals stay stopped', () => {
    const { id: SOL_PERP } = LISTINGS['SOL-PERP']
    const two = () =>
      perp()
        .index('SOL', 150n * E18)
        .list('SOL-PERP')
        .next()
    const shut = two()
      .say({ type: 'LossFlagged', ...loss })
      .next()
    const moved = shut
      .say({ type: 'LossCleared', ...loss })
      .say({ type: 'LossFlagged', market: SOL_PERP, account: 4 })
    assert.deepEqual(facts(moved), [])
    const another = flagged()
      .next()
      .say({ type: 'LossCleared', ...loss })
      .say({ type: 'LossFlagged', ...loss, account: 4 })
    assert.deepEqual(facts(another), [])
    const brief = perp()
      .say({ type: 'LossFlagged', ...loss })
      .say({ type: 'LossCleared', ...loss })
    assert.deepEqual(facts(brief), [])
  })

  test('a flagged loss notifies a bounded number of accounts: those with the most collateral', () => {
    const state = emptyState()
    const put = (account: number, amount: bigint, engine = PERP_ENGINE) =>
      state.records.collateral.set(`${engine}|${account}`, { engine, account, amount })
    const total = 3 * WITHDRAWAL_NOTIFICATIONS_MAX
    // The later half of the accounts has more, and many have the same amount.
    for (let account = total; account > 0; account--) put(account, BigInt(account >> 1))
    put(total + 1, -5n)
    put(total + 2, 10n ** 9n, SPOT_ENGINE)
    const chosen = largestAccounts(state, PERP_ENGINE, WITHDRAWAL_NOTIFICATIONS_MAX)
    assert.equal(chosen.length, WITHDRAWAL_NOTIFICATIONS_MAX)
    assert.equal(chosen.at(-1), total)
    assert.equal(chosen[0], total - WITHDRAWAL_NOTIFICATIONS_MAX)
    const ordered = emptyState()
    for (const [key, collateral] of [...state.records.collateral].reverse())
      ordered.records.collateral.set(key, collateral)
    assert.deepEqual(largestAccounts(ordered, PERP_ENGINE, WITHDRAWAL_NOTIFICATIONS_MAX), chosen)
  })
})

test('notifications of a block are the same when it is undone and applied again', () => {
  const state = emptyState()
  for (const block of randomScenario(11, 80)) {
    const { head } = state
    const first = applyBlock(state, block)
    const played = deriveNotifications(state, first)
    fold(state, invertChanges(first.changes))
    state.head = head
    assert.deepEqual(deriveNotifications(state, applyBlock(state, block)), played)
  }
})

test('no account gets two notifications with one id, in any scenario', () => {
  for (const seed of [1, 2, 3]) {
    const ids = notifiedBy(randomScenario(seed, 120))
      .flat()
      .map(({ account, id }) => `${account} ${id}`)
    assert.equal(new Set(ids).size, ids.length, `seed ${seed}`)
    assert.ok(ids.length > 50)
  }
})
