// Encodes and decodes rows of intents and moves.
import type { SqlRow } from '../db/db.ts'
import type {
  Intent,
  IntentMove,
  IntentPayload,
  IntentState,
  NewIntent,
  OrderOnChain,
} from './intents.ts'

/** Maximum length of a reason, since a node's message may be anything. */
const REASON_LENGTH_MAX = 200
const UNPRINTED = /[^ -~]/g

/** Columns of the intent `i` for `decodeIntent`. */
export const INTENT_COLUMNS = `i.id, i.seq, i.kind, i.account, i.wallet, i.market, i.lane, i.state, i.gas,
  i.payload, i.client_order_id, i.parent_id, i.deadline_seconds, i.received_ns,
  i.include_by_block, i.tx_hash, i.block_number, i.reason, i.updated_ns`

/** Number of cells of an intent. */
export const INTENT_COLUMN_COUNT = 19

/** Returns a reason as it is stored. */
export const printed = (reason: string | undefined) =>
  reason?.replace(UNPRINTED, ' ').slice(0, REASON_LENGTH_MAX)

/** Encodes an intent for the statement `add`. */
export const encodeNew = (intent: NewIntent, at: number) => {
  const { payload, clientOrderId, parentId, deadlineSeconds, receivedNs, includeByBlock } = intent
  const { id, account, wallet, market, lane, state, gas } = intent
  return {
    at,
    id,
    account,
    wallet,
    market,
    lane,
    state,
    gas,
    kind: payload.kind,
    payload: JSON.stringify(payload),
    client_order_id: clientOrderId ?? null,
    parent_id: parentId ?? null,
    deadline_seconds: deadlineSeconds.toString(),
    received_ns: receivedNs.toString(),
    include_by_block: includeByBlock,
    takes_name_of: intent.takesNameOf ?? null,
  }
}

/** Encodes a step for the statement `move`. */
export const encodeMove = (
  { id, from, to, atNs, txHash, blockNumber, reason, includeByBlock, isUnsent }: IntentMove,
  at: number,
) => ({
  at,
  id,
  sources: from.join(','),
  target: to,
  at_ns: atNs.toString(),
  tx_hash: txHash ?? null,
  block_number: blockNumber ?? null,
  reason: printed(reason) ?? null,
  promise: includeByBlock ?? null,
  unsent: isUnsent ?? false,
})

/** Decodes INTENT_COLUMNS. */
export function decodeIntent(row: SqlRow): Intent {
  const [id, seq, , account, wallet, market, lane, state, gas, payload, ...rest] = row
  const [clientOrderId, parentId, deadline, received, includeBy, ...end] = rest
  const [txHash, block, reason, updated] = end
  return {
    id: String(id),
    seq: Number(seq),
    account: Number(account),
    wallet: String(wallet),
    market: String(market),
    lane: String(lane),
    state: state as IntentState,
    gas: Number(gas),
    payload: JSON.parse(String(payload)) as IntentPayload,
    clientOrderId: clientOrderId ?? undefined,
    parentId: parentId ?? undefined,
    deadlineSeconds: BigInt(deadline as string),
    receivedNs: BigInt(received as string),
    includeByBlock: Number(includeBy),
    txHash: txHash ?? undefined,
    blockNumber: block == null ? undefined : Number(block),
    reason: reason ?? undefined,
    updatedNs: BigInt(updated as string),
  }
}

export const decodeOnChain = ([
  id,
  market,
  number,
  status,
  isResting,
  block,
]: SqlRow): OrderOnChain => ({
  id: String(id),
  market: String(market),
  number: Number(number),
  status: status as OrderOnChain['status'],
  isResting: Number(isResting) === 1,
  blockNumber: Number(block),
})
