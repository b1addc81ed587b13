// A sub-account's address has the same pages as a wallet.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { scenario } from '@openvenue/core/test/scenario/scenario'
import { type HistoryNode, historyNode } from '../../test/history-node.ts'

const { id: market } = LISTINGS['ETH-PERP']
const INDEX = 7

/** Alice opens a sub-account of index 7, gives it 400, and it buys of bob and rests a bid. */
const subScenario = () => {
  const chain = scenario()
    .index('ETH', 3000n * E18)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', 1000n)
    .deposit('bob', 'USDC', 1000n)
    .next()
  const [owner, account] = [chain.accountOf('alice'), chain.accountOf('sub')]
  const wallet = `0x${owner.toString(16).padStart(40, 'c')}`
  return chain
    .say({ type: 'SubAccountOpened', account, owner: wallet, index: INDEX })
    .next()
    .transfer('alice', 'sub', { symbol: 'USDC', whole: 400n })
    .place('bob', 'sell', 30_000, 10n)
    .place('sub', 'buy', 30_000, 10n)
    .place('sub', 'buy', 29_000, 5n)
    .next()
    .say({ type: 'LeverageSet', market, account, leverage: 5 })
    .place('bob', 'buy', 30_100, 10n)
    .place('sub', 'sell', 30_100, 10n)
    .next()
    .place('bob', 'sell', 30_000, 2n)
    .place('sub', 'buy', 30_000, 2n)
    .next()
}

let node: HistoryNode
before(async () => {
  node = await historyNode(subScenario())
})
after(() => node.close())

type Row = Readonly<Record<string, unknown>>

const readRows = async (who: string, path: string, member?: string): Promise<readonly Row[]> => {
  const { status, body } = await node.ask(who, path)
  assert.equal(status, 200, path)
  return (member === undefined ? body : (body as Record<string, unknown>)[member]) as Row[]
}

test('the store knows the owner of a sub-account', async () => {
  const { history } = node.store
  assert.equal((await history.ownerOf(node.walletOf('sub'))).rows, node.walletOf('alice'))
})

for (const [path, member, count] of [
  ['/positions', 'positions', 1],
  ['/open-orders', 'orders', 1],
  ['/orders', undefined, 1],
  ['/trade-history', 'trade_history', 3],
  ['/order-history', 'order_history', 3],
  ['/position-history', 'position_history', 1],
] as const)
  test(`${path} of a sub-account names the sub-account, and that of its owner has none of its rows`, async () => {
    const rows = await readRows('sub', path, member)
    assert.equal(rows.length, count)
    // A position is shown without its account.
    for (const row of rows) assert.equal(row.account ?? node.walletOf('sub'), node.walletOf('sub'))
    assert.deepEqual(await readRows('alice', path, member), [])
  })

test('a transfer to a sub-account is a send for its owner and a receive for the sub-account', async () => {
  const brief = async (who: string) => {
    const rows = await readRows(who, '/transaction-history', 'transaction_history')
    return rows.map(({ tx_type, amount, counter_party }) => [tx_type, amount, counter_party])
  }
  assert.deepEqual(await brief('sub'), [['receive', '400', node.walletOf('alice')]])
  assert.deepEqual((await brief('alice'))[0], ['send', '400', node.walletOf('sub')])
})

test("the paths of a sub-account's address are open only to its own keys", async () => {
  const path = `/account/${node.walletOf('sub')}/trade-history`
  assert.equal((await node.ask('sub', path)).status, 200)
  assert.equal((await node.ask('alice', path)).status, 403)
})
