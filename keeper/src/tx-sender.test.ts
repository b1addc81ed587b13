import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { until } from '@openvenue/core/test/until'
import { AnvilVenue } from '@openvenue/indexer/test/anvil-venue'
import { nodeAt } from '@openvenue/runtime/node'
import { encodeFunctionData, parseTransaction } from 'viem'
import {
  countPooled,
  opened,
  opening,
  type RunningSender,
  SENDER_INDEX,
  startSender,
} from '../test/live-sender.ts'
import type { TxResult } from './pending-tx.ts'
import { reasonText } from './reason.ts'
import { PENDING_MAX, type TxSenderOptions } from './tx-sender.ts'

/** Virtual milliseconds: twenty polls of the sender, about 150 ms of real time. */
const STUCK_MS = 3_000
const GWEI = 1_000_000_000n
const HIGH_FEE = `0x${(200n * GWEI).toString(16)}`

describe('a sender on a chain that mines when asked', () => {
  let venue: AnvilVenue
  let listed: number
  const running = new Set<RunningSender>()
  beforeEach(async () => {
    venue = await AnvilVenue.start()
    listed = (await venue.head()).number
  })
  afterEach(async () => {
    for (const { stop } of running) await stop()
    running.clear()
    await venue.stop()
  })

  const start = (more: Partial<TxSenderOptions> = {}) => {
    const started = startSender(venue, { stuckMs: STUCK_MS, ...more })
    running.add(started)
    return started
  }
  const mine = () => venue.call('evm_mine')
  const nonce = async () =>
    Number(await venue.call('eth_getTransactionCount', venue.wallets[SENDER_INDEX], 'latest'))

  /** Leaves a transaction of a previous sender whose fee blocks no longer accept. */
  const leaveStuck = async () => {
    const former = start()
    void former.sender.send(opening(venue, 0))
    await until('it waits in the pool', async () => (await countPooled(venue)) === 1)
    await former.stop()
    await venue.call('anvil_setNextBlockBaseFeePerGas', HIGH_FEE)
    await mine()
  }
  /** Mines until the outcome of a call is known. */
  const minedOutcome = async (sending: Promise<TxResult>) => {
    const settled: { outcome?: TxResult } = {}
    sending.then((outcome) => {
      settled.outcome = outcome
    }, assert.fail)
    await until('it is known what became of it', async () => {
      await mine()
      return settled.outcome !== undefined
    })
    return sending
  }

  test('a call has its outcome once it is in a block', async () => {
    const { sender, reports } = start()
    const sending = sender.send(opening(venue, 0))
    await until('it waits in the pool', async () => (await countPooled(venue)) === 1)
    await mine()
    const outcome = await sending
    assert.equal(outcome.kind, 'included')
    assert.equal(await opened(venue, 1), 1)
    assert.deepEqual(reports, ['sent 0'])
  })

  test('a call that would revert is not sent, and its error is named', async () => {
    const { sender, reports } = start()
    const data = encodeFunctionData({ abi: perpsAbi, functionName: 'poke', args: [77] })
    const outcome = await sender.send({ to: venue.deployment.perps, data, description: 'a poke' })
    assert.equal(outcome.kind === 'refused' && reasonText(outcome.reason), 'MarketUnknown(77)')
    assert.equal(await countPooled(venue), 0)
    assert.deepEqual(reports, [])
  })

  test('a call that reverts in its block reports the name of its error', async () => {
    const { sender } = start()
    // Both succeed on the newest block; the second comes too soon after the first.
    const data = encodeFunctionData({ abi: perpsAbi, functionName: 'poke', args: [1] })
    const call = { to: venue.deployment.perps, data, description: 'a poke' }
    const sending = sender.sendAll([call, call])
    await until('both wait', async () => (await countPooled(venue)) === 2)
    await mine()
    const [first, second] = await sending
    assert.equal(first?.kind, 'included')
    assert.equal(second?.kind === 'reverted' && second.reason.name, 'PokeTooSoon')
  })

  test(`at most ${PENDING_MAX} transactions are pending, and all are included in order`, async () => {
    const { sender, reports } = start()
    const count = 2 * PENDING_MAX + 3
    const sending = Promise.all(
      Array.from({ length: count }, (_, n) => sender.send(opening(venue, n))),
    )
    await until('the pool has its share', async () => (await countPooled(venue)) === PENDING_MAX)
    let isOver = false
    sending.then(() => {
      isOver = true
    }, assert.fail)
    await until('all are in blocks', async () => {
      assert.ok((await countPooled(venue)) <= PENDING_MAX)
      await mine()
      return isOver
    })
    for (const { kind } of await sending) assert.equal(kind, 'included')
    assert.equal(await opened(venue, count), count)
    assert.deepEqual(
      reports,
      Array.from({ length: count }, (_, n) => `sent ${n}`),
    )
  })

  test('a stuck transaction is replaced at a higher fee and counts once', async () => {
    const { sender, reports } = start()
    const sending = sender.send(opening(venue, 0))
    await until('it waits in the pool', async () => (await countPooled(venue)) === 1)
    await venue.call('anvil_setNextBlockBaseFeePerGas', HIGH_FEE)
    await mine()
    assert.equal(await opened(venue, 1), 0, 'the block passed it over')
    await until('it got a higher fee', () => reports.includes('replaced 0'))
    assert.equal(await countPooled(venue), 1)
    await mine()
    assert.equal((await sending).kind, 'included')
    assert.equal(await nonce(), 1)
  })

  test('no fee exceeds its cap, and a fee that reaches the cap is logged', async () => {
    const feeCap = 3n * GWEI
    const offered: (bigint | undefined)[] = []
    const node = nodeAt([venue.url])
    const batch: typeof node.batch = (calls) => {
      for (const { method, params } of calls)
        if (method === 'eth_sendRawTransaction')
          offered.push(parseTransaction(params[0] as `0x02${string}`).maxFeePerGas)
      return node.batch(calls)
    }
    const { sender, reports } = start({ feeCap, node: { ...node, batch } })
    void sender.send(opening(venue, 0))
    await until('it waits in the pool', async () => (await countPooled(venue)) === 1)
    await venue.call('anvil_setNextBlockBaseFeePerGas', HIGH_FEE)
    await mine()
    await until('it is at its cap', async () => {
      await venue.call('anvil_setNextBlockBaseFeePerGas', HIGH_FEE)
      await mine()
      return reports.includes('capped 0')
    })
    assert.ok(offered.length > 1 && offered.every((fee) => fee !== undefined && fee <= feeCap))
    assert.equal(offered.at(-1), feeCap)
  })

  test("a restarted sender continues after the previous sender's pending transactions", async () => {
    const first = start()
    void first.sender.send(opening(venue, 0))
    void first.sender.send(opening(venue, 1))
    await until('two wait', async () => (await countPooled(venue)) === 2)
    await first.stop()
    const second = start()
    const sending = second.sender.send(opening(venue, 2))
    await until('three wait', async () => (await countPooled(venue)) === 3)
    await mine()
    assert.equal((await sending).kind, 'included')
    assert.equal(await opened(venue, 3), 3)
    // Later it may report the previous sender's nonces again.
    assert.deepEqual(second.reports.slice(0, 3), ['foreign 0', 'foreign 1', 'sent 2'])
  })

  test('a stuck transaction of a previous sender does not block later ones', async () => {
    await leaveStuck()
    const second = start()
    assert.equal((await minedOutcome(second.sender.send(opening(venue, 1)))).kind, 'included')
    assert.equal(await opened(venue, 2), 1)
  })

  test("a stuck transaction in the pool's count is replaced by a payment of zero", async () => {
    await leaveStuck()
    const node = nodeAt([venue.url])
    const second = start({
      node: {
        ...node,
        // Unlike other nodes, Anvil excludes underpriced transactions from its count.
        batch: async (calls) => {
          const answers = await node.batch(calls)
          return answers.map((answer, at) =>
            calls[at]?.params[1] === 'pending' && 'result' in answer && answer.result === '0x0'
              ? { result: '0x1' }
              : answer,
          )
        },
      },
    })
    const outcome = await minedOutcome(second.sender.send(opening(venue, 1)))
    assert.equal(outcome.kind, 'included')
    assert.deepEqual([await opened(venue, 2), await nonce()], [1, 2])
    assert.deepEqual(second.reports.slice(0, 2), ['foreign 0', 'sent 1'])
    assert.ok(second.reports.includes('replaced 0'), second.reports.join())
  })

  test('a transaction that the pool drops is sent again', async () => {
    const { sender, reports } = start({ stuckMs: 60_000 })
    const sending = sender.send(opening(venue, 0))
    await until('it waits in the pool', async () => (await countPooled(venue)) === 1)
    await venue.call('anvil_dropAllTransactions')
    await until('it is sent again', () => reports.includes('resent 0'))
    assert.equal(await countPooled(venue), 1)
    await mine()
    assert.equal((await sending).kind, 'included')
  })

  test('a transaction whose block is undone is sent again', async () => {
    const { sender, reports } = start()
    await mine()
    const sending = sender.send(opening(venue, 0))
    await until('it waits in the pool', async () => (await countPooled(venue)) === 1)
    await mine()
    assert.equal((await sending).kind, 'included')
    await venue.call('anvil_reorg', 1, [])
    await until('its account is open again', async () => {
      if ((await countPooled(venue)) > 0) await mine()
      return (await opened(venue, 1)) === 1
    })
    assert.equal(await nonce(), 1)
    assert.deepEqual(
      reports.filter((word) => word.startsWith('failed')),
      [],
    )
  })

  test('a transaction whose block is undone and whose nonce is lost gets another nonce', async () => {
    const { sender } = start()
    await mine()
    const sending = sender.send(opening(venue, 0))
    await until('it waits in the pool', async () => (await countPooled(venue)) === 1)
    await mine()
    assert.equal((await sending).kind, 'included')
    const from = venue.wallets[SENDER_INDEX] as string
    await venue.call('anvil_reorg', 1, [[{ from, to: from, gas: '0x5208' }, 0]])
    assert.equal(await opened(venue, 1), 0)
    assert.equal(await nonce(), 1)
    await until('its account is open again', async () => {
      if ((await countPooled(venue)) > 0) await mine()
      return (await opened(venue, 1)) === 1
    })
    assert.equal(await nonce(), 2)
  })

  test('a reorg deeper than the tracked depth frees nonces, and the sender continues', async () => {
    const node = nodeAt([venue.url])
    let looks = 0
    const batch: typeof node.batch = (calls) => {
      if (calls[0]?.method === 'eth_getBlockByNumber') looks++
      return node.batch(calls)
    }
    const { sender } = start({ depth: 2, node: { ...node, batch } })
    for (const n of [0, 1, 2]) {
      const sending = sender.send(opening(venue, n))
      await until('it waits in the pool', async () => (await countPooled(venue)) === 1)
      await mine()
      assert.equal((await sending).kind, 'included')
    }
    // The poll that found the third one may have read its head a block before its receipt.
    const before = looks
    await until('the first one is forgotten', () => looks >= before + 2)
    await venue.call('anvil_reorg', (await venue.head()).number - listed, [])
    assert.equal(await nonce(), 0)
    await until('what is remembered is done again', async () => {
      await mine()
      return (await opened(venue, 3)) === 2
    })
    assert.equal((await minedOutcome(sender.send(opening(venue, 0)))).kind, 'included')
    assert.equal(await opened(venue, 3), 3)
  })

  test('two senders of one key complete all their calls despite each other', async () => {
    const [first, second] = [start(), start()]
    const count = 12
    const sending = Promise.all(
      Array.from({ length: count }, (_, n) =>
        (n % 2 === 0 ? first : second).sender.send(opening(venue, n)),
      ),
    )
    let isOver = false
    sending.then(() => {
      isOver = true
    }, assert.fail)
    await until('all is done', async () => {
      await mine()
      return isOver
    })
    assert.equal(await opened(venue, count), count)
  })

  test('a revert reason that the node does not give at first is requested again', async () => {
    const node = nodeAt([venue.url])
    let failures = 2
    const { sender } = start({
      node: {
        ...node,
        batch: (calls) =>
          calls[0]?.method === 'eth_call' && failures-- > 0
            ? Promise.reject(new Error('away'))
            : node.batch(calls),
      },
    })
    const data = encodeFunctionData({ abi: perpsAbi, functionName: 'poke', args: [1] })
    const call = { to: venue.deployment.perps, data, description: 'a poke' }
    const sending = sender.sendAll([call, call])
    await until('both wait', async () => (await countPooled(venue)) === 2)
    await mine()
    const [, second] = await sending
    assert.equal(second?.kind === 'reverted' && second.reason.name, 'PokeTooSoon')
    assert.ok(failures < 0)
  })

  test('a sender that may not act sends nothing', async () => {
    let mayAct = true
    const { sender, stop } = start({ mayAct: () => mayAct })
    void sender.send(opening(venue, 0))
    await until('it waits in the pool', async () => (await countPooled(venue)) === 1)
    mayAct = false
    const sending = sender.send(opening(venue, 1))
    await venue.call('anvil_dropAllTransactions')
    await mine()
    await stop()
    assert.equal((await sending).kind, 'abandoned')
    assert.equal(await countPooled(venue), 0)
    assert.equal((await sender.send(opening(venue, 2))).kind, 'abandoned')
  })

  test('a node failure is logged, and the call completes once the node is back', async () => {
    const node = nodeAt([venue.url])
    let isAway = false
    const { sender, reports } = start({
      node: {
        ...node,
        batch: (calls) => (isAway ? Promise.reject(new Error('away')) : node.batch(calls)),
      },
    })
    const sending = sender.send(opening(venue, 0))
    await until('it waits in the pool', async () => (await countPooled(venue)) === 1)
    isAway = true
    await until('that is logged', () => reports.some((word) => word.startsWith('failed')))
    await mine()
    isAway = false
    assert.equal((await sending).kind, 'included')
  })
})
