// Sends spans to a collector as OTLP over HTTP, in JSON. Its queue is bounded, and no caller waits:
// spans that a slow or absent collector does not take are dropped and counted.
import { Outage, type OutageLog } from './outage.ts'

export type Attributes = Readonly<Record<string, string | number | undefined>>

/** Position in a trace: ids in hex. */
export type TraceContext = Readonly<{ traceId: string; spanId: string; isSampled: boolean }>

/** The kinds of OpenTelemetry that we use. */
export type SpanKind = 'internal' | 'server' | 'consumer'

export type EndedSpan = TraceContext &
  Readonly<{
    name: string
    kind: SpanKind
    parentId: string | undefined
    startNs: bigint
    endNs: bigint
    attributes: Attributes
    /** Absent: it succeeded. */
    error: string | undefined
  }>

/** Spans that wait; more are dropped. */
export const QUEUE_MAX = 2048
/** Maximum number of spans per request. */
const BATCH_MAX = 512
/** Time to collect spans for a request. */
const COLLECT_MS = 500
const TIMEOUT_MS = 5_000
const CLOSE_MS_MAX = 1_000
/** Numbers of OTLP. */
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, consumer: 5 }
const FAILED = 2

type ExporterOptions = Readonly<{
  /** Base URL of the collector; requests go to `/v1/traces` below it. */
  url: string
  service: string
  log: OutageLog
  timeoutMs?: number
}>

export class SpanExporter {
  readonly #options: ExporterOptions
  readonly #url: string
  readonly #outage: Outage
  readonly #closing = new AbortController()
  readonly #queue: EndedSpan[] = []
  #dropped = 0
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined

  constructor(options: ExporterOptions) {
    this.#options = options
    this.#url = `${options.url.replace(/\/+$/, '')}/v1/traces`
    this.#outage = new Outage({
      log: options.log,
      down: 'the collector of traces does not answer: spans are dropped',
      up: 'the collector of traces answers again',
    })
  }

  /** Adds a span without waiting. */
  add(span: EndedSpan): void {
    if (this.#queue.length >= QUEUE_MAX) this.#dropped++
    else this.#queue.push(span)
    this.#schedule()
  }

  /** Sends what is left, within a second. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    const end = setTimeout(() => this.#closing.abort(), CLOSE_MS_MAX)
    await this.#sending
    while (this.#queue.length > 0 && !this.#closing.signal.aborted) await this.#send()
    this.#closing.abort()
    clearTimeout(end)
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#sending !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#sending = this.#send().finally(() => {
        this.#sending = undefined
        if (this.#queue.length > 0 && !this.#closing.signal.aborted) this.#schedule()
      })
    }, COLLECT_MS)
    this.#timer.unref()
  }

  /** Sends one batch. It never rejects: a batch that is not taken is dropped. */
  async #send(): Promise<void> {
    const batch = this.#queue.splice(0, BATCH_MAX)
    const { service, timeoutMs = TIMEOUT_MS } = this.#options
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(otlpBody(service, batch)),
        redirect: 'error',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`the collector answers with ${response.status}`)
      this.#outage.recovered({ dropped: this.#dropped })
      this.#dropped = 0
    } catch (error) {
      this.#dropped += batch.length
      if (!this.#closing.signal.aborted) this.#outage.failed(error)
    }
  }
}

/** Returns the body of a request: an ExportTraceServiceRequest of OTLP 1. */
const otlpBody = (service: string, spans: readonly EndedSpan[]) => ({
  resourceSpans: [
    {
      resource: { attributes: listAttributes({ 'service.name': service }) },
      scopeSpans: [{ scope: { name: 'openvenue' }, spans: spans.map(otlpSpan) }],
    },
  ],
})

const otlpSpan = (span: EndedSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: String(span.startNs),
  endTimeUnixNano: String(span.endNs),
  attributes: listAttributes(span.attributes),
  ...(span.error === undefined ? {} : { status: { code: FAILED, message: span.error } }),
})

const listAttributes = (attributes: EndedSpan['attributes']) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [
          {
            key,
            value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
          },
        ],
  )
