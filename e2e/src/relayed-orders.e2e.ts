// Follows an order: posted with an API key, relayed to the chain, and open in the book by the block
// promised in its receipt.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { parseConfig } from '@openvenue/devnet/config'
import { approve, deposit, mint } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { attributeOf, TraceCollector } from '@openvenue/runtime/test/trace-collector'
import { parseUnits } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { type AccountClient, openAccount } from './account-client.ts'
import { createChainClient } from './chain-client.ts'
import { type PublishedInfo, readInfo, request } from './probe.ts'
import { bidBody } from './signed-orders.ts'
import { startVenue, type TestVenue } from './venue.ts'

const MONEY = 10_000n * 10n ** 6n

type AcceptedOrder = Readonly<{
  order_id: string
  order_status: string
  block_number: number | null
  receipt: Readonly<{ include_by_block: number }>
}>

let collector: TraceCollector
let venue: TestVenue
let info: PublishedInfo
let client: AccountClient
let salt = 0n
before(async () => {
  const limits = { privateRate: undefined, registerRate: undefined }
  collector = await TraceCollector.start()
  const { tracesUrl, keeper } = parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  const traced = { tracesUrl, keeper }
  venue = await startVenue({ ...limits, ...traced, pace: undefined, historyHours: 0 })
  const { spot, perps, tokens } = venue.devnet.deployment
  const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: ROLES.visitors[0] }).address
  await createChainClient(rpcAt(venue.devnet.rpcUrl)).send([
    mint(wallet, tokens.USDC, wallet, 2n * MONEY),
    approve(wallet, tokens.USDC, spot),
    deposit(wallet, spot, tokens.USDC, MONEY),
    approve(wallet, tokens.USDC, perps),
    deposit(wallet, perps, tokens.USDC, MONEY),
  ])
  info = await readInfo(venue.devnet.apiUrl)
  client = await openAccount(venue.devnet, ROLES.visitors[0], { isOnChain: true })
})
after(async () => {
  await venue?.remove()
  await collector?.stop()
})

const ask = <T>(path: string, body?: unknown, headers: Record<string, string> = {}) =>
  request<T>(venue.devnet.apiUrl, path, { headers: { ...client.headers, ...headers }, body })

/** Signs a resting bid with the published types. */
function signedBody(name: 'ETH-USDC' | 'ETH-PERP', decimals: number) {
  const messages = info.typed_data[name === 'ETH-PERP' ? 'perps' : 'spot']
  return bidBody({ messages, key: client.registered.signingPrivateKey }, name, {
    account: client.registered.account,
    market: 1,
    limitPrice: parseUnits('2000', decimals),
    amount: parseUnits('0.01', 18),
    salt: ++salt,
    deadline: BigInt(Math.floor(Date.now() / 1000) + 60),
  })
}

for (const [name, decimals] of [
  ['ETH-USDC', 6],
  ['ETH-PERP', 18],
] as const)
  test(`an order posted in ${name} is open by the block that was promised`, async (t) => {
    const post = async () => {
      const body = await signedBody(name, decimals)
      return ask<AcceptedOrder>('/orders', body)
    }
    let posted = await post()
    // The registered key may not be on the chain yet.
    await until(
      () => `the order is taken: ${JSON.stringify(posted.body)}`,
      async () => {
        if (posted.status !== 200) posted = await post()
        return posted.status === 200
      },
    )
    const startMs = performance.now()
    assert.equal(posted.body.order_status, 'pending')
    const { order_id: id, receipt } = posted.body
    let order = posted.body
    await until(
      () => `the order is open: ${JSON.stringify(order)}`,
      async () => {
        order = (await ask<AcceptedOrder>(`/orders/${id}`)).body
        return order.order_status === 'opened'
      },
    )
    t.diagnostic(`${order.order_status} after ${(performance.now() - startMs).toFixed(0)} ms`)
    assert.ok(Number(order.block_number) <= receipt.include_by_block, JSON.stringify(order))
  })

test('an order is one trace from its request to its transaction and its block', async () => {
  const traceId = '7a'.repeat(16)
  const headers = { traceparent: `00-${traceId}-${'5b'.repeat(8)}-01`, 'x-request-id': 'traced' }
  const posted = await ask<AcceptedOrder>('/orders', await signedBody('ETH-USDC', 6), headers)
  assert.equal(posted.status, 200)
  const { order_id: id } = posted.body
  const spansOf = (name: string) =>
    collector.spans.filter((span) => span.traceId === traceId && span.name === name)
  const names = ['POST /orders', 'accept orders', 'submit order', 'include order']
  await until('all spans arrive', () => names.every((name) => spansOf(name).length === 1))
  const [request, accept, submit, include] = names.flatMap(spansOf)
  assert.ok(request && accept && submit && include)
  assert.equal(request.parentSpanId, '5b'.repeat(8))
  assert.equal(accept.parentSpanId, request.spanId)
  for (const span of [submit, include]) {
    assert.equal(span.parentSpanId, accept.spanId)
    assert.equal(span.service, 'openvenue-relayer')
    assert.equal(attributeOf(span, 'openvenue.order'), id)
    assert.equal(attributeOf(span, 'openvenue.request_id'), 'traced')
    assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano))
  }
  assert.equal(attributeOf(request, 'http.response.status_code'), 200)
  const transaction = attributeOf(submit, 'openvenue.transaction')
  assert.match(String(transaction), /^0x[0-9a-f]{64}$/)
  assert.equal(attributeOf(include, 'openvenue.transaction'), transaction)
  const order = (await ask<AcceptedOrder>(`/orders/${id}`)).body
  assert.equal(attributeOf(include, 'openvenue.block'), order.block_number)
})

test('orders are accepted and included while the collector of traces is frozen', async () => {
  collector.mode = 'frozen'
  const { length } = collector.paths
  const posted = await ask<AcceptedOrder>('/orders', await signedBody('ETH-USDC', 6))
  assert.equal(posted.status, 200)
  const { order_id: id } = posted.body
  await until('the collector is asked', () => collector.paths.length > length)
  const isOpen = async () =>
    (await ask<AcceptedOrder>(`/orders/${id}`)).body.order_status === 'opened'
  await until('the order is open', isOpen)
  const next = await ask<AcceptedOrder>('/orders', await signedBody('ETH-USDC', 6))
  assert.equal(next.status, 200)
  collector.thaw()
})
