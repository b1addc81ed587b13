// Spans of an order from its request to its block, as W3C trace context. Nothing is recorded unless
// OTEL_EXPORTER_OTLP_ENDPOINT names a collector of OpenTelemetry.
import { randomBytes } from 'node:crypto'
import type { OutageLog } from './outage.ts'
import type { Attributes, EndedSpan, SpanKind, TraceContext } from './span-exporter.ts'

type SpanStart = Readonly<{
  /** The header `traceparent`, or that of another span. Invalid text starts a trace. */
  parent?: string | undefined
  kind?: SpanKind
  /** Unix nanoseconds; absent: now. */
  startNs?: bigint
}>

type SpanEnd = Readonly<{ endNs?: bigint; attributes?: Attributes; error?: string | undefined }>

export type Span = Readonly<{
  /** For children, in this process or another. */
  traceparent: string | undefined
  end(end?: SpanEnd): void
}>

export type Tracer = Readonly<{
  start(name: string, options?: SpanStart): Span
  /** Sends the remaining spans, within a second. */
  close(): Promise<void>
}>

/** `traceparent` of version 00: 55 characters. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/
const SAMPLED = 1

/** Returns the context that a header names; undefined unless it is valid. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  const [, traceId, spanId, flags] = typeof text === 'string' ? (TRACEPARENT.exec(text) ?? []) : []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags ?? '', 16) & SAMPLED) !== 0 }
}

const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext) =>
  `00-${traceId}-${spanId}-0${isSampled ? SAMPLED : 0}`

/** Records nothing. A valid parent stays the parent of later spans. */
export const NO_TRACER: Tracer = {
  start: (_name, { parent } = {}) => {
    const isValid = parent !== undefined && parseTraceparent(parent) !== undefined
    return { traceparent: isValid ? parent : undefined, end: () => {} }
  },
  close: async () => {},
}

export type ReportSpan = (span: EndedSpan) => void

/** Returns a tracer that passes ended spans to `report`, which must neither throw nor wait. */
export const createTracer = (report: ReportSpan, close = async () => {}): Tracer => ({
  start: (name, { parent, kind = 'internal', startNs = nowNs() } = {}) => {
    const context = parseTraceparent(parent)
    const traceId = context?.traceId ?? randomBytes(16).toString('hex')
    const isSampled = context?.isSampled ?? true
    const own = { traceId, spanId: randomBytes(8).toString('hex'), isSampled }
    return {
      traceparent: formatTraceparent(own),
      end: ({ endNs = nowNs(), attributes = {}, error } = {}) => {
        if (!isSampled) return
        report({ ...own, name, kind, parentId: context?.spanId, startNs, endNs, attributes, error })
      },
    }
  },
  close,
})

const NS_PER_MS = 1_000_000n
const nowNs = () => BigInt(Date.now()) * NS_PER_MS

type TracerOptions = Readonly<{
  /** Base URL of a collector; undefined: nothing is recorded. */
  url: string | undefined
  service: string
  log: OutageLog
}>

/** Opens the tracer of a process. The exporter is loaded only where it is used. */
export async function openTracer({ url, ...options }: TracerOptions): Promise<Tracer> {
  if (url === undefined) return NO_TRACER
  const { SpanExporter } = await import('./span-exporter.ts')
  const exporter = new SpanExporter({ url, ...options })
  return createTracer(
    (span) => exporter.add(span),
    () => exporter.close(),
  )
}
