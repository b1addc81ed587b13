// Prices, pokes, sweeps and signing keys on the real contracts.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { until } from '@openvenue/core/test/until'
import { LiveVenue, only } from '../test/live-venue.ts'
import { signedRegistration } from '../test/registrations.ts'
import { computeDue } from './pokes.ts'
import { SWEPT_PER_CALL_MAX } from './sweeps.ts'

const TRADER = 2
const [KEY_HOLDER, OTHER] = [3, 4] as const
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS

describe('the tasks of a keeper', () => {
  let live: LiveVenue
  before(async () => {
    live = await LiveVenue.start()
    live.mineEverySecond()
    const keeper = live.keeper(only('prices', 'pokes', 'sweeps', 'keys'))
    keeper.start()
    await live.leads(keeper)
  })
  after(() => live.stop())

  const funding = async () => {
    const [carry, activity] = (await live.view('fundingOf', [1])) as [
      { time: number },
      { pokedAt: number },
    ]
    return { settledSeconds: Number(carry.time), pokedSeconds: Number(activity.pokedAt) }
  }
  const seconds = async () => (await live.venue.head()).seconds
  const later = (bySeconds: number) => live.blocks.skipSeconds(bySeconds)

  test('the keeper pushes prices, and a jump of more than a tenth until the oracle accepts it', async () => {
    await live.moveTo(3_100n)
    await live.moveTo(2_000n)
    await live.moveTo(3_000n)
  })

  test('the keeper pushes the other prices when the oracle refuses one', async () => {
    live.others = new Map([['TOOHIGH', 2n ** 96n]])
    await live.moveTo(3_005n)
    await live.moveTo(3_006n)
    live.others = new Map()
  })

  test('the keeper pokes a market each minute', async () => {
    const before = await funding()
    await later(61)
    await until('it is poked', async () => (await funding()).pokedSeconds > before.pokedSeconds)
    const again = await funding()
    assert.ok(again.pokedSeconds - before.pokedSeconds >= 60)
  })

  test('the keeper settles a funding hour right after it ends', async () => {
    const untilHour = HOUR_SECONDS - ((await seconds()) % HOUR_SECONDS)
    await later(untilHour)
    const ended = (await seconds()) - ((await seconds()) % HOUR_SECONDS)
    await until('it is settled', async () => (await funding()).settledSeconds >= ended)
    assert.ok((await seconds()) - ended < 10, 'within seconds')
  })

  test('the keeper settles all funding hours after days without a settlement', async () => {
    await later(3 * DAY_SECONDS + 61)
    const now = await seconds()
    const hour = now - (now % HOUR_SECONDS)
    await until('all hours are settled', async () => (await funding()).settledSeconds >= hour)
    await until('and the market is poked', async () => (await funding()).pokedSeconds >= now)
  })

  test('the keeper sweeps ended orders, even more than fit into one call', async () => {
    await live.fund(TRADER, 1_000n)
    const goodTil = (await seconds()) + 15
    const count = SWEPT_PER_CALL_MAX + 20
    await live.send(
      Array.from({ length: count }, (_, n) =>
        live.order(TRADER, { buy: true, tick: 20_000 + n, lots: 15n, goodTil }),
      ),
    )
    const account = await live.account(TRADER)
    const bids = async () =>
      ((await live.view('positionOf', [1, account])) as { bidLots: bigint }).bidLots
    await until('the book is empty', async () => (await bids()) === 0n)
    assert.ok((await seconds()) > goodTil)
  })

  test('the keeper relays a registered key to the chain, once', async () => {
    const { store, venue } = live
    const registration = await signedRegistration(live, KEY_HOLDER, await seconds())
    const queued = await store.keyRelays.enqueue(registration, live.clock.nowMs())
    assert.ok('relay' in queued)
    const relay = async () =>
      (await store.keyRelays.of(registration.wallet, registration.signingKey))[0]
    await until('it is done', async () => (await relay())?.status === 'done')
    const hash = (await relay())?.txHash
    const receipt = await venue.call('eth_getTransactionReceipt', hash)
    assert.equal((receipt as { status: string }).status, '0x1')
    assert.equal(await keyAccount(registration.signingKey), await live.account(KEY_HOLDER))
    // Queued again, as after a restore of an older database, it is found on the chain.
    await store.keyRelays.again(queued.relay.id, live.clock.nowMs())
    await until('it is done again', async () => (await relay())?.status === 'done')
    assert.equal((await relay())?.txHash ?? undefined, undefined, 'no transaction was needed')
  })

  test('the keeper gives up a key that the contract can never accept, with its reason', async () => {
    const { store } = live
    const good = await signedRegistration(live, KEY_HOLDER, await seconds())
    const forged = { ...good, wallet: (live.venue.wallets[OTHER] ?? '').toLowerCase() }
    await store.keyRelays.enqueue(forged, live.clock.nowMs())
    const relay = async () => (await store.keyRelays.of(forged.wallet, forged.signingKey))[0]
    await until('it is given up', async () => (await relay())?.status === 'failed')
    assert.equal((await relay())?.reason, 'SignatureInvalid')
  })

  const keyAccount = async (key: string) => {
    const to = live.venue.deployment.accounts
    const view = { to, abi: accountsAbi, functionName: 'keyOf', args: [key] }
    const [account] = (await live.views([view]))[0] as [number, number]
    return Number(account)
  }
})

test('funding hours are settled a day at a time, the last day by the poke', () => {
  const at = { settledSeconds: DAY_SECONDS, pokedSeconds: DAY_SECONDS, isStale: false }
  const dueAfter = (times: typeof at, seconds: number) => computeDue(times, DAY_SECONDS + seconds)
  assert.deepEqual(dueAfter(at, 59), { settlements: 0, isPokeDue: false })
  assert.deepEqual(dueAfter(at, 60), { settlements: 0, isPokeDue: true })
  assert.deepEqual(dueAfter(at, HOUR_SECONDS), { settlements: 0, isPokeDue: true })
  assert.deepEqual(dueAfter(at, 3 * DAY_SECONDS), { settlements: 2, isPokeDue: true })
  const poked = { ...at, pokedSeconds: DAY_SECONDS + HOUR_SECONDS - 30 }
  assert.deepEqual(dueAfter(poked, HOUR_SECONDS), { settlements: 1, isPokeDue: false })
  const stale = { ...at, isStale: true }
  assert.deepEqual(dueAfter(stale, DAY_SECONDS), { settlements: 1, isPokeDue: false })
  assert.deepEqual(dueAfter(stale, 1_000 * DAY_SECONDS).settlements, 30)
})

test('a market without a price has no hours to settle, however long it has been listed', () => {
  const at = { settledSeconds: 0, pokedSeconds: 0, isStale: true }
  assert.deepEqual(computeDue(at, 20_000 * DAY_SECONDS), { settlements: 0, isPokeDue: false })
})
