// GET /relay and GET /relay/ledger: the relayer of orders, its rules, and every promise with its
// outcome, for public verification.
import {
  MEASURED_GAS,
  PROMISED_BLOCKS,
  QUEUE_BLOCKS_MAX,
  RELAY_SILENCE_MS,
} from '@openvenue/core/relay'
import type { LedgerPage, LedgerRow } from '@openvenue/store/intents/ledger'
import type { Static } from '@openvenue/wire/field'
import {
  LEDGER_LIMIT_DEFAULT,
  type LedgerItem,
  Relay,
  RelayLedger,
  RelayLedgerQuery,
} from '@openvenue/wire/relay'
import { answerOnce, answers, READS_HISTORY } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { HEAVY_WEIGHT } from '../http/limits.ts'
import { historyUnavailable } from '../http/refusals.ts'
import { fieldRefusal, invalid } from '../http/validation.ts'
import type { RelayReport } from '../orders/relay/intent-book.ts'
import { type Receipts, venueTypedData } from '../orders/relay/receipt.ts'
import { type Parts, type Routes, TAGS } from './route.ts'

/**
 * Age at which entries are shown, at the end of a commit, ms: pending messages, above all cancels,
 * stay private until they are included.
 */
export const LEDGER_DELAY_MS = 10_000
/** Maximum receipts of one answer, since each is a signature. */
const RECEIPTS_MAX = 10
const NS_PER_MS = 1_000_000n
const LEDGER_PATH = '/relay/ledger'

type RelayDeps = Parts<'ledger' | 'relay' | 'settings' | 'clock'>

export const relayRoutes: Routes<'ledger' | 'relay' | 'settings' | 'clock'> = (host, deps) => {
  const tags = TAGS.service
  host.get(
    '/relay',
    {
      config: { isOffChain: true, isTimed: true, ...READS_HISTORY },
      schema: {
        tags,
        summary: 'The relayer of orders to the chain, and its rules',
        response: answers(Relay),
      },
    },
    async (_request, reply) => {
      const said = await deps.relay.readStatus().catch(unavailable)
      return answerOnce(reply, jsonBytes(describeRelay(deps, said)))
    },
  )
  const signHead = keptSignature(deps.relay.receipts)
  host.get(
    LEDGER_PATH,
    {
      config: { isOffChain: true, isTimed: true, weight: HEAVY_WEIGHT, ...READS_HISTORY },
      schema: {
        tags,
        summary: 'Every promise of the venue, with its outcome',
        querystring: RelayLedgerQuery,
        response: answers(RelayLedger),
      },
    },
    async (request, reply) => {
      requireId(request.query)
      const page = await readPage(deps, request.query).catch(unavailable)
      const signature = page.head && signHead(page.head)
      return answerOnce(reply, jsonBytes(encodePage(deps, page, signature, request.query)))
    },
  )
}

const unavailable = (cause: unknown): never => {
  throw historyUnavailable(cause)
}

const RULES: Omit<Relay['rules'], 'ledger_kept_ms'> = {
  promise:
    'The newest block, promised_blocks, and the blocks of gas that wait with it and before it. An ' +
    'order is by then in a block, refused by the chain, expired, or withdrawn by its owner.',
  promised_blocks: PROMISED_BLOCKS,
  window:
    'At once while the lane is idle; else a quarter of a block after the transaction before, or ' +
    'as soon as a transaction is full.',
  order: ['cancels', 'reduce-only', 'post-only', 'the rest'],
  lanes:
    'A transaction takes those that arrived first, of one contract; nonces are in the order of ' +
    'the transactions. A message that a transaction did not decide is sent again, in its own transaction.',
  queue_blocks_max: QUEUE_BLOCKS_MAX,
  gas: {
    spot: MEASURED_GAS.spot,
    perpetual: MEASURED_GAS.perpetual,
    cancel: MEASURED_GAS.cancel,
    signed_cancel: MEASURED_GAS.signedCancel,
    cancelled_order: MEASURED_GAS.cancelledOrder,
  },
  ledger:
    'Each step has the next number. It shows no account and no member of an order: a digest ' +
    'reveals nothing without the order and its salt.',
  ledger_delay_ms: LEDGER_DELAY_MS,
}

function describeRelay(
  { relay: { receipts }, ledger, settings, clock }: RelayDeps,
  relay: RelayReport | undefined,
): Relay {
  const message = (name: 'Receipt' | 'LedgerHead', use: string) => {
    const { domain, types, primaryType } = venueTypedData(settings, name)
    const { EIP712Domain = [], [primaryType]: members = [] } = types
    return {
      domain,
      types: { [primaryType]: [...members] },
      domain_types: [...EIP712Domain],
      primaryType,
      use,
    }
  }
  return {
    receipt_key: receipts?.address ?? null,
    receipt_keys: [
      ...new Set([...(receipts ? [receipts.address] : []), ...settings.receiptAddresses]),
    ],
    typed_data: {
      Receipt: message('Receipt', 'signature of a receipt, by one of receipt_keys'),
      LedgerHead: message('LedgerHead', 'head.signature of the ledger, by one of receipt_keys'),
    },
    canceller: relay?.status.canceller ?? null,
    lanes: (relay?.status.lanes ?? []).map(({ name, address, isFunded, queued, sent, gas }) => ({
      name,
      address,
      is_funded: isFunded,
      queued,
      sent,
      gas,
    })),
    rules: { ...RULES, ledger_kept_ms: ledger.keptMs },
    status: relay === undefined ? null : describeStatus(relay, clock.nowMs()),
    ledger: LEDGER_PATH,
  }
}

function describeStatus({ status, updatedMs }: RelayReport, nowMs: number): Relay['status'] {
  const { block, blockMs, gasPerBlock, ordersPerTx, gasPerTx, lanes } = status
  const gas = lanes.reduce((sum, lane) => sum + lane.gas, 0)
  return {
    is_live: nowMs - updatedMs < RELAY_SILENCE_MS,
    updated_ms: updatedMs,
    block,
    block_ms: blockMs,
    gas_per_block: gasPerBlock,
    orders_per_transaction: ordersPerTx,
    gas_per_transaction: gasPerTx,
    queue: { gas, blocks: Math.ceil((gas / gasPerBlock) * 100) / 100 },
  }
}

type LedgerQuery = Static<typeof RelayLedgerQuery>

const LEDGER_ID = /^(?:0x[0-9a-f]{64}|cancel:0x[0-9a-f]{64}(?::\d{1,20})?)$/

function requireId({ order_id: id }: LedgerQuery): void {
  if (id === undefined || LEDGER_ID.test(id)) return
  const expected = '0x and 64 lower-case hex digits, or cancel: and the id of a cancel'
  throw fieldRefusal([invalid('order_id', expected, { given: id })])
}

const readPage = (
  { ledger, clock }: RelayDeps,
  { from_seq: fromSeq = 1, order_id: id, limit = LEDGER_LIMIT_DEFAULT }: LedgerQuery,
): Promise<LedgerPage> => {
  const untilNs = BigInt(clock.nowMs() - LEDGER_DELAY_MS) * NS_PER_MS
  return id === undefined
    ? ledger.page({ untilNs, fromSeq, limit })
    : ledger.ofIntent(id, { untilNs })
}

/** Signatures are reused while the head is unchanged. */
function keptSignature(receipts: Receipts | undefined) {
  let signed: Readonly<{ hash: string; signature: string }> | undefined
  return (head: Readonly<{ seq: number; hash: string }>): string | undefined => {
    if (receipts === undefined) return undefined
    if (signed?.hash !== head.hash) signed = { hash: head.hash, signature: receipts.signHead(head) }
    return signed.signature
  }
}

function encodePage(
  { relay: { receipts } }: RelayDeps,
  { rows, head, fromSeq }: LedgerPage,
  signature: string | undefined,
  { order_id: id, limit = LEDGER_LIMIT_DEFAULT }: LedgerQuery,
): RelayLedger {
  const items = rows.map(encodeRow)
  if (id !== undefined && receipts !== undefined)
    for (const at of findPromises(rows).slice(-RECEIPTS_MAX)) {
      const row = rows[at] as LedgerRow
      items[at] = {
        ...encodeRow(row),
        receipt: receipts.of({ ...row, receivedNs: row.atNs }),
      }
    }
  const last = rows.at(-1)?.seq
  const isMore = id === undefined && rows.length === limit && last !== head?.seq
  return {
    entries: items,
    from_seq: fromSeq,
    next_seq: isMore && last !== undefined ? last + 1 : null,
    head: head === undefined ? null : { ...head, signature: signature ?? null },
  }
}

/** Returns the entries with a promise: the first, a released order, a renewed promise. */
const findPromises = (rows: readonly LedgerRow[]): readonly number[] =>
  rows.flatMap(({ state, includeByBlock }, at) => {
    const before = rows[at - 1]
    const isNew = before?.state === 'received' || before?.includeByBlock !== includeByBlock
    return at === 0 || (state === 'queued' && isNew) ? [at] : []
  })

const encodeRow = (row: LedgerRow): LedgerItem => ({
  seq: row.seq,
  order_id: row.id,
  kind: row.kind as LedgerItem['kind'],
  lane: row.lane,
  state: row.state as LedgerItem['state'],
  at_ns: row.atNs.toString(),
  include_by_block: row.includeByBlock,
  tx_hash: row.txHash ?? null,
  block_number: row.blockNumber ?? null,
  reason: row.reason ?? null,
  ...(row.state === 'expired' ? { deadline: Number(row.deadlineSeconds) } : {}),
  hash: row.hash ?? null,
})
