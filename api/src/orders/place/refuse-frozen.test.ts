// Orders under market-maker protection, at nodes that are notified at once.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { funded } from '../../../test/funded.ts'
import { type TradingNodes, tradingNodes } from '../../../test/trading-node.ts'

describe('orders under frozen protection', () => {
  let venue: TradingNodes
  const scenario = funded('ETH-USDC')
  const account = scenario.accountOf('alice')
  before(async () => {
    venue = await tradingNodes(scenario, { nodes: 2 })
  })
  after(() => venue.close())

  const place = async (node: number, terms: object) => {
    const body = await venue.orderOf('alice', terms)
    const { status, body: answer } = await venue.send('alice', 'POST /orders', { node, body })
    return { status, error: (answer as { error?: string }).error }
  }
  const rule = async () => (await venue.store.safeguards.readMmp(account)).rules[0]
  /** Waits until `holds` is true of every node. */
  const every = async (holds: (frozenMs: number | undefined) => boolean) => {
    const isKnown = () =>
      venue.hosts.every(({ safeguardBook }) => holds(safeguardBook.frozenMs(account, 'ETH')))
    await until('every node knows the freeze', isKnown)
  }

  test('orders under frozen protection are refused by every node until it is reset, and no others', async () => {
    const wallet = venue.walletOf('alice')
    const settings = { account, wallet, asset: 'ETH', intervalSeconds: 1, frozenSeconds: 0 }
    await venue.store.safeguards.setMmp({ ...settings, amountLimit: 1n, deltaLimit: undefined })
    assert.equal((await place(0, { mmp: true })).status, 200)
    const set = await rule()
    assert.ok(set !== undefined && (await venue.store.safeguards.freezeMmp(set)))
    await every((ms) => ms === Number.POSITIVE_INFINITY)
    for (const node of [0, 1])
      assert.deepEqual(await place(node, { mmp: true }), { status: 409, error: 'MMP_FROZEN' })
    assert.equal((await place(0, {})).status, 200)
    await venue.store.safeguards.resetMmp(account, 'ETH')
    await every((ms) => ms === undefined)
    assert.equal((await place(1, { mmp: true })).status, 200)
  })

  test('orders under frozen protection are refused until the rule thaws', async () => {
    const wallet = venue.walletOf('alice')
    const settings = { account, wallet, asset: 'ETH', intervalSeconds: 1, frozenSeconds: 60 }
    await venue.store.safeguards.setMmp({ ...settings, amountLimit: 1n, deltaLimit: undefined })
    const set = await rule()
    assert.ok(set !== undefined && (await venue.store.safeguards.freezeMmp(set)))
    await every((ms) => ms !== undefined && ms > 50_000 && ms <= 60_000)
  })
})
