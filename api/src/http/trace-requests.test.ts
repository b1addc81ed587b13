// Traces of requests that place orders, and the context that is kept with an order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EndedSpan } from '@openvenue/runtime/span-exporter'
import { createTracer } from '@openvenue/runtime/tracing'
import { funded } from '../../test/funded.ts'
import { tradingNodes } from '../../test/trading-node.ts'

const TRACE = 'ab'.repeat(16)
const TRACEPARENT = `00-${TRACE}-${'cd'.repeat(8)}-01`
const HEADERS = { 'x-request-id': 'mine', traceparent: TRACEPARENT }

/** Places an order and returns its id and the request that is kept with it. */
async function place(
  venue: Awaited<ReturnType<typeof tradingNodes>>,
  headers: Record<string, string>,
) {
  const body = await venue.orderOf('alice')
  const { order_id: id } = (await venue.send('alice', 'POST /orders', { body, headers })).body
  const [intent] = await venue.store.intents.find([id])
  return intent?.payload.kind === 'order' ? intent.payload.request : undefined
}

test('a request that places an order is a span with its route, status and id', async () => {
  const spans: EndedSpan[] = []
  const tracer = createTracer((span) => void spans.push(span))
  const venue = await tradingNodes(funded('ETH-USDC'), { host: { tracer } })
  const kept = await place(venue, HEADERS)
  await venue.send('alice', 'POST /orders', { body: {}, headers: HEADERS })
  await venue.send('alice', 'GET /open-orders', { headers: HEADERS })
  await venue.close()
  const facts = spans.map(({ name, traceId, parentId, error, attributes }) => ({
    ...{ name, traceId, parentId, error },
    status: attributes['http.response.status_code'],
    id: attributes['openvenue.request_id'],
  }))
  const [accept, request, refused, refusedRequest] = facts
  const own = { traceId: TRACE, id: 'mine' }
  assert.equal(facts.length, 4, 'reads are not traced')
  const none = { error: undefined, status: undefined }
  const acceptance = { name: 'accept orders', ...own, ...none, parentId: spans[1]?.spanId }
  assert.deepEqual(accept, acceptance)
  const route = { name: 'POST /orders', ...own, parentId: 'cd'.repeat(8), error: undefined }
  assert.deepEqual(request, { ...route, status: 200 })
  assert.deepEqual(refused?.name, 'accept orders')
  assert.deepEqual(refusedRequest, { ...route, status: 400 })
  assert.deepEqual(kept, { id: 'mine', traceparent: `00-${TRACE}-${spans[0]?.spanId}-01` })
})

test('without a collector an order keeps a valid traceparent and no other', async () => {
  const venue = await tradingNodes(funded('ETH-USDC'))
  assert.deepEqual(await place(venue, HEADERS), { id: 'mine', traceparent: TRACEPARENT })
  const invalid = { ...HEADERS, traceparent: `${TRACEPARENT}-more` }
  assert.deepEqual(await place(venue, invalid), { id: 'mine' })
  await venue.close()
})
