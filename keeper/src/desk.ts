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
}>

type DeskDeps = Omit<Desk, 'send'> & Readonly<{ sender: Sender; metrics: Metrics }>

/** Returns the desk of one keeper. */
export const deskOf = ({ sender, metrics, ...desk }: DeskDeps): Desk => ({
  ...desk,
  send: async (duty, call) => {
    const outcome = await sender.send(call)
    metrics.outcome(duty, outcome)
    const facts = { loop: duty, what: call.what }
    if (outcome.kind === 'reverted')
      desk.log.warn(
        { ...facts, hash: outcome.hash, reason: reasonText(outcome.reason) },
        'reverted',
      )
    else if (outcome.kind === 'refused')
      desk.log.debug({ ...facts, reason: reasonText(outcome.reason) }, 'not sent: it would revert')
    return outcome
  },
})
