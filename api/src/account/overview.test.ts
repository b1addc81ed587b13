import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { story as newStory, type Story } from '@openvenue/core/story/story'
import { openStore } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { AccountObject } from '@openvenue/wire/account'
import { Value } from 'typebox/value'
import { VenueModel } from '../model/venue-model.ts'
import { type AccountApp, accountApp } from '../testing/account-app.ts'
import { freshReads, readOf } from '../testing/block-reads.ts'
import { LENS, lensCall, toldWithLens } from '../testing/lens-call.ts'
import { richStory } from '../testing/margin-stories.ts'
import { BROKEN_ACCOUNTS, BROKEN_READER, emptySnapshot, storyApp } from '../testing/story-app.ts'
import { OVERVIEWS_MAX, Overviews } from './overview.ts'
import { OwnedReads } from './owned-reads.ts'
import { ACCOUNT_SETTINGS, type AccountSettings } from './settings.ts'
import { Wallets } from './wallets.ts'

const E18 = 10n ** 18n

let store: Store
before(async () => {
  store = await openStore({})
})
after(() => store.close())

type Act = Parameters<typeof toldWithLens>[2]
const told = (story: Story, act: Act, settings?: Partial<AccountSettings>) =>
  toldWithLens(store, story, act, settings)

async function accountOf(venue: AccountApp, who = 'alice'): Promise<AccountObject> {
  const { status, body } = await venue.as(who, '/account')
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Value.Check(AccountObject, body))
  return body
}

describe('values of the account that the chain does not tell', () => {
  const NULLS = ['equity', 'available_balance', 'initial_margin', 'maintenance_margin'] as const
  const checkNulls = (object: AccountObject) => {
    for (const field of [...NULLS, 'total_value', 'liquidatable'] as const)
      assert.equal(object[field], null, field)
    const margin = object.collaterals.find((item) => item.instrument_type === 'PERPETUAL')
    assert.deepEqual([margin?.available_balance, margin?.withdrawable_balance], [null, null])
    assert.deepEqual([margin?.balance, margin?.locked_balance], ['999.99701', null])
    assert.deepEqual([object.balance, object.unrealized_pnl], ['999.99701', '0.1'])
    assert.deepEqual([object.spot_value, object.in_liquidation], ['6500', false])
    assert.equal(object.positions.length, 2)
  }

  test('are null while the node does not answer, and are back with it', async () => {
    await told(richStory(), async (venue, lens) => {
      lens.setBroken(true)
      checkNulls(await accountOf(venue))
      lens.setBroken(false)
      assert.equal((await accountOf(venue)).equity, '1000.09701')
    })
  })

  test('are null without a lens, or with an address where none stands', async () => {
    const noLens = { lens: undefined }
    await told(
      richStory(),
      async (venue, lens) => {
        checkNulls(await accountOf(venue))
        assert.deepEqual(lens.asked, [])
      },
      noLens,
    )
    await told(richStory(), async (venue) => checkNulls(await accountOf(venue)), {
      lens: `0x${'0'.repeat(40)}`,
    })
  })

  test('are known all the same where there is nothing to read: no margin, no position', async () => {
    const story = newStory()
      .index('ETH', 3000n * E18)
      .list('ETH-USDC')
      .deposit('alice', 'ETH', 1n)
    await told(story.next(), async (venue, lens) => {
      lens.setBroken(true)
      const { equity, initial_margin, liquidatable, total_value } = await accountOf(venue)
      assert.deepEqual(
        [equity, initial_margin, liquidatable, total_value],
        ['0', '0', false, '3000'],
      )
      assert.deepEqual(lens.asked, [])
    })
  })

  test('leave liquidatable false where there is margin but no position', async () => {
    const story = newStory().list('ETH-PERP').deposit('alice', 'USDC', 5n).next()
    await told(story, async (venue, lens) => {
      lens.setBroken(true)
      const { equity, liquidatable, balance } = await accountOf(venue)
      assert.deepEqual([equity, liquidatable, balance], [null, false, '5'])
    })
  })
})

describe('the account cache', () => {
  const settings = { accountCacheMs: 2000 }

  test('reads the chain once in 2 seconds for an account', async () => {
    const story = richStory()
    const seconds = story.seconds
    await told(
      story,
      async (venue, lens) => {
        venue.setNow(seconds)
        const read = await venue.as('alice', '/account')
        story.withdraw('alice', 'USDC', 1n).next()
        venue.follow()
        venue.setNow(seconds + 1.999)
        const kept = await venue.as('alice', '/account')
        assert.equal(kept.text, read.text)
        assert.equal(kept.headers['x-block-number'], read.headers['x-block-number'])
        assert.equal(lens.asked.length, 1)
        venue.setNow(seconds + 2)
        const anew = await venue.as('alice', '/account')
        assert.equal(lens.asked.length, 2)
        assert.equal((anew.body as AccountObject).balance, '998.99701')
        assert.equal(anew.headers['x-block-number'], String(venue.model.head?.number))
      },
      settings,
    )
  })

  test('keeps accounts apart', async () => {
    await told(
      richStory(),
      async (venue, lens) => {
        const [alice, bob] = [await accountOf(venue), await accountOf(venue, 'bob')]
        assert.notEqual(alice.equity, bob.equity)
        assert.equal(lens.asked.length, 2)
      },
      settings,
    )
  })

  test('shares one read among those who ask meanwhile, of the block at which it began', async () => {
    const story = richStory()
    await told(
      story,
      async (venue, lens) => {
        await venue.as('alice', '/orders')
        const release = lens.hold()
        const asked = Promise.all([1, 2, 3].map(() => venue.as('alice', '/account')))
        while (lens.asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
        const head = venue.model.head?.number
        story.on('ETH-PERP').withdraw('alice', 'USDC', 1n).next()
        venue.tell(story.blocks().slice(-1))
        assert.notEqual(venue.model.head?.number, head)
        release()
        for (const { body, headers } of await asked) {
          assert.equal(headers['x-block-number'], String(head))
          assert.equal((body as AccountObject).balance, '999.99701')
        }
        assert.equal(lens.asked.length, 1)
      },
      settings,
    )
  })

  test('does not keep what failed because the database did not answer', async () => {
    const venue = await accountApp(store, richStory(), { isHistoryBroken: true, settings })
    for (let time = 0; time < 2; time++) {
      const { status, body } = await venue.as('stranger', '/account')
      assert.deepEqual([status, (body as { error: string }).error], [503, 'HISTORY_UNAVAILABLE'])
    }
    await venue.close()
  })
})

describe('overviews', () => {
  const emptyOverviews = (settings: Partial<AccountSettings> = {}) => {
    const model = new VenueModel()
    let nowMs = 0
    const history = { ...BROKEN_ACCOUNTS.history, numberOf: async () => readOf(undefined) }
    const overviews = new Overviews({
      model,
      accounts: { ...BROKEN_ACCOUNTS, settings: { ...BROKEN_ACCOUNTS.settings, ...settings } },
      wallets: new Wallets({ model, history, fresh: freshReads(model) }),
      owned: new OwnedReads({ model, reader: BROKEN_READER }),
      clock: { monotonicMs: () => nowMs },
    })
    const setNowMs = (ms: number) => {
      nowMs = ms
    }
    return { overviews, model, setNowMs }
  }

  test(`keeps at most ${OVERVIEWS_MAX} accounts, and none longer than it may be told`, async () => {
    const { overviews, setNowMs } = emptyOverviews()
    for (let i = 0; i < OVERVIEWS_MAX + 5; i++) await overviews.of(`0x${i}`)
    assert.equal(overviews.size, OVERVIEWS_MAX)
    setNowMs(3000)
    await overviews.of('0x1')
    assert.equal(overviews.size, 1)
  })

  test('are forgotten when the model begins anew', async () => {
    const { overviews, model } = emptyOverviews()
    await overviews.of('0x1')
    model.load(emptySnapshot())
    assert.equal(overviews.size, 0)
  })

  test('tells equity alone, for those who need no more', async () => {
    const { overviews } = emptyOverviews()
    assert.equal(await overviews.equityOf('0x1'), '0')
    const story = richStory()
    const { model, close } = await storyApp(story.blocks())
    const lens = lensCall(() => model.state)
    const known = new Overviews({
      model,
      accounts: { call: lens.call, settings: { ...ACCOUNT_SETTINGS, lens: LENS } },
      wallets: new Wallets({
        model,
        history: {
          ...BROKEN_ACCOUNTS.history,
          numberOf: async () => readOf(story.accountOf('alice')),
        },
        fresh: freshReads(model),
      }),
      owned: new OwnedReads({ model, reader: BROKEN_READER }),
      clock: { monotonicMs: () => 0 },
    })
    assert.equal(await known.equityOf('0x1'), '1000.09701')
    lens.setBroken(true)
    assert.equal(await known.equityOf('0x2'), null)
    await close()
  })
})
