// Runs tasks on a fake node: they use the real sender, and tests read what it sends.
import assert from 'node:assert/strict'
import { pino } from 'pino'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Clock } from '../src/clock.ts'
import { createMetrics } from '../src/metrics.ts'
import { createTaskContext, type TaskContext } from '../src/task-context.ts'
import { TxSender } from '../src/tx-sender.ts'
import { WrittenNode } from './fake-node.ts'
import { ENGINE } from './fake-state.ts'
import { CHAIN_ID, derivePrivateKey, SENDER_INDEX } from './live-sender.ts'

const NONE: Hex = '0x'

/** Its delays end at once; `time.ms` is its time. */
export type FakeTaskContext = Readonly<{
  node: WrittenNode
  context: TaskContext
  time: { ms: number }
  stop: () => Promise<void>
}>

/** Starts a context; the caller stops it. */
export function startFakeContext(): FakeTaskContext {
  const node = new WrittenNode()
  const time = { ms: 1_000_000_000 }
  const clock: Clock = {
    nowMs: () => time.ms,
    delay: () => new Promise((resolve) => setImmediate(resolve)),
  }
  const stopping = new AbortController()
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
      foreign: () => {},
      capped: () => {},
      rejected: () => {},
      pending: () => {},
      failed: (error) => assert.fail(String(error)),
      answered: () => {},
    },
  })
  const running = sender.run(stopping.signal)
  const deployment = { accounts: NONE, spot: NONE, perps: ENGINE, oracles: [ENGINE] }
  const log = pino({ level: 'silent' })
  return {
    node,
    time,
    context: createTaskContext({ node, deployment, clock, log, sender, metrics: createMetrics() }),
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
