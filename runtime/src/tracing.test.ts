// Trace contexts, and an exporter that never delays those who report spans.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { attributeOf, TraceCollector } from '../test/trace-collector.ts'
import { NO_LOG } from './outage.ts'
import { QUEUE_MAX, SpanExporter } from './span-exporter.ts'
import { createTracer, NO_TRACER, openTracer, parseTraceparent } from './tracing.ts'

const TRACE = 'ab'.repeat(16)
const PARENT = `00-${TRACE}-${'cd'.repeat(8)}-01`

describe('a trace context', () => {
  test('a valid traceparent is read', () => {
    const context = { traceId: TRACE, spanId: 'cd'.repeat(8), isSampled: true }
    assert.deepEqual(parseTraceparent(PARENT), context)
    const unsampled = PARENT.replace(/01$/, '00')
    assert.deepEqual(parseTraceparent(unsampled), { ...context, isSampled: false })
  })

  for (const [what, text] of [
    ['of another version', PARENT.replace(/^00/, '01')],
    ['with an empty trace', PARENT.replace(TRACE, '0'.repeat(32))],
    ['with an empty span', PARENT.replace('cd'.repeat(8), '0'.repeat(16))],
    ['in upper case', PARENT.toUpperCase()],
    ['with more text', `${PARENT}-00`],
    ['with a line break', `${PARENT}\n`],
    ['that is too short', PARENT.slice(1)],
    ['that is not text', [PARENT]],
    ['that is absent', undefined],
  ] as const)
    test(`a traceparent ${what} is ignored`, () => {
      assert.equal(parseTraceparent(text), undefined)
    })

  test('without a collector a valid parent is kept and nothing is recorded', async () => {
    assert.equal(await openTracer({ url: undefined, service: '', log: NO_LOG }), NO_TRACER)
    assert.equal(NO_TRACER.start('work', { parent: PARENT }).traceparent, PARENT)
    assert.equal(NO_TRACER.start('work', { parent: 'x' }).traceparent, undefined)
  })

  test('a span continues the trace of its parent, and one without a parent begins a trace', () => {
    const names: string[] = []
    const tracer = createTracer(({ name }) => void names.push(name))
    const child = tracer.start('child', { parent: PARENT })
    assert.match(String(child.traceparent), new RegExp(`^00-${TRACE}-(?!cdcd)[0-9a-f]{16}-01$`))
    assert.match(String(tracer.start('root').traceparent), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    child.end()
    assert.deepEqual(names, ['child'])
  })

  test('a span of a trace that its client does not sample is not reported', () => {
    const tracer = createTracer(() => assert.fail())
    const span = tracer.start('work', { parent: PARENT.replace(/01$/, '00') })
    assert.match(String(span.traceparent), /-00$/)
    span.end()
  })
})

describe('the exporter of spans', () => {
  let collector: TraceCollector
  beforeEach(async () => {
    collector = await TraceCollector.start()
  })
  afterEach(() => collector.stop())

  const logged: string[] = []
  const write = (_facts: object, text: string) => void logged.push(text)
  const log = { info: write, warn: write }
  const open = (timeoutMs?: number) => {
    const options = { url: `${collector.url}/`, service: 'openvenue-test', log }
    const exporter = new SpanExporter({ ...options, ...(timeoutMs ? { timeoutMs } : {}) })
    const tracer = createTracer(
      (span) => exporter.add(span),
      () => exporter.close(),
    )
    return tracer
  }

  test('spans reach a collector with their service, parent, times, attributes and errors', async () => {
    const tracer = open()
    const span = tracer.start('work', { parent: PARENT, kind: 'server', startNs: 5n })
    const attributes = { route: '/orders', block: 7, none: undefined }
    span.end({ endNs: 9n, attributes, error: 'broken' })
    await tracer.close()
    assert.deepEqual(collector.paths, ['/v1/traces'])
    const [got] = collector.spans
    assert.ok(got !== undefined && collector.spans.length === 1)
    const { service, traceId, parentSpanId, name, kind, status } = got
    assert.deepEqual(
      { service, traceId, parentSpanId, name, kind, status },
      {
        ...{ service: 'openvenue-test', traceId: TRACE, parentSpanId: 'cd'.repeat(8) },
        ...{ name: 'work', kind: 2, status: { code: 2, message: 'broken' } },
      },
    )
    assert.deepEqual([got.startTimeUnixNano, got.endTimeUnixNano], ['5', '9'])
    assert.deepEqual([attributeOf(got, 'route'), attributeOf(got, 'block')], ['/orders', 7])
    assert.equal(attributeOf(got, 'none'), undefined)
  })

  test('a frozen collector delays no span, and the queue is bounded', async () => {
    collector.mode = 'frozen'
    logged.length = 0
    const tracer = open(100)
    const startMs = performance.now()
    for (let n = 0; n < 10 * QUEUE_MAX; n++) tracer.start('work').end()
    const perSpanMs = (performance.now() - startMs) / (10 * QUEUE_MAX)
    assert.ok(perSpanMs < 1, `${perSpanMs} ms each`)
    await until('a request times out', () => logged.length > 0)
    assert.deepEqual(logged, ['the collector of traces does not answer: spans are dropped'])
    await until('another one does', () => collector.paths.length > 2)
    collector.thaw()
    await until('the rest arrives', () => logged.length > 1)
    assert.deepEqual(logged.slice(1), ['the collector of traces answers again'])
    await tracer.close()
    assert.ok(collector.spans.length > 0 && collector.spans.length < QUEUE_MAX)
  })

  test('closing takes a second at most while the collector is frozen', async () => {
    collector.mode = 'frozen'
    const tracer = open()
    for (let n = 0; n < QUEUE_MAX; n++) tracer.start('work').end()
    const startMs = performance.now()
    await tracer.close()
    assert.ok(performance.now() - startMs < 4_000)
  })

  test('a collector that refuses is logged once', async () => {
    collector.mode = 'refusing'
    logged.length = 0
    const tracer = open()
    for (let n = 0; n < QUEUE_MAX; n++) tracer.start('work').end()
    await tracer.close()
    assert.ok(collector.paths.length > 1)
    assert.deepEqual(logged, ['the collector of traces does not answer: spans are dropped'])
  })
})
