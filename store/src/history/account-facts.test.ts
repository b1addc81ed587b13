import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BlockChanges } from '@openvenue/core/changes'
import type { Account, FundingPayment, Transfer } from '@openvenue/core/records'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import fc from 'fast-check'
import { type TestDatabase as Database, testEngines } from '../../test/engines.ts'
import { replay } from '../../test/replay.ts'
import { busiest, collectRows, compare, edgeSeconds } from '../../test/scenario-rows.ts'
import type { Store } from '../store.ts'
import { TRANSFER_TYPES, type TransferQuery } from './account-history.ts'

const seed = Number(process.env.SEED ?? 1)
const RUNS = 60
const scenario = replay(randomScenario(seed, 400)).blocks

for (const engine of testEngines(process.env.DATABASE_URL)) {
  describe(`money and names of accounts on ${engine.name}, seed ${seed}`, () => {
    let database: Database
    let store: Store
    before(async () => {
      database = await engine.createDatabase()
      store = await database.open()
      await store.writer.commit(scenario, 0)
    })
    after(async () => {
      await store.close()
      await database.remove()
    })

    test('transfers of an account are read by type and time, from either end, after an offset', () => {
      const all = collectRows<Transfer>(scenario, 'transfer')
      assert.deepEqual([...new Set(all.map(({ type }) => type))].sort(), [...TRANSFER_TYPES].sort())
      return fc.assert(
        fc.asyncProperty(transferQueries(all), async (query) => {
          const rows = all
            .filter(({ account }) => account === query.account)
            .filter(({ type }) => (query.types as readonly string[]).includes(type))
            .filter(({ seconds }) => seconds >= query.fromSeconds && seconds <= query.toSeconds)
            .sort((a, b) => compare([a.seconds, a.id], [b.seconds, b.id]))
          if (!query.isAscending) rows.reverse()
          assert.deepEqual(
            (await store.history.transfers(query)).rows,
            rows.slice(query.offset, query.offset + query.limit),
          )
        }),
        { seed, numRuns: RUNS },
      )
    })

    test('funding payments of an account are read newest first, up to a limit', async () => {
      const all = collectRows<FundingPayment>(scenario, 'fundingPayment')
      const account = busiest(all)
      const accountRows = all
        .filter((row) => row.account === account)
        .sort((a, b) => compare([b.seconds, b.id], [a.seconds, a.id]))
      assert.ok(accountRows.length > 5, `${accountRows.length} payments`)
      assert.deepEqual((await store.history.fundingPayments(account, 1000)).rows, accountRows)
      assert.deepEqual(
        (await store.history.fundingPayments(account, 3)).rows,
        accountRows.slice(0, 3),
      )
      assert.deepEqual((await store.history.fundingPayments(999, 3)).rows, [])
    })

    test('a wallet has an account number, and the number its wallet, until the chain undoes it', async () => {
      const [first, second] = collectRows<Account>(scenario, 'account') as [Account, Account]
      const { history, writer } = store
      assert.equal((await history.accountNumber(second.wallet)).rows, second.account)
      assert.equal((await history.accountNumber('0xnobody')).rows, undefined)
      const { rows: wallets } = await history.readWallets([second.account, 999_999, first.account])
      assert.deepEqual([...wallets].sort(byNumber), [
        [first.account, first.wallet],
        [second.account, second.wallet],
      ])
      assert.deepEqual((await history.readWallets([])).rows, new Map())
      const last = { account: 777_777, wallet: second.wallet, openedSeconds: 1 }
      const { header } = scenario.at(-1) as BlockChanges
      const next = { ...header, number: header.number + 1, hash: '0xn', parentHash: header.hash }
      const change = { what: 'account', key: '777777', before: undefined, after: last } as const
      await writer.commit([{ header: next, changes: [change] }], 0)
      assert.equal((await history.accountNumber(second.wallet)).rows, second.account)
      assert.equal(
        (await history.readWallets([last.account])).rows.get(last.account),
        second.wallet,
      )
      await writer.undoTo(header.number)
      assert.deepEqual((await history.readWallets([last.account])).rows, new Map())
    })

    test('a sub-account has an owner until the chain undoes it, and other addresses have none', async () => {
      const [owner] = collectRows<Account>(scenario, 'account') as [Account]
      const { history, writer } = store
      const { header } = scenario.at(-1) as BlockChanges
      const next = { ...header, number: header.number + 1, hash: '0xs', parentHash: header.hash }
      const account = 777_778
      const opened = { account, wallet: '0x5b', openedSeconds: 1 }
      const sub = { account, owner: owner.wallet, index: 3, openedSeconds: 1 }
      const key = String(account)
      const live = { key: '0x5c', account, expirySeconds: 4_000_000_000, isRevoked: false }
      const dead = { ...live, key: '0x5d', isRevoked: true }
      await writer.commit(
        [
          {
            header: next,
            changes: [
              { what: 'account', key, before: undefined, after: opened },
              { what: 'subAccount', key, before: undefined, after: sub },
              { what: 'key', key: live.key, before: undefined, after: live },
              { what: 'key', key: dead.key, before: undefined, after: dead },
            ],
          },
        ],
        0,
      )
      assert.equal((await history.ownerOf('0x5b')).rows, owner.wallet)
      assert.equal((await history.ownerOf(owner.wallet)).rows, undefined)
      assert.equal((await history.ownerOf('0xnobody')).rows, undefined)
      for (const { key: address, ...expected } of [live, dead])
        assert.deepEqual((await history.signingKey(address)).rows, expected)
      assert.equal((await history.signingKey('0xnobody')).rows, undefined)
      await writer.undoTo(header.number)
      assert.equal((await history.signingKey('0x5c')).rows, undefined)
      assert.equal((await history.ownerOf('0x5b')).rows, undefined)
    })
  })
}

const byNumber = ([a]: readonly [number, string], [b]: readonly [number, string]) => a - b

const transferQueries = (all: readonly Transfer[]): fc.Arbitrary<TransferQuery> =>
  fc.record({
    account: fc.constantFrom(...new Set(all.map(({ account }) => account)), 999),
    types: fc.shuffledSubarray([...TRANSFER_TYPES]),
    fromSeconds: fc.oneof(fc.constant(0), fc.constantFrom(...edgeSeconds(all))),
    toSeconds: fc.oneof(fc.constant(2 ** 40), fc.constantFrom(...edgeSeconds(all))),
    isAscending: fc.boolean(),
    offset: fc.constantFrom(0, 1, 3, 50),
    limit: fc.constantFrom(1, 2, 10, 1000),
  })
