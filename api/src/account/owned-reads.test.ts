import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emptyState, fold, type VenueState } from '@openvenue/core/state'
import { OWNED_KINDS } from '@openvenue/store/history/owner-records'
import type { FeedEntry, Reader } from '@openvenue/store/store'
import fc from 'fast-check'
import { settled } from '../../test/channel-node.ts'
import { ownedOfFeed } from '../../test/feed-reader.ts'
import { makeFeed, modelAt, stateAt } from '../../test/feed-scenario.ts'
import { emptySnapshot } from '../../test/scenario-node.ts'
import { Refusal } from '../http/refusals.ts'
import { OwnedRecords } from '../model/owned-records.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { OwnedReads } from './owned-reads.ts'

const seed = Number(process.env.SEED ?? 1)

const accountsIn = ({ records }: VenueState) => [
  ...new Set(OWNED_KINDS.flatMap((what) => [...records[what].values()].map((row) => row.account))),
]

const ownedBy = ({ records }: VenueState, account: number) =>
  OWNED_KINDS.map((what) => [...records[what]].filter(([, row]) => row.account === account).sort())

/** A database that may be ahead of the model, and that answers when it is released. */
function slowly(entries: readonly FeedEntry[], model: VenueModel, chance: () => number) {
  const answers: (() => void)[] = []
  const owned: Reader['owned'] = (accounts) => {
    const seq = Math.min(model.seq + chance(), entries.length)
    const read = ownedOfFeed(entries, { seq })(accounts)
    return new Promise((resolve) => answers.push(() => resolve(read)))
  }
  const answer = () => {
    for (const answer of answers.splice(0)) answer()
  }
  return { owned, answer }
}

const refusedWith503 = (error: unknown) => error instanceof Refusal && error.status === 503

describe('records of accounts', () => {
  test('an API node keeps no records of accounts that were not requested', () => {
    const entries = makeFeed(seed, 150)
    const model = modelAt(entries, 60)
    const opened = entries
      .slice(60)
      .flatMap(({ changes }) => changes.filter(({ what }) => what === 'account'))
    for (const entry of entries.slice(60)) model.apply(entry)
    assert.ok(model.owned.size <= opened.length, `${model.owned.size} of ${opened.length}`)
    for (const what of OWNED_KINDS)
      for (const { account } of model.state.records[what].values())
        assert.ok(model.owned.has(account), `${what} of ${account}`)
    assert.equal(model.state.records.key.size, 0)
  })

  test(`records read while the feed goes on are those of the model's head (seed ${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1000), fc.infiniteStream(fc.nat(9)), async (number, choices) => {
        const chance = () => choices.next().value as number
        const entries = makeFeed(number, 80)
        const model = modelAt(entries, 40)
        const { owned, answer } = slowly(entries, model, chance)
        const reads = new OwnedReads({ model, reader: { owned } })
        let looks = 0
        const looking = new Set<Promise<void>>()
        for (const entry of entries.slice(40)) {
          const accounts = accountsIn(stateAt(entries, entry.seq))
          const account = accounts[chance() % accounts.length] as number
          const look = reads.look({ account }, () => {
            looks += 1
            assert.deepEqual(
              ownedBy(model.state, account),
              ownedBy(stateAt(entries, model.seq), account),
              `account ${account} at ${model.seq}`,
            )
          })
          looking.add(look)
          await settled()
          if (chance() < 5) answer()
          await settled()
          model.apply(entry)
        }
        answer()
        await Promise.all(looking)
        assert.equal(looks, looking.size)
        for (const account of accountsIn(model.state)) assert.ok(model.owned.has(account))
      }),
      { seed, numRuns: 12 },
    )
  })

  test('requests of one turn share one statement, and later ones send none', async () => {
    const entries = makeFeed(seed, 100)
    const model = modelAt(entries, 100)
    const asked: (readonly number[])[] = []
    const answer = ownedOfFeed(entries, model)
    const owned: Reader['owned'] = (accounts) => {
      asked.push(accounts)
      return answer(accounts)
    }
    const reads = new OwnedReads({ model, reader: { owned } })
    const accounts = accountsIn(stateAt(entries, 100)).slice(0, 3)
    const twice = [...accounts, ...accounts]
    await Promise.all(twice.map((account) => reads.look({ account }, () => {})))
    await Promise.all(twice.map((account) => reads.look({ account }, () => {})))
    assert.deepEqual(asked, [accounts])
  })

  test('an account that no request waits for is dropped as it came', async () => {
    const entries = makeFeed(seed, 100)
    const model = modelAt(entries, 100)
    const reads = new OwnedReads({ model, reader: { owned: ownedOfFeed(entries, model) } })
    const [first, second] = accountsIn(stateAt(entries, 100)) as [number, number]
    await reads.look({ account: first }, () => {})
    for (const account of [first, second])
      await reads.look({ account }, () => assert.ok(model.owned.has(account)), { isPassing: true })
    assert.deepEqual([model.owned.has(first), model.owned.has(second)], [true, false])
  })

  test('an account is read again when the model is reloaded', async () => {
    const entries = makeFeed(seed, 100)
    const model = modelAt(entries, 90)
    let isSlow = true
    const owned: Reader['owned'] = async (accounts) => {
      if (isSlow) model.load({ ...emptySnapshot(), seq: 100 })
      isSlow = false
      return ownedOfFeed(entries, model)(accounts)
    }
    const reads = new OwnedReads({ model, reader: { owned } })
    const [account = 0] = accountsIn(stateAt(entries, 100))
    await reads.look({ account }, () =>
      assert.deepEqual(ownedBy(model.state, account), ownedBy(stateAt(entries, 100), account)),
    )
    assert.equal(model.owned.size, 1)
  })
})

describe('records of accounts that cannot be read', () => {
  const entries = makeFeed(seed, 100)
  const model = () => modelAt(entries, 90)
  const [account = 0] = accountsIn(stateAt(entries, 90))

  test('a read of an account is refused with 503 while the database does not answer, and published when it does', async () => {
    const venue = model()
    let isDown = true
    const answer = ownedOfFeed(entries, venue)
    const owned: Reader['owned'] = async (accounts) => {
      if (isDown) throw new Error('down')
      return answer(accounts)
    }
    const reads = new OwnedReads({ model: venue, reader: { owned } })
    await assert.rejects(
      reads.look({ account }, () => 0),
      refusedWith503,
    )
    isDown = false
    assert.equal(await reads.look({ account }, () => 1), 1)
  })

  test('a read of an account is refused with 503 while the database is behind the feed', async () => {
    const venue = model()
    const reads = new OwnedReads({
      model: venue,
      reader: { owned: ownedOfFeed(entries, { seq: 80 }) },
    })
    await assert.rejects(
      reads.look({ account }, () => 0),
      refusedWith503,
    )
    assert.equal(venue.owned.joins.size, 0)
  })

  test("a read of an account is refused with 503 while the feed does not reach the database's block", async () => {
    const venue = model()
    const reader = { owned: ownedOfFeed(entries, { seq: 100 }) }
    const reads = new OwnedReads({ model: venue, reader, joinMsMax: 1 })
    // Keeps the process alive: a pending read does not.
    const alive = setInterval(() => {}, 1000)
    await assert.rejects(
      reads.look({ account }, () => 0),
      refusedWith503,
    )
    clearInterval(alive)
    assert.equal(venue.owned.joins.size, 0)
  })
})

describe('accounts in the model', () => {
  const entries = makeFeed(seed, 100)
  const all = stateAt(entries, 100)

  test('accounts in the model keep to their maximum: the least recently used leave, then the last requested', async () => {
    const state = emptyState()
    const owned = new OwnedRecords({ state, seq: 100 }, { accounts: 2, records: 1000 })
    const hold = async (account: number) => {
      const reading = await ownedOfFeed(entries, { seq: 100 })([account])
      owned.joins.arrive(owned.joins.begin(account), { seq: reading.seq, rows: reading.rows })
    }
    const [a, b, c, d] = accountsIn(all) as [number, number, number, number]
    await hold(a)
    const release = owned.pin(a)
    await hold(b)
    await hold(c)
    assert.deepEqual(
      [a, b, c].map((account) => owned.has(account)),
      [true, false, true],
    )
    release()
    owned.use(c)
    await hold(d)
    assert.deepEqual(
      [a, b, c, d].map((account) => owned.has(account)),
      [false, false, true, true],
    )
    for (const account of [a, b])
      assert.deepEqual(ownedBy(state, account), ownedBy(emptyState(), account))
    for (const account of [c, d]) assert.deepEqual(ownedBy(state, account), ownedBy(all, account))
    assert.equal(
      owned.records,
      OWNED_KINDS.reduce((sum, what) => sum + state.records[what].size, 0),
    )
  })

  test('accounts in the model keep to their maximum of records, whatever the feed brings', () => {
    const model = { state: emptyState(), seq: 0 }
    const limits = { accounts: 1000, records: 8 }
    const owned = new OwnedRecords(model, limits)
    for (const { seq, changes } of entries) {
      fold(model.state, owned.kept(seq, changes))
      model.seq = seq
      owned.settle()
      assert.ok(owned.records <= limits.records, `${owned.records} at ${seq}`)
      assert.equal(
        owned.records,
        OWNED_KINDS.reduce((sum, what) => sum + model.state.records[what].size, 0),
      )
    }
  })
})
