import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SPOT_ENGINE, TOKENS } from '../test/scenario/listing.ts'
import { replay, writtenRecords } from '../test/scenario/replay.ts'
import { scenario } from '../test/scenario/scenario.ts'

const { all } = replay(
  scenario()
    .list('ETH-USDC')
    .deposit('alice', 'USDC', 9n)
    .transfer('alice', 'bob', { symbol: 'USDC', whole: 5n })
    .withdraw('bob', 'USDC', 2n)
    .blocks(),
)
const rows = writtenRecords(all, 'transfer')
const wallets = new Map(
  writtenRecords(all, 'account').map(({ account, wallet }) => [account, wallet]),
)

describe('a movement of tokens', () => {
  test('a movement of tokens yields one row for a deposit or withdrawal, with its recipient', () => {
    const facts = rows
      .filter(({ counterparty }) => counterparty === null)
      .map(({ type, account, amount, recipient }) => ({ type, account, amount, recipient }))
    assert.deepEqual(facts, [
      { type: 'deposit', account: 3, amount: 9_000_000n, recipient: null },
      { type: 'withdraw', account: 4, amount: 2_000_000n, recipient: wallets.get(4) },
    ])
  })

  test('between two accounts yields a row for each, which refer to one another', () => {
    const [sent, received, ...more] = rows.filter(({ counterparty }) => counterparty !== null)
    assert.deepEqual(more, [])
    const position = sent?.id.slice(0, -2)
    assert.deepEqual([sent?.id, received?.id], [`${position}-s`, `${position}-r`])
    assert.match(position ?? '', /^\d{12}-\d{6}$/)
    const { id: _, ...other } = received ?? {}
    assert.deepEqual(sent, {
      ...other,
      id: `${position}-s`,
      type: 'send',
      account: 3,
      counterparty: 4,
    })
    assert.deepEqual([received?.type, received?.account, received?.counterparty], ['receive', 4, 3])
    assert.equal(sent?.engine, SPOT_ENGINE)
    assert.deepEqual([sent?.token, sent?.amount], [TOKENS.USDC.address, 5_000_000n])
  })
})
