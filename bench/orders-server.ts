// Accepts orders over fastify: `bare` recovers the signer of a digest and inserts the row; `venue`
// hashes the order, recovers its signer, adds the intent with its log and hash, and signs the
// receipt. Arguments: kind and database. Sends its port over IPC.
import type { AddressInfo } from 'node:net'
import type { OrderMembers } from '@openvenue/store/intents/intents'
import { openStore } from '@openvenue/store/open'
import fastify from 'fastify'
import { Pool } from 'pg'
import { createReceipts } from '../api/src/orders/relay/receipt.ts'
import { orderDigest, signedOrder } from '../api/src/orders/rules/signed-order.ts'
import { recoverSigner } from '../api/src/orders/rules/signing-keys.ts'
import { answerCpuQuestions } from './cpu.ts'
import { BENCH_DOMAIN, BENCH_ENGINE } from './orders-domain.ts'

type Body = Readonly<{ id: string; order: OrderMembers; signature: string }>
type Accept = (body: Body) => Promise<object>

const [kind, databaseUrl = ''] = process.argv.slice(2)
const RECEIPT_KEY = `0x${'2b'.repeat(32)}` as const
const INCLUDE_BY = 100
const FAR_SECONDS = 4_000_000_000n

const nowNs = () => BigInt(Date.now()) * 1_000_000n

/** Columns of the row, without its position in the log. */
const BARE = `INSERT INTO bare_intents (id, seq, kind, account, wallet, market, lane, state, gas,
  payload, deadline_seconds, received_ns, include_by_block, updated_ns)
  VALUES ($1, $2, 'order', 7, $3, $4, 'orders-0', 'queued', 66000, $5, $6, $7, $8, $7)`

function bare(): Accept {
  const pool = new Pool({ connectionString: databaseUrl, max: 10 })
  let seq = 0
  return async ({ id, order, signature }) => {
    const signer = recoverSigner(id, signature)
    const payload = JSON.stringify({ kind: 'order', order, signature })
    const ns = nowNs().toString()
    const far = FAR_SECONDS.toString()
    const values = [id, ++seq, signer, `${BENCH_ENGINE}00000001`, payload, far, ns, INCLUDE_BY]
    await pool.query({ name: 'bare', text: BARE, values })
    return { order_id: id }
  }
}

async function venue(): Promise<Accept> {
  const store = await openStore({ databaseUrl })
  const receipts = createReceipts({ ...BENCH_DOMAIN, receiptKey: RECEIPT_KEY })
  return async ({ order, signature }) => {
    const id = orderDigest(BENCH_DOMAIN, BENCH_ENGINE, signedOrder(order))
    const wallet = recoverSigner(id, signature) ?? ''
    const [outcome] = await store.intents.add([
      {
        id,
        wallet,
        account: 7,
        market: `${BENCH_ENGINE}00000001`,
        lane: 'orders-0',
        state: 'queued',
        gas: 66_000,
        payload: { kind: 'order', order, signature },
        deadlineSeconds: FAR_SECONDS,
        receivedNs: nowNs(),
        includeByBlock: INCLUDE_BY,
      },
    ])
    if (outcome === undefined || !('added' in outcome)) throw new Error('the intent was not added')
    return { order_id: id, receipt: receipts.of(outcome.added) }
  }
}

answerCpuQuestions()
const accept = kind === 'bare' ? bare() : await venue()
const server = fastify()
server.post('/orders', (request) => accept(request.body as Body))
await server.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (server.server.address() as AddressInfo).port })
