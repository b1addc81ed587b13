import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TOKENS } from '@openvenue/core/test/scenario/listing'
import { SCENARIO_START_SECONDS as START } from '@openvenue/core/test/scenario/scenario'
import type { Problem } from '@openvenue/wire/field'
import { type TransactionHistory as Page, TransactionHistory } from '@openvenue/wire/transactions'
import { Value } from 'typebox/value'
import { funded } from '../../test/funded.ts'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'
import { windowsAt } from '../model/snapshot-windows.ts'

const MINUTE = 60
const WINDOWS = windowsAt(0)
const minute = (n: number) => START + n * MINUTE

/** Erin's funds, one move a minute. */
function fundsScenario() {
  const scenario = funded('ETH-USDC')
    .next(MINUTE - 1)
    .on('ETH-USDC')
  scenario.deposit('erin', 'USDC', 1000n).next(MINUTE)
  scenario.deposit('erin', 'ETH', 5n).next(MINUTE)
  scenario.withdraw('erin', 'USDC', 300n).next(MINUTE)
  scenario.transfer('erin', 'bob', { symbol: 'USDC', whole: 40n }).next(MINUTE)
  scenario.transfer('alice', 'erin', { symbol: 'ETH', whole: 2n }).next(MINUTE)
  return scenario
}

describe('GET /transaction-history', () => {
  let node: HistoryNode
  before(async () => {
    node = await historyNode(fundsScenario())
  })
  after(() => node.close())

  const readPage = async (query = '', who = 'erin'): Promise<Page> => {
    const { status, body } = await node.ask(who, `/transaction-history${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Value.Check(TransactionHistory, body))
    return body
  }
  const minutes = async (query: string) =>
    (await readPage(query)).transaction_history.map(
      ({ finalized_timestamp }) => (Number(finalized_timestamp.slice(0, -9)) - START) / MINUTE,
    )

  test('GET /transaction-history reports deposits, withdrawals and transfers, newest first', async () => {
    const { transaction_history: rows } = await readPage()
    assert.deepEqual(
      rows.map(({ tx_type, collateral_asset, amount, counter_party, recipient }) => [
        tx_type,
        collateral_asset,
        amount,
        counter_party,
        recipient,
      ]),
      [
        ['receive', 'ETH', '2', node.walletOf('alice'), null],
        ['send', 'USDC', '40', node.walletOf('bob'), null],
        ['withdraw', 'USDC', '300', null, node.walletOf('erin')],
        ['deposit', 'ETH', '5', null, null],
        ['deposit', 'USDC', '1000', null, null],
      ],
    )
  })

  test('a transaction names its token, chain and block', async () => {
    const [row] = (await readPage('?tx_type=withdraw')).transaction_history
    assert.ok(row)
    const { tx_hash, block_number, ...rest } = row
    assert.match(tx_hash, /^0x[0-9a-f]{64}$/)
    assert.equal(block_number, 5)
    assert.deepEqual(rest, {
      account: node.walletOf('erin'),
      tx_type: 'withdraw',
      tx_status: 'finalized',
      collateral: TOKENS.USDC.address,
      collateral_asset: 'USDC',
      collateral_name: 'USD Coin',
      decimals: 6,
      amount: '300',
      counter_party: null,
      recipient: node.walletOf('erin'),
      l1_tx_hash: null,
      l2_tx_hash: tx_hash,
      chain_id: 5_042_002,
      initiated_timestamp: `${minute(3)}000000000`,
      finalized_timestamp: `${minute(3)}000000000`,
    })
  })

  test('a transfer is a send for one account and a receive for the other', async () => {
    const [row] = (await readPage('?tx_type=receive', 'bob')).transaction_history
    assert.deepEqual([row?.amount, row?.counter_party], ['40', node.walletOf('erin')])
  })

  for (const [query, expected] of [
    ['', [5, 4, 3, 2, 1]],
    ['?tx_type=deposit', [2, 1]],
    ['?tx_type=withdraw', [3]],
    ['?tx_type=send', [4]],
    ['?tx_type=receive', [5]],
    ['?sort_order=ASC', [1, 2, 3, 4, 5]],
    ['?sort_order=asc', [5, 4, 3, 2, 1]],
    ['?sort_order=DESC', [5, 4, 3, 2, 1]],
    ['?sort_order=', [5, 4, 3, 2, 1]],
    [`?start_time=${minute(4)}`, [5, 4]],
    [`?end_time=${minute(2)}000`, [2, 1]],
    [`?start_time=${minute(2)}000000000&end_time=${minute(3)}`, [3, 2]],
    ['?tx_status=finalized', [5, 4, 3, 2, 1]],
    ['?tx_status=initiated', []],
    ['?tx_status=FINALIZED', []],
    ['?tx_status=', []],
    ['?limit=2', [5, 4]],
    ['?limit=2&offset=1', [4, 3]],
    ['?offset=4', [1]],
    ['?offset=5', []],
    ['?limit=1001', [5, 4, 3, 2, 1]],
    ['?sort_order=ASC&limit=1&offset=1', [2]],
  ] as const)
    test(`GET /transaction-history${query} gives the moves of minutes ${JSON.stringify(expected)}`, async () => {
      assert.deepEqual(await minutes(query), expected)
    })

  for (const [query, count] of [
    ['', '50'],
    ['?limit=7&offset=30', '37'],
    ['?limit=5000', '1000'],
    ['?offset=100000', '100050'],
    ['?tx_status=initiated&limit=3', '3'],
  ] as const)
    test(`GET /transaction-history${query} has the count ${count}: limit and offset together`, async () => {
      assert.equal((await readPage(query)).count, count)
      assert.equal((await readPage(query, 'zoe')).count, count)
    })

  for (const [query, error, detail] of [
    [
      '?tx_type=gift',
      'INVALID_PARAMETER',
      { field: 'tx_type', allowed: ['deposit', 'withdraw', 'send', 'receive'] },
    ],
    ['?limit=0', 'INVALID_PARAMETER', { field: 'limit', nearest: 1 }],
    ['?offset=-1', 'INVALID_PARAMETER', { field: 'offset', nearest: 0 }],
    ['?offset=100001', 'INVALID_PARAMETER', { field: 'offset', nearest: 100_000 }],
    ['?start_time=2&end_time=1', 'INVALID_TIME_RANGE', { field: 'start_time' }],
    ['?start_time=today', 'INVALID_PARAMETER', { field: 'start_time' }],
  ] as const)
    test(`GET /transaction-history${query} is refused with ${error}`, async () => {
      const { status, body } = await node.ask('erin', `/transaction-history${query}`)
      const { error: code, details } = body as Problem
      assert.deepEqual([status, code], [400, error])
      const named: Record<string, unknown> = { ...details?.[0] }
      for (const [field, value] of Object.entries(detail)) assert.deepEqual(named[field], value)
    })

  test('GET /transaction-history has the block it is of', async () => {
    const { headers } = await node.ask('erin', '/transaction-history')
    assert.equal(headers['x-block-number'], String(node.node.model.head?.number))
  })

  test('GET /transaction-history at the path of the address gives the same answer, only to its owner', async () => {
    const path = `/account/${node.walletOf('erin')}/transaction-history`
    const { text } = await node.ask('erin', path)
    assert.equal(text, (await node.ask('erin', '/transaction-history')).text)
    assert.equal((await node.ask('bob', path)).status, 403)
    assert.equal((await node.node.get(path)).status, 401)
  })

  test('GET /transaction-history is empty for an account that the chain does not know', async () => {
    assert.deepEqual((await readPage('', 'zoe')).transaction_history, [])
  })

  test('GET /transaction-history answers 503 while the database is unavailable', async () => {
    for (const name of ['transfers', 'readWallets', 'accountNumber'] as const) {
      node.away.add(name)
      node.node.model.load(await node.store.reader.snapshot(WINDOWS))
      const { status, body } = await node.ask('erin', '/transaction-history')
      node.away.clear()
      assert.deepEqual([status, (body as Problem).error], [503, 'HISTORY_UNAVAILABLE'], name)
    }
  })
})
