// Reads the chain state that the sender needs in one batch request.
import type { RpcCall } from '@openvenue/runtime/json-rpc'
import { type CallAnswer, NodeFailed, quantity, type RpcNode } from '@openvenue/runtime/node'
import type { Hex } from 'viem'

export type Head = Readonly<{
  number: number
  hash: string
  seconds: number
  baseFee: bigint
  /** Gas limit of a block. */
  gasLimit: number
}>
/** The block that includes a transaction, and whether the transaction succeeded. */
export type Inclusion = Readonly<{
  blockNumber: number
  blockHash: string
  isDone: boolean
  /** First topic of each of its logs. */
  events: readonly string[]
}>

export type ChainSnapshot = Readonly<{
  head: Head
  /** Next nonce at the newest block, and the next nonce including the node's pool. */
  mined: number
  pending: number
  tip: bigint
  /** Hash of the anchor block; undefined when there is no block of that number. */
  anchorHash: string | undefined
  inclusions: ReadonlyMap<Hex, Inclusion>
  /** The requested hashes that the node knows. */
  known: ReadonlySet<Hex>
}>

type SnapshotRequest = Readonly<{
  address: string
  /** Hashes whose receipts and presence in the pool are requested. */
  receipts: readonly Hex[]
  presence: readonly Hex[]
  anchorNumber: number | undefined
}>

const QUANTITY = /^0x[0-9a-f]{1,64}$/i
/** Tip for nodes that lack the method. */
const TIP_ABSENT = 0n

/** Reads the chain once. Receipts come after the nonce, so that a used nonce has its receipt. */
export async function readChainSnapshot(
  node: RpcNode,
  { address, receipts, presence, anchorNumber }: SnapshotRequest,
): Promise<ChainSnapshot> {
  const calls: RpcCall[] = [
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_getTransactionCount', params: [address, 'latest'] },
    { method: 'eth_getTransactionCount', params: [address, 'pending'] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
    {
      method: 'eth_getBlockByNumber',
      params: [anchorNumber === undefined ? 'latest' : quantity(anchorNumber), false],
    },
    ...receipts.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    ...presence.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
  ]
  const answers = await node.batch(calls)
  const [head, mined, pending, tip, anchor] = answers
  const rest = answers.slice(5)
  return {
    head: parseHead(requireResult(head)),
    mined: parseWhole(requireResult(mined)),
    pending: parseWhole(requireResult(pending)),
    tip: tip !== undefined && 'result' in tip ? parseWei(tip.result) : TIP_ABSENT,
    anchorHash: (resultIn(anchor) as { hash?: string } | undefined)?.hash,
    inclusions: parseReceipts(receipts, rest),
    known: new Set(presence.filter((_, at) => resultIn(rest[receipts.length + at]) !== undefined)),
  }
}

/** Returns the tip that the node suggests on top of the base fee. */
export async function readTip(node: RpcNode): Promise<bigint> {
  const [tip] = await node.batch([{ method: 'eth_maxPriorityFeePerGas', params: [] }])
  return tip !== undefined && 'result' in tip ? parseWei(tip.result) : TIP_ABSENT
}

export const readHead = async (node: RpcNode): Promise<Head> =>
  parseHead(await node.call('eth_getBlockByNumber', 'latest', false))

function parseHead(result: unknown): Head {
  const { number, hash, timestamp, baseFeePerGas, gasLimit } = result as Record<string, string>
  return {
    number: parseWhole(number),
    hash: hash ?? '',
    seconds: parseWhole(timestamp),
    baseFee: parseWei(baseFeePerGas ?? '0x0'),
    gasLimit: gasLimit === undefined ? Number.MAX_SAFE_INTEGER : parseWhole(gasLimit),
  }
}

/** Parses a quantity from the node as a safe integer. Throws `NodeFailed`. */
function parseWhole(value: unknown): number {
  const whole = Number(parseWei(value))
  if (Number.isSafeInteger(whole)) return whole
  throw new NodeFailed('the node returned a number above 2^53')
}

export function parseWei(value: unknown): bigint {
  if (typeof value === 'string' && QUANTITY.test(value)) return BigInt(value)
  throw new NodeFailed('the node returned a quantity that is not 0x and hex digits')
}

type Receipt = Readonly<{
  blockNumber?: string
  blockHash?: string
  status?: string
  logs?: readonly Readonly<{ topics?: readonly string[] }>[]
}>

function parseReceipts(
  hashes: readonly Hex[],
  answers: readonly CallAnswer[],
): Map<Hex, Inclusion> {
  const inclusions = new Map<Hex, Inclusion>()
  for (const [at, hash] of hashes.entries()) {
    const receipt = resultIn(answers[at]) as Receipt | undefined
    if (receipt === undefined) continue
    const { blockNumber, blockHash = '', status, logs = [] } = receipt
    inclusions.set(hash, {
      blockNumber: parseWhole(blockNumber),
      blockHash,
      isDone: status === '0x1',
      events: logs.flatMap(({ topics = [] }) => topics.slice(0, 1)),
    })
  }
  return inclusions
}

function requireResult(answer: CallAnswer | undefined): unknown {
  const value = resultIn(answer)
  if (value === undefined) throw new NodeFailed('the node returned no newest block')
  return value
}

/** Returns undefined when the node refuses the call or has no result. */
const resultIn = (answer: CallAnswer | undefined): unknown =>
  answer !== undefined && 'result' in answer ? (answer.result ?? undefined) : undefined
