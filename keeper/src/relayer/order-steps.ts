// Reports the steps of orders and cancels: counters, and with LOG_REQUESTS a line each.
import type { Intent, IntentMove } from '@openvenue/store/intents/intents'
import type { Logger } from 'pino'
import type { RelayMetrics } from './relay-metrics.ts'

type StepReports = Readonly<{
  metrics: Pick<RelayMetrics, 'moved' | 'included'>
  log: Pick<Logger, 'info'>
  /** LOG_REQUESTS. */
  logsOrders: boolean
}>

/** Called for each step made, with the intent before it if this process tracked it. */
export type OnStep = (step: IntentMove, intent: Intent | undefined) => void

const LOGGED: readonly string[] = ['sent', 'included', 'refused', 'expired']

export const stepReporter =
  ({ metrics, log, logsOrders }: StepReports): OnStep =>
  (step, intent) => {
    metrics.moved(step.to)
    const seconds = secondsToInclusion(step, intent)
    if (seconds !== undefined) metrics.included(seconds)
    if (logsOrders && LOGGED.includes(step.to)) logStep(log, step, { intent, seconds })
  }

function logStep(
  log: Pick<Logger, 'info'>,
  { id: order, to, reason, txHash, blockNumber: block }: IntentMove,
  { intent, seconds }: Readonly<{ intent: Intent | undefined; seconds: number | undefined }>,
): void {
  const payload = intent?.payload
  const reqId = payload?.kind === 'order' ? payload.request?.id : undefined
  const noun = payload === undefined || payload.kind === 'order' ? 'order' : 'cancel'
  const facts = { reqId, order, tx: txHash ?? intent?.txHash, block, reason, seconds }
  log.info(facts, `${noun} ${to}`)
}

/**
 * Returns the time since the receipt of an order; undefined for other steps, and for orders that
 * waited for a trigger or a parent.
 */
function secondsToInclusion(step: IntentMove, intent: Intent | undefined): number | undefined {
  if (step.to !== 'included' || step.from.includes('included')) return undefined
  if (intent?.payload.kind !== 'order' || intent.includeByBlock === 0) return undefined
  return Math.max(0, Number(step.atNs - intent.receivedNs) / 1e9)
}
