// Cancelling one order over REST: order entry, sentence by sentence.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CancelledOrder } from '@openvenue/wire/order-answers'
import type { Receipt } from '@openvenue/wire/relay'
import { Value } from 'typebox/value'
import { hashTypedData, recoverTypedDataAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { funded } from '../../test/funded.ts'
import { signDigest } from '../../test/order-model.ts'
import {
  RECEIPT_KEY,
  RELAY_STATUS,
  signingKey,
  type TradingNodes,
  tradingNodes,
} from '../../test/trading-node.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'
import { receiptId, venueTypedData } from '../orders/relay/receipt.ts'

const TICK = 150_000

async function signerOf(receipt: Receipt | undefined) {
  assert.ok(receipt)
  const { order_id, received_ns, seq, lane, include_by_block, signature } = receipt
  const message = { orderId: order_id, receivedNs: received_ns, seq, lane }
  const data = venueTypedData(ACCOUNT_SETTINGS, 'Receipt')
  const signed = { ...data, message: { ...message, includeByBlock: include_by_block }, signature }
  return await recoverTypedDataAddress(signed as never)
}

describe('DELETE /orders/{order_id}', () => {
  let venue: TradingNodes
  const scenario = funded('ETH-USDC')
  before(async () => {
    venue = await tradingNodes(scenario, { nodes: 2 })
    await venue.store.db.primary.query(
      'INSERT INTO cancellers (account, canceller, expiry_seconds) VALUES ($1, $2, $3)',
      [scenario.accountOf('alice'), RELAY_STATUS.canceller, 4_000_000_000],
    )
  })
  after(() => venue.close())

  const cancel = (who: string, id: string, body?: unknown, node = 0) =>
    venue.send(who, `DELETE /orders/${id}`, { node, ...(body === undefined ? {} : { body }) })
  const place = async (who: string, members: object = {}) => {
    const body = await venue.orderOf(who, members)
    const placed = await venue.send(who, 'POST /orders', { body })
    await venue.caughtUp()
    return String(placed.body.order_id)
  }
  const rest = async (who: string) => {
    const id = await place(who)
    scenario.order({ who, side: 'buy', tick: TICK, lots: 10n, ref: id }).next()
    await venue.follow()
    await venue.move(id, 'included', { blockNumber: venue.models[0]?.head?.number })
    return id
  }

  test('DELETE /orders/{order_id} withdraws an order that is still in the queue, with only the API key', async () => {
    const id = await place('bob')
    const { status, body } = await cancel('bob', id, undefined, 1)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Value.Check(CancelledOrder, body))
    assert.deepEqual(
      [body.order_id, body.order.order_status, body.order.cancel_reason],
      [id, 'cancelled', 'USER'],
    )
    assert.ok(body.order.valid_until)
    const [intent] = await venue.store.intents.find([id])
    assert.equal(intent?.state, 'withdrawn')
    assert.equal(body.receipt, undefined, 'it has ended: nothing is promised')
  })

  test('DELETE /orders/{order_id} withdraws an order that waits for its trigger', async () => {
    const id = await place('bob', { stop: 'STOP_LOSS', trigger: '3000000000' })
    assert.equal((await cancel('bob', id)).status, 200)
  })

  test('DELETE /orders/{order_id} promises the cancel of a resting order where the venue is the canceller', async () => {
    const id = await rest('alice')
    const { status, body } = await cancel('alice', id)
    assert.equal(status, 200, JSON.stringify(body))
    const [intent] = await venue.store.intents.find([`cancel:${id}`])
    assert.deepEqual(
      [intent?.state, intent?.lane, intent?.payload],
      ['queued', 'cancels', { kind: 'cancel', target: id }],
    )
    // A repeated cancel is the same one, and a failed cancel is promised again.
    assert.equal((await cancel('alice', id)).status, 200)
    await venue.move(`cancel:${id}`, 'refused', { reason: 'NotCanceller' })
    assert.equal((await cancel('alice', id)).status, 200)
    assert.equal((await venue.store.intents.find([`cancel:${id}`]))[0]?.state, 'queued')
  })

  test('DELETE /orders/{order_id} promises the cancel of an order that a transaction carries', async () => {
    const id = await place('alice')
    await venue.move(id, 'sent', { txHash: `0x${'ab'.repeat(32)}` })
    assert.equal((await cancel('alice', id)).status, 200)
    assert.equal((await venue.store.intents.find([`cancel:${id}`]))[0]?.state, 'queued')
  })

  test('DELETE /orders/{order_id} promises the cancel of an order whose block was undone: its transaction may come again', async () => {
    const id = await place('alice')
    await venue.move(id, 'sent', { txHash: `0x${'ab'.repeat(32)}` })
    await venue.move(id, 'included', { blockNumber: venue.models[0]?.head?.number })
    await venue.move(id, 'queued')
    const { status, body } = await cancel('alice', id)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.order.order_status, 'pending')
    assert.equal(body.receipt.order_id, receiptId(`cancel:${id}`))
    assert.equal((await venue.store.intents.find([id]))[0]?.state, 'queued')
  })

  test('a promised cancel has a receipt, on any node the same one, and the ledger has it', async () => {
    const id = await rest('alice')
    const name = `cancel:${id}`
    const { body } = await cancel('alice', id)
    assert.ok(Value.Check(CancelledOrder, body))
    const { receipt } = body
    assert.deepEqual([receipt?.order_id, receipt?.lane], [receiptId(name), 'cancels'])
    assert.ok(Number(receipt?.include_by_block) > RELAY_STATUS.block)
    assert.equal(await signerOf(receipt), privateKeyToAddress(RECEIPT_KEY))
    assert.deepEqual((await cancel('alice', id, undefined, 1)).body.receipt, receipt)
    const [entry] = await venue.store.intents.logAfter((receipt?.seq ?? 0) - 1, 1)
    assert.deepEqual(
      [entry?.id, entry?.atNs.toString(), entry?.includeByBlock],
      [name, receipt?.received_ns, receipt?.include_by_block],
    )
  })

  test('a cancel that failed, or that had no promise, has a receipt of its new promise', async () => {
    const id = await rest('alice')
    const first = (await cancel('alice', id)).body.receipt
    await venue.move(`cancel:${id}`, 'refused', { reason: 'NotCanceller' })
    scenario.next().next().next()
    await venue.follow()
    const again = (await cancel('alice', id)).body.receipt
    assert.ok(again.seq > first.seq && again.include_by_block > first.include_by_block)
    assert.equal(await signerOf(again), privateKeyToAddress(RECEIPT_KEY))
    assert.deepEqual((await cancel('alice', id, undefined, 1)).body.receipt, again)
    // A cancel by the watcher has no promise; a client that requests the same one gets a promise.
    await venue.move(`cancel:${id}`, 'queued', { includeByBlock: 0 })
    const promised = (await cancel('alice', id)).body.receipt
    assert.ok(promised.seq > again.seq && promised.include_by_block > 0)
    assert.deepEqual((await cancel('alice', id, undefined, 1)).body.receipt, promised)
  })

  test('DELETE /orders/{order_id} otherwise requires a signature, returns the data to sign, and accepts it', async () => {
    const id = await rest('bob')
    const { status, body } = await cancel('bob', id)
    assert.deepEqual([status, body.error], [400, 'CANCEL_SIGNATURE_REQUIRED'])
    const data = body.details[0].typed_data
    const key = signingKey(scenario.accountOf('bob'))
    const signature = await signDigest(key, hashTypedData(data))
    const sent = { signature, deadline: data.message.deadline }
    const signed = await cancel('bob', id, sent)
    assert.equal(signed.status, 200, JSON.stringify(signed.body))
    const [intent] = await venue.store.intents.find([hashTypedData(data)])
    assert.equal(intent?.payload.kind, 'signed_cancel')
    assert.equal(signed.body.receipt.order_id, intent?.id)
    assert.equal(await signerOf(signed.body.receipt), privateKeyToAddress(RECEIPT_KEY))
    const last = signature.endsWith('1b') ? '00' : '01'
    const byHardware = { ...sent, signature: `${signature.slice(0, -2)}${last}` }
    assert.equal((await cancel('bob', id, byHardware)).status, 200, 'ends in a recovery id')
    const late = await cancel('bob', id, { ...sent, deadline: `${data.message.deadline}000` })
    assert.deepEqual(
      [late.status, late.body.details[0].field, late.body.details[0].nearest],
      [400, 'deadline', data.message.deadline],
    )
    const query = new URLSearchParams(sent)
    assert.equal((await cancel('bob', `${id}?${query}`)).status, 200)
    const foreign = await signDigest(signingKey(99), hashTypedData(data))
    const refused = await cancel('bob', id, { ...sent, signature: foreign })
    assert.equal(refused.body.error, 'ORDER_BAD_SIGNING_KEY')
  })

  test('DELETE /orders/{order_id} names the way of a contract wallet: engines take no EIP-1271 signature', async () => {
    const id = await rest('bob')
    const signature = `0x${'ab'.repeat(97)}`
    const { status, body } = await cancel('bob', id, { signature, deadline: '4000000000' })
    assert.deepEqual([status, body.error], [400, 'INVALID_PARAMETER'])
    assert.match(body.details[0].message, /POST \/account\/cancellers/)
  })

  test('DELETE /orders/{order_id} of an order that ended is 404 with its last known state', async () => {
    const id = await place('bob')
    await cancel('bob', id)
    await venue.caughtUp()
    const { status, body } = await cancel('bob', id, undefined, 1)
    assert.deepEqual([status, body.error], [404, 'ORDER_DOES_NOT_EXIST'])
    assert.deepEqual(body.details[0].facts, { order_id: id, order_status: 'cancelled' })
  })

  test('DELETE /orders/{order_id} of an order of another account, or of none, is 404', async () => {
    const id = await place('bob')
    for (const other of [id, `0x${'77'.repeat(32)}`, 'x'])
      assert.equal((await cancel('alice', other)).status, 404)
  })

  test('DELETE /orders/{order_id} names a member that is unknown or malformed', async () => {
    const id = await place('bob')
    for (const body of [{ reason: 'x' }, { signature: '0x12' }, { deadline: 'soon' }])
      assert.deepEqual((await cancel('bob', id, body)).body.error, 'INVALID_PARAMETER')
  })
})
