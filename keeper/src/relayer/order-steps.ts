// Reports the steps of orders and cancels: counters, spans, and with LOG_REQUESTS a line each.
import type { Tracer } from '@openvenue/runtime/tracing'
import type { Intent, IntentMove } from '@openvenue/store/intents/intents'
import type { Logger } from 'pino'
import type { RelayMetrics } from './relay-metrics.ts'

type StepReports = Readonly<{
  metrics: Pick<RelayMetrics, 'moved' | 'included'>
  tracer: Tracer
  log: Pick<Logger, 'info'>
  /** LOG_REQUESTS. */
  logsOrders: boolean
}>

/** Called for each step made, with the intent before it if this process tracked it. */
export type OnStep = (step: IntentMove, intent: Intent | undefined) => void

const LOGGED: readonly string[] = ['sent', 'included', 'refused', 'expired']

export const stepReporter =
  ({ metrics, tracer, log, logsOrders }: StepReports): OnStep =>
  (step, intent) => {
    metrics.moved(step.to)
    const seconds = secondsToInclusion(step, intent)
    if (seconds !== undefined) metrics.included(seconds)
    traceStep(tracer, step, intent)
    if (logsOrders && LOGGED.includes(step.to)) logStep(log, step, { intent, seconds })
  }

/** The end of each span, and its name: it begins at the step before. */
const SPANS: Readonly<Partial<Record<IntentMove['to'], string>>> = {
  sent: 'submit order',
  included: 'include order',
  refused: 'refuse order',
  expired: 'expire order',
}

/** Reports the time since the step before as a span of the trace that accepted the order. */
function traceStep(tracer: Tracer, step: IntentMove, intent: Intent | undefined): void {
  const name = SPANS[step.to]
  const payload = intent?.payload
  const parent = payload?.kind === 'order' ? payload.request?.traceparent : undefined
  if (intent === undefined || name === undefined || parent === undefined) return
  tracer.start(name, { parent, kind: 'consumer', startNs: intent.updatedNs }).end({
    endNs: step.atNs,
    attributes: {
      'openvenue.order': step.id,
      'openvenue.transaction': step.txHash ?? intent.txHash,
      'openvenue.block': step.blockNumber,
      'openvenue.request_id': payload?.kind === 'order' ? payload.request?.id : undefined,
    },
    error: step.to === 'included' || step.to === 'sent' ? undefined : (step.reason ?? step.to),
  })
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
