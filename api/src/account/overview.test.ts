import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import type { AccountObject } from '@openvenue/wire/account'
import { type AccountNode, accountNode } from '../../test/account-node.ts'
import { freshReads, readOf } from '../../test/block-reads.ts'
import { richScenario } from '../../test/margin-scenarios.ts'
import {
  BROKEN_ACCOUNTS,
  BROKEN_READER,
  emptySnapshot,
  scenarioNode,
} from '../../test/scenario-node.ts'
import { VenueModel } from '../model/venue-model.ts'
import { OVERVIEWS_MAX, Overviews } from './overview.ts'
import { OwnedReads } from './owned-reads.ts'
import { Wallets } from './wallets.ts'

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

const settings = { accountCacheMs: 2000 }

describe('the account cache', () => {
  async function withNode(scenario: Scenario, act: (venue: AccountNode) => Promise<void>) {
    const venue = await accountNode(store, scenario, { settings })
    await act(venue)
    await venue.close()
  }

  test('the account cache builds an account once in 2 seconds and reports its block', async () => {
    const scenario = richScenario()
    const seconds = scenario.seconds
    await withNode(scenario, async (venue) => {
      venue.setNow(seconds)
      const read = await venue.as('alice', '/account')
      scenario.withdraw('alice', 'USDC', 1n).next()
      venue.follow()
      venue.setNow(seconds + 1.999)
      const kept = await venue.as('alice', '/account')
      assert.equal(kept.text, read.text)
      assert.equal(kept.headers['x-block-number'], read.headers['x-block-number'])
      venue.setNow(seconds + 2)
      const anew = await venue.as('alice', '/account')
      assert.equal((anew.body as AccountObject).balance, '998.99701')
      assert.equal(anew.headers['x-block-number'], String(venue.model.head?.number))
    })
  })

  test('the account cache keeps accounts apart', async () => {
    await withNode(richScenario(), async (venue) => {
      const [alice, bob] = [await venue.as('alice', '/account'), await venue.as('bob', '/account')]
      assert.notEqual((alice.body as AccountObject).equity, (bob.body as AccountObject).equity)
    })
  })

  test('the account cache does not keep a failure of the database', async () => {
    const venue = await accountNode(store, richScenario(), { isHistoryBroken: true, settings })
    for (let time = 0; time < 2; time++) {
      const { status, body } = await venue.as('stranger', '/account')
      assert.deepEqual([status, (body as { error: string }).error], [503, 'HISTORY_UNAVAILABLE'])
    }
    await venue.close()
  })
})

describe('overviews', () => {
  const emptyOverviews = (accountNumber = async () => readOf<number | undefined>(undefined)) => {
    const model = new VenueModel()
    let nowMs = 0
    const history = { ...BROKEN_ACCOUNTS.history, accountNumber }
    const overviews = new Overviews({
      model,
      settings,
      wallets: new Wallets({ model, history, fresh: freshReads(model) }),
      owned: new OwnedReads({ model, reader: BROKEN_READER }),
      clock: { monotonicMs: () => nowMs },
    })
    const setNowMs = (ms: number) => {
      nowMs = ms
    }
    return { overviews, model, setNowMs }
  }

  test(`at most ${OVERVIEWS_MAX} overviews are kept, none longer than it may be shown`, async () => {
    const { overviews, setNowMs } = emptyOverviews()
    for (let i = 0; i < OVERVIEWS_MAX + 5; i++) await overviews.of(`0x${i}`)
    assert.equal(overviews.size, OVERVIEWS_MAX)
    setNowMs(3000)
    await overviews.of('0x1')
    assert.equal(overviews.size, 1)
  })

  test('overviews are dropped when the model is reloaded', async () => {
    const { overviews, model } = emptyOverviews()
    await overviews.of('0x1')
    model.load(emptySnapshot())
    assert.equal(overviews.size, 0)
  })

  test('concurrent requests for an overview share one read of the database', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let reads = 0
    const { overviews } = emptyOverviews(async () => {
      reads += 1
      await promise
      return readOf<number | undefined>(undefined)
    })
    const asked = [1, 2, 3].map(() => overviews.of('0x1'))
    resolve()
    const [first, ...others] = await Promise.all(asked)
    for (const other of others) assert.equal(other, first)
    assert.equal(reads, 1)
  })

  test('readEquity returns only the equity of an overview', async () => {
    const { overviews } = emptyOverviews()
    assert.equal(await overviews.readEquity('0x1'), '0')
    const scenario = richScenario()
    const { model, close } = await scenarioNode(scenario.blocks())
    const history = {
      ...BROKEN_ACCOUNTS.history,
      accountNumber: async () => readOf(scenario.accountOf('alice')),
    }
    const known = new Overviews({
      model,
      settings,
      wallets: new Wallets({ model, history, fresh: freshReads(model) }),
      owned: new OwnedReads({ model, reader: BROKEN_READER }),
      clock: { monotonicMs: () => 0 },
    })
    assert.equal(await known.readEquity('0x1'), '1000.09701')
    await close()
  })
})
