// Shared dependencies of tasks: the node, the clock, and a sender that counts and logs outcomes.

import type { RpcNode } from '@openvenue/runtime/node'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { KeeperDeployment } from './deployment.ts'
import type { Metrics } from './metrics.ts'
import type { TxRequest, TxResult } from './pending-tx.ts'
import { reasonText } from './reason.ts'
import type { TaskName } from './task.ts'
import type { TxSender } from './tx-sender.ts'

export type TaskContext = Readonly<{
  node: RpcNode
  deployment: KeeperDeployment
  clock: Clock
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  /** Sends a call of a task and returns its outcome. */
  send(task: TaskName, call: TxRequest): Promise<TxResult>
  /** Sends several calls in order. See `send`. */
  sendAll(task: TaskName, calls: readonly TxRequest[]): Promise<readonly TxResult[]>
}>

/** Returns the context that the tasks of one keeper share. */
export function createTaskContext({
  sender,
  metrics,
  ...rest
}: Omit<TaskContext, 'send' | 'sendAll'> &
  Readonly<{ sender: TxSender; metrics: Metrics }>): TaskContext {
  const record = (task: TaskName, { description }: TxRequest, outcome: TxResult): TxResult => {
    metrics.countOutcome(task, outcome)
    const facts = { task, what: description }
    if (outcome.kind === 'reverted') {
      const { hash, reason } = outcome
      rest.log.warn({ ...facts, hash, reason: reasonText(reason) }, 'reverted')
    } else if (outcome.kind === 'refused')
      rest.log.debug({ ...facts, reason: reasonText(outcome.reason) }, 'not sent: it would revert')
    return outcome
  }
  return {
    ...rest,
    send: async (task, call) => record(task, call, await sender.send(call)),
    sendAll: async (task, calls) => {
      const outcomes = await sender.sendAll(calls)
      return outcomes.map((outcome, at) => record(task, calls[at] as TxRequest, outcome))
    },
  }
}
