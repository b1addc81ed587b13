import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AccountObject } from '@openvenue/wire/account'
import { settled, walletOf } from '../../../test/channel-node.ts'
import { assertShape } from '../../../test/channel-shape.ts'
import { funded } from '../../../test/funded.ts'
import { ownChannels } from '../../../test/own-channels.ts'
import { ownPart } from './account.ts'

const CACHE_MS = 2000

/** The account channel of alice, who is rich at both engines. */
async function live(name: string) {
  const scenario = funded('ETH-USDC', 'ETH-PERP')
  const settings = { accountCacheMs: CACHE_MS }
  const { feed, node, follow: next, wallet } = ownChannels(scenario, settings)
  const channel = node.open(name, wallet)
  const first = await channel.snapshot()
  const pass = async (ms: number) => {
    node.pass(ms)
    await settled()
    return channel.take()
  }
  return { scenario, feed, node, next, channel, first, pass, wallet }
}

for (const name of ['account', 'balances'])
  describe(name, () => {
    test(`the ${name} channel begins with the account object`, async () => {
      const { node, first, wallet } = await live(name)
      assert.equal(first.channel, name)
      assert.equal(first.data.account.account, wallet)
      assert.equal(first.data.account.balance, '1000000000')
      assert.deepEqual([first.seq, first.block_number], [node.model.seq, node.model.head?.number])
      assertShape(first)
    })

    test('the account channel sends the current account again after a change', async () => {
      const { scenario, next, node, pass, first } = await live(name)
      assert.deepEqual(await pass(CACHE_MS), [], 'nothing changed it')
      scenario.on('ETH-PERP').deposit('alice', 'USDC', 7n)
      next()
      const [frame, ...others] = await pass(50)
      assert.deepEqual(others, [])
      assert.equal(frame?.data.account.balance, '1000000007')
      assert.deepEqual([frame?.seq, frame?.prev_seq], [node.model.seq, first.seq])
      scenario.deposit('bob', 'USDC', 7n)
      next()
      assert.deepEqual(await pass(CACHE_MS), [], 'another account')
    })

    test(`the ${name} channel sends at most one message every 500 ms, and never data read before the change`, async () => {
      const { scenario, next, pass } = await live(name)
      await pass(CACHE_MS)
      scenario.on('ETH-PERP').deposit('alice', 'USDC', 7n)
      next()
      assert.equal((await pass(50)).length, 1)
      scenario.deposit('alice', 'USDC', 1n)
      next()
      assert.deepEqual(await pass(499), [])
      assert.deepEqual(await pass(1), [], 'the object is kept for a moment')
      const frames = await pass(CACHE_MS)
      assert.deepEqual(
        frames.map(({ data }) => data.account.balance),
        ['1000000008'],
      )
    })

    test('the account channel begins with a cached object, names its entry, and corrects it', async () => {
      const { scenario, next, node, channel, pass, first } = await live(name)
      channel.close()
      scenario.on('ETH-PERP').deposit('alice', 'USDC', 7n)
      next()
      const again = node.open(name, walletOf(scenario, 'alice'))
      const kept = await again.snapshot()
      assert.equal(kept.seq, first.seq)
      assert.equal(kept.data.account.balance, '1000000000')
      await pass(CACHE_MS)
      const [frame] = again.take()
      assert.deepEqual([frame?.prev_seq, frame?.seq], [kept.seq, node.model.seq])
      assert.equal(frame?.data.account.balance, '1000000007')
    })
  })

test('an account in one of 200 markets is sent only that one', () => {
  const every = Array.from({ length: 200 }, (_, index) => `A${index}`)
  const object = {
    positions: [{ asset: 'A7', instrument_name: 'A7-PERP' }],
    collaterals: [{ collateral_asset: 'A9' }],
    leverages: every.map((asset) => ({
      instrument_name: `${asset}-PERP`,
      leverage: asset === 'A8' ? '3' : '20',
      max_leverage: '20',
    })),
    fee_structures: every.map((asset) => ({ asset })),
  }
  const { leverages, fee_structures } = ownPart(object as unknown as AccountObject)
  assert.deepEqual(
    leverages.map(({ instrument_name }) => instrument_name),
    ['A7-PERP', 'A8-PERP'],
  )
  assert.deepEqual(
    fee_structures.map(({ asset }) => asset),
    ['A7', 'A9'],
  )
})
