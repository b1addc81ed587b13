// Tests a sender on a node with false answers, and with a clock that does not advance.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { wallClock } from '../test/clock.ts'
import { WrittenNode } from '../test/fake-node.ts'
import { CHAIN_ID, derivePrivateKey, SENDER_INDEX } from '../test/live-sender.ts'
import type { Clock } from './clock.ts'
import type { TxRequest } from './pending-tx.ts'
import { PENDING_MAX, STUCK_MS, TxSender } from './tx-sender.ts'

const TO: Hex = `0x${'ab'.repeat(20)}`
const HOUR_MS = 3_600_000
const FOREIGN_MAX = 64

describe('a sender', () => {
  let stop = async () => {}
  afterEach(() => stop())

  /** Starts a sender that polls every few milliseconds; its time is `time.ms`. */
  const start = (node: WrittenNode) => {
    const time = { ms: HOUR_MS }
    const reports = {
      failed: [] as string[],
      rejected: [] as string[],
      backoff: [] as number[],
      pending: 0,
      looks: 0,
      foreign: 0,
    }
    const stopping = new AbortController()
    const clock: Clock = {
      nowMs: () => time.ms,
      delay: (ms, signal) => {
        reports.backoff.push(ms)
        return wallClock.delay(Math.min(ms, 2), signal)
      },
    }
    const sender = new TxSender({
      node,
      clock,
      chainId: CHAIN_ID,
      mayAct: () => true,
      account: privateKeyToAccount(derivePrivateKey(SENDER_INDEX)),
      watch: {
        sent: () => {},
        replaced: () => {},
        resent: () => {},
        capped: () => {},
        foreign: () => {
          reports.foreign += 1
        },
        pending: (count) => {
          reports.pending = count
          reports.looks += 1
        },
        rejected: (description, words) => void reports.rejected.push(`${description}: ${words}`),
        failed: (error) => void reports.failed.push(String(error)),
        answered: () => {},
      },
    })
    const running = sender.run(stopping.signal)
    stop = async () => {
      stopping.abort()
      await running
    }
    return { sender, reports, time }
  }
  const call = (n: number, isUrgent = false): TxRequest => ({
    to: TO,
    data: `0x${n.toString(16).padStart(4, '0')}`,
    description: `call ${n}`,
    isUrgent,
  })

  test('a sender adopts only a bounded number of foreign transactions from the pool', async () => {
    const node = new WrittenNode()
    node.isMining = false
    node.lies = {
      eth_getTransactionCount: ([, at]) => ({ result: at === 'latest' ? '0x0' : '0xffffff' }),
    }
    const { reports } = start(node)
    await until('it has looked often', () => reports.looks > 10)
    assert.equal(reports.pending, FOREIGN_MAX)
  })

  for (const [method, result] of [
    ['eth_getTransactionCount', '<html>'],
    ['eth_getTransactionCount', 7],
    ['eth_getTransactionCount', `0x${'f'.repeat(20)}`],
    ['eth_getBlockByNumber', { number: 'soon', hash: '0x1', timestamp: '0x1' }],
    ['eth_estimateGas', null],
    ['eth_estimateGas', 'much'],
  ] as const)
    test(`a sender sends nothing while ${method} answers ${JSON.stringify(result)}, and recovers`, async () => {
      const node = new WrittenNode()
      node.lies = { [method]: () => ({ result }) }
      const { sender, reports } = start(node)
      const first = sender.send(call(1)).then(
        ({ kind }) => kind,
        (error: unknown) => String(error),
      )
      if (method === 'eth_estimateGas') assert.match(await first, /NodeFailed: the node returned/)
      else await until('the failure of the node is logged', () => reports.failed.length > 1)
      assert.equal(node.given.length, 0)
      for (const text of reports.failed) assert.match(text, /^NodeFailed: the node returned/)
      node.lies = {}
      const again = method === 'eth_estimateGas' ? (await sender.send(call(1))).kind : await first
      assert.equal(again, 'included')
    })

  test('a sender polls less often while the node fails, even with a transaction pending', async () => {
    const node = new WrittenNode()
    node.isMining = false
    const { sender, reports } = start(node)
    const outcome = sender.send(call(1))
    await until('it is given', () => node.given.length === 1 && reports.pending === 1)
    node.lies = { eth_getBlockByNumber: () => ({ result: null }) }
    await until('the node has failed often', () => reports.failed.length > 3)
    assert.deepEqual(reports.backoff.slice(-2), [1_000, 1_000])
    node.lies = {}
    const later = reports.backoff.length
    await until('it is as before', () => reports.backoff.length > later + 3)
    assert.equal(reports.backoff.at(-1), 150)
    node.mine()
    assert.equal((await outcome).kind, 'included')
  })

  test('a sender reports an offer that is too low for the node, and tries no other nonce', async () => {
    const node = new WrittenNode()
    const refused = 'transaction underpriced: gas tip cap 1, minimum needed 1000000'
    node.lies = { eth_sendRawTransaction: () => ({ refused, data: undefined }) }
    const { sender, reports } = start(node)
    assert.deepEqual(await sender.send(call(1)), {
      kind: 'refused',
      reason: { name: refused, args: [] },
    })
    assert.equal(reports.foreign, 0)
    assert.deepEqual(reports.rejected, [`call 1: ${refused}`])
  })

  test('a call gets a third more gas than the estimate, but never more than its maximum', async () => {
    const node = new WrittenNode()
    node.refusal = () => ({ result: '0x7530' })
    const { sender } = start(node)
    for (const more of [{}, { gasMax: 39_999n }, { gasMax: 40_001n }])
      await sender.send({ ...call(1), ...more })
    assert.deepEqual(
      node.given.map(({ gas }) => gas),
      [40_000n, 39_999n, 40_000n],
    )
  })

  test('urgent calls get the next nonces, in their order, before all other calls', async () => {
    const node = new WrittenNode()
    node.isMining = false
    const { sender } = start(node)
    const count = PENDING_MAX + 5
    const calm = sender.sendAll(Array.from({ length: count }, (_, n) => call(n)))
    await until('nothing more goes out', () => node.given.length === PENDING_MAX)
    const urgent = sender.sendAll([call(1_000, true), call(1_001, true)])
    await until('it is simulated', () => node.asked.length === count + 2)
    node.mine()
    await until('all are given', () => node.given.length === count + 2)
    node.mine()
    await Promise.all([calm, urgent])
    assert.deepEqual(
      node.given.slice(PENDING_MAX).map(({ data }) => Number(data)),
      [1_000, 1_001, 16, 17, 18, 19, 20],
    )
  })

  test('a sender replaces only the first stuck transaction; the others wait for it', async () => {
    const node = new WrittenNode()
    node.isMining = false
    const { sender, reports, time } = start(node)
    const outcomes = sender.sendAll([call(1), call(2)])
    await until('both are given', () => node.given.length === 2)
    node.head += 1
    time.ms += STUCK_MS
    const { looks } = reports
    await until('it has looked since', () => reports.looks > looks + 2)
    assert.deepEqual(
      node.given.map(({ nonce }) => nonce),
      [0, 1, 0],
    )
    node.mine()
    assert.deepEqual(
      (await outcomes).map(({ kind }) => kind),
      ['included', 'included'],
    )
  })

  test('a stuck transaction is replaced in time after the clock was set back', async () => {
    const node = new WrittenNode()
    node.isMining = false
    const { sender, reports, time } = start(node)
    const outcome = sender.send(call(1))
    await until('it is given', () => node.given.length === 1)
    time.ms -= HOUR_MS
    const { looks } = reports
    await until('it has looked since', () => reports.looks > looks + 1)
    node.head += 1
    time.ms += STUCK_MS - 1
    const later = reports.looks
    await until('it has looked again', () => reports.looks > later + 1)
    assert.equal(node.given.length, 1)
    time.ms += 1
    await until('it is replaced', () => node.given.length === 2)
    const [first, second] = node.given
    assert.ok(first && second && second.maxFee > first.maxFee && second.nonce === first.nonce)
    node.mine()
    assert.equal((await outcome).kind, 'included')
  })

  /** Leaves a call waiting at a node for twice the stuck time, with a block a second. */
  const waitLong = async (node: WrittenNode, time: { ms: number }) => {
    const blocks = (2 * STUCK_MS) / 1_000
    for (let block = 0; block < blocks; block++) {
      const given = node.given.length
      time.ms += 1_000
      node.head += 1
      await until('it is given again', () => node.given.length > given)
    }
    return node.given.map(({ maxFee }) => maxFee)
  }

  test('a transaction that a node forgets is resent at the same fee until it is in a block', async () => {
    const node = new WrittenNode()
    node.isMining = false
    node.isForgetful = true
    const { sender, time } = start(node)
    const outcome = sender.send(call(1))
    await until('it is given', () => node.given.length > 0)
    const fees = await waitLong(node, time)
    assert.ok(fees.length > STUCK_MS / 1_000)
    assert.equal(new Set(fees).size, 1, fees.join())
    node.isForgetful = false
    time.ms += 1_000
    await until('it is given once more', () => node.given.length > fees.length)
    node.mine()
    assert.equal((await outcome).kind, 'included')
    assert.equal(node.given.at(-1)?.maxFee, fees[0])
  })

  test('a transaction that a node forgets gets a higher fee when blocks charge more', async () => {
    const node = new WrittenNode()
    node.isMining = false
    node.isForgetful = true
    const { sender, time } = start(node)
    const outcome = sender.send(call(1))
    await until('it is given', () => node.given.length > 0)
    node.baseFee *= 10n
    const fees = await waitLong(node, time)
    const feeNow = 2n * node.baseFee + 1n
    assert.equal(fees.at(-1), feeNow, 'what is asked for now')
    assert.deepEqual([...new Set(fees)], [fees[0], feeNow])
    node.isForgetful = false
    time.ms += 1_000
    await until('it is given once more', () => node.given.length > fees.length)
    node.mine()
    assert.equal((await outcome).kind, 'included')
  })

  test('a sender raises the fee when a node hides its pool but reports a transaction as known', async () => {
    const node = new WrittenNode()
    node.isMining = false
    const hashes = new Set<unknown>()
    const take = node.take.bind(node)
    node.lies = {
      eth_getTransactionByHash: () => ({ result: null }),
      eth_sendRawTransaction: ([raw]) => {
        if (hashes.has(raw)) return { refused: 'already known', data: undefined }
        hashes.add(raw)
        return take(raw as Hex)
      },
    }
    const { sender, time } = start(node)
    const outcome = sender.send(call(1))
    await until('it is given', () => node.given.length === 1)
    time.ms += 2 * STUCK_MS
    node.head += 1
    await until('it has offered more', () => new Set(node.given.map((tx) => tx.maxFee)).size > 1)
    node.mine()
    assert.equal((await outcome).kind, 'included')
  })
})
