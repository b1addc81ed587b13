// How duties send, and what they need besides: one place that counts and logs what became of it.
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Deployment } from './deployment.ts'
import type { DutyName } from './duty.ts'
import type { Call, Outcome } from './flight.ts'
import type { Metrics } from './metrics.ts'
import type { Node } from './node.ts'
import { reasonText } from './reason.ts'
import type { Sender } from './sender.ts'

export type Desk = Readonly<{
  node: Node
  deployment: Deployment
  clock: Clock
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  /** Sends a call of a duty and returns what became of it. */
  send(duty: DutyName, call: Call): Promise<Outcome>
  /** As `send`; they go out in this order. */
  sendAll(duty: DutyName, calls: readonly Call[]): Promise<readonly Outcome[]>
}>

type DeskDeps = Omit<Desk, 'send' | 'sendAll'> & Readonly<{ sender: Sender; metrics: Metrics }>

/** Returns the desk of one keeper. */
export function deskOf({ sender, metrics, ...rest }: DeskDeps): Desk {
  const told = (duty: DutyName, { what }: Call, outcome: Outcome): Outcome => {
    metrics.outcome(duty, outcome)
    const facts = { loop: duty, what }
    if (outcome.kind === 'reverted') {
      const { hash, reason } = outcome
      rest.log.warn({ ...facts, hash, reason: reasonText(reason) }, 'reverted')
    } else if (outcome.kind === 'refused')
      rest.log.debug({ ...facts, reason: reasonText(outcome.reason) }, 'not sent: it would revert')
    return outcome
  }
  return {
    ...rest,
    send: async (duty, call) => told(duty, call, await sender.send(call)),
    sendAll: async (duty, calls) => {
      const outcomes = await sender.sendAll(calls)
      return outcomes.map((outcome, at) => told(duty, calls[at] as Call, outcome))
    },
  }
}
