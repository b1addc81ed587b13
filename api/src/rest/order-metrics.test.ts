// Metrics of order entry.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { funded } from '../../test/funded.ts'
import { tradingNodes } from '../../test/trading-node.ts'

test('GET /metrics counts accepted orders once, and refused ones by code', async () => {
  const venue = await tradingNodes(funded('ETH-USDC'))
  const place = (body: unknown) => venue.send('alice', 'POST /orders', { body })
  const body = await venue.orderOf('alice')
  assert.equal((await place(body)).status, 200)
  assert.equal((await place(body)).headers['idempotent-replayed'], 'true')
  const refused = await place({
    ...(await venue.orderOf('alice')),
    signature: `0x${'1'.repeat(130)}`,
  })
  assert.equal(refused.status, 400)
  const orders = [await venue.orderOf('alice'), {}]
  const batch = await venue.send('alice', 'POST /batch-orders', { body: { orders } })
  const [, second] = batch.body.results
  const edit = await venue.send('alice', `POST /orders/${body.salt}`, {
    body: await venue.orderOf('alice'),
  })
  const text = (await venue.hosts[0]?.inject('/metrics'))?.body ?? ''
  const values = new Map(
    [...text.matchAll(/^openvenue_api_orders?_(\S+) (\S+)$/gm)].map(([, name, value]) => [
      name,
      Number(value),
    ]),
  )
  assert.equal(values.get('accepted_total'), 2)
  assert.equal(values.get('acceptance_seconds_count'), 2)
  for (const code of [refused.body.error, second.error, edit.body.error])
    assert.equal(values.get(`refused_total{code="${code}"}`), 1, code)
  await venue.close()
})

test('with LOG_REQUESTS each order is logged with its request: accepted with its id, or refused', async () => {
  const lines: Readonly<Record<string, unknown>>[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      const { msg, reqId, account, order, code } = JSON.parse(String(chunk))
      if (String(msg).startsWith('order ')) lines.push({ msg, reqId, account, order, code })
      done()
    },
  })
  const host = { logger: pino({ level: 'info' }, stream), logsRequests: true }
  const venue = await tradingNodes(funded('ETH-USDC'), { host })
  const headers = { 'x-request-id': 'mine' }
  const body = await venue.orderOf('alice')
  const place = (sent: unknown) => venue.send('alice', 'POST /orders', { body: sent, headers })
  const { order_id: order } = (await place(body)).body
  await place(body)
  const { error: code } = (await place({})).body
  await venue.close()
  const facts = { reqId: 'mine', account: venue.walletOf('alice') }
  assert.deepEqual(lines, [
    { msg: 'order accepted', ...facts, order, code: undefined },
    { msg: 'order refused', ...facts, order: undefined, code },
  ])
})

test('GET /metrics counts each order of a request that is refused as a whole', async () => {
  const venue = await tradingNodes(funded('ETH-USDC'), { settings: { trading: 'cancel_only' } })
  const orders = [await venue.orderOf('alice'), await venue.orderOf('alice')]
  assert.equal((await venue.send('alice', 'POST /batch-orders', { body: { orders } })).status, 503)
  const text = (await venue.hosts[0]?.inject('/metrics'))?.body ?? ''
  assert.match(text, /^openvenue_api_orders_refused_total\{code="MAINTENANCE_MODE_ENABLED"\} 2$/m)
  await venue.close()
})
