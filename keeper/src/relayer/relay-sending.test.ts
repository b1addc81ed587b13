// Sender features used by the relayer: fixed gas, a check before each version, and a tip per lane.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { wallClock } from '../../test/clock.ts'
import { WrittenNode } from '../../test/fake-node.ts'
import { CHAIN_ID, derivePrivateKey, SENDER_INDEX } from '../../test/live-sender.ts'
import { type TxRequest, UNWANTED } from '../pending-tx.ts'
import { TxSender, type TxSenderOptions } from '../tx-sender.ts'

const quiet = () => {}

describe('a sender of a lane', () => {
  let stop = async () => {}
  afterEach(() => stop())

  const start = (node: WrittenNode, more: Partial<TxSenderOptions> = {}) => {
    const stopping = new AbortController()
    const failures: string[] = []
    const sender = new TxSender({
      node,
      clock: { ...wallClock, delay: (ms, signal) => wallClock.delay(Math.min(ms, 2), signal) },
      chainId: CHAIN_ID,
      mayAct: () => true,
      account: privateKeyToAccount(derivePrivateKey(SENDER_INDEX)),
      watch: {
        sent: quiet,
        replaced: quiet,
        resent: quiet,
        capped: quiet,
        foreign: quiet,
        pending: quiet,
        rejected: quiet,
        failed: (error) => void failures.push(String(error)),
        answered: () => {},
      },
      ...more,
    })
    const running = sender.run(stopping.signal)
    stop = async () => {
      stopping.abort()
      await running
    }
    return { sender, failures }
  }
  const call = (more: Partial<TxRequest> = {}): TxRequest => ({
    to: `0x${'ab'.repeat(20)}`,
    data: '0x12',
    description: 'a batch',
    gas: 123_456n,
    ...more,
  })

  test('a call with a gas limit of its own is sent without an estimate', async () => {
    const node = new WrittenNode()
    const { sender } = start(node)
    assert.equal((await sender.send(call())).kind, 'included')
    assert.deepEqual(node.asked, [])
    assert.deepEqual(
      node.given.map(({ gas }) => gas),
      [123_456n],
    )
  })

  test('a caller is asked with the hash before its call is sent, and may decline', async () => {
    const node = new WrittenNode()
    const { sender } = start(node)
    const hashes: Hex[] = []
    const onSigned = async (hash: Hex) => {
      assert.equal(node.given.length, hashes.length > 0 ? 1 : 0, 'before it goes out')
      return hashes.push(hash) === 1
    }
    const done = await sender.send(call({ onSigned }))
    assert.ok(done.kind === 'included' && done.hash === hashes[0])
    const refused = await sender.send(call({ onSigned }))
    assert.deepEqual(refused, { kind: 'refused', reason: { name: UNWANTED, args: [] } })
    assert.equal(node.given.length, 1)
    assert.equal((await sender.send(call())).kind, 'included')
    assert.deepEqual(
      node.given.map(({ nonce }) => nonce),
      [0, 1],
      'no nonce is left out',
    )
  })

  test('a call is not sent while the check of its hash fails, and is sent once it succeeds', async () => {
    const node = new WrittenNode()
    const { sender, failures } = start(node)
    let isAway = true
    const onSigned = async () => {
      if (isAway) throw new Error('the database is away')
      return true
    }
    const outcome = sender.send(call({ onSigned }))
    await until('it has asked often', () => failures.length > 2)
    assert.equal(node.given.length, 0)
    isAway = false
    assert.equal((await outcome).kind, 'included')
    assert.equal(node.given.length, 1)
  })

  test('a sender offers the tip of its lane', async () => {
    const node = new WrittenNode()
    const { sender } = start(node, { tipOf: (tip) => 2n * tip + 1_000n })
    await sender.send(call())
    // Twice the base fee of 100, plus the tip.
    assert.equal(node.given[0]?.maxFee, 200n + 1_002n)
  })
})
