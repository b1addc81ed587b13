// Examines the relayer's transactions: gas per order in its batches, and the throughput of the
// chain with the same calldata and no other load.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { type ChainRpc, rpcAt } from '@openvenue/devnet/rpc'
import { decodeFunctionData, type Hex } from 'viem'
import type { OrdersVenue } from './orders-venue.ts'
import { type Section, whole } from './table.ts'

/** Minimum share of the original gas in the replay; the rest depends on prices in between. */
const GAS_SHARE_MIN = 0.95

/** A transaction of the relayer that can be sent again. */
type RelayerTx = Readonly<{ from: string; to: string; input: Hex; gas: string; nonce: string }>
type Block = Readonly<{
  timestamp: string
  transactions: readonly (RelayerTx & { hash: string })[]
}>
type TxBatch = Readonly<{ kind: string; items: number; gas: number }>

/** The transactions of one phase, and a snapshot of the chain before it. */
type RecordedChain = Readonly<{
  snapshot: unknown
  blocks: readonly Block[]
  batches: readonly TxBatch[]
}>

/** Runs `act` and returns its result with the relayer's transactions meanwhile. */
export async function record<T>(
  venue: OrdersVenue,
  act: () => Promise<T>,
): Promise<[T, RecordedChain]> {
  const rpc = rpcAt(venue.spoken.rpcUrl)
  const snapshot = await rpc.call('evm_snapshot')
  const from = Number(await rpc.call('eth_blockNumber'))
  const result = await act()
  const to = Number(await rpc.call('eth_blockNumber'))
  const numbers = Array.from({ length: to - from }, (_, at) => `0x${(from + 1 + at).toString(16)}`)
  const all = await answered<Block>(
    rpc,
    numbers.map((number) => ['eth_getBlockByNumber', number, true]),
  )
  const isRelayed = ({ from: sender }: RelayerTx) => venue.relayers.includes(sender.toLowerCase())
  const blocks = all.map(({ timestamp, transactions }) => ({
    timestamp,
    transactions: transactions.filter(isRelayed),
  }))
  const sent = blocks.flatMap(({ transactions }) => transactions)
  const receipts = await receiptsOf(rpc, sent)
  const spot = venue.spoken.deployment.spot.toLowerCase()
  const batches = sent.map(({ to: engine, input }, at) => ({
    ...contentOf(input, engine.toLowerCase() === spot ? 'spot' : 'perpetual'),
    gas: Number(receipts[at]?.gasUsed),
  }))
  return [result, { snapshot, blocks, batches }]
}

const receiptsOf = (rpc: ChainRpc, sent: readonly { hash: string }[]) =>
  answered<Readonly<{ gasUsed: string; status: string }>>(
    rpc,
    sent.map(({ hash }) => ['eth_getTransactionReceipt', hash]),
  )

async function answered<T>(
  rpc: ChainRpc,
  calls: readonly (readonly [string, ...unknown[]])[],
): Promise<readonly T[]> {
  const answers = await rpc.batch(calls.map(([method, ...params]) => ({ method, params })))
  return answers.map((answer) => {
    if ('refused' in answer) throw new Error(answer.refused)
    return answer.result as T
  })
}

/** Describes the content of a transaction: the number of orders of an engine, or of cancels. */
function contentOf(input: Hex, engine: string): Omit<TxBatch, 'gas'> {
  const { functionName, args } = decodeFunctionData({ abi: perpsAbi, data: input })
  if (functionName === 'placeMany')
    return { kind: `order, ${engine}`, items: (args[0] as readonly unknown[]).length }
  const cancel = { kind: `cancel, ${engine}` }
  if (functionName === 'multicall') {
    const calls = (args[0] as readonly Hex[]).map((call) => contentOf(call, engine).items)
    return { ...cancel, items: calls.reduce((sum, items) => sum + items, 0) }
  }
  if (functionName === 'cancelFor')
    return { ...cancel, items: (args.at(-1) as readonly unknown[]).length }
  throw new Error(`the relayer sends ${functionName}`)
}

/** Returns gas per order by kind, in all batches and in those of ten or more. */
export function gasSection(batches: readonly TxBatch[]): Section {
  const kinds = [...new Set(batches.map(({ kind }) => kind))].sort()
  const figures = (some: readonly TxBatch[]) => {
    const items = some.reduce((sum, batch) => sum + batch.items, 0)
    const gas = some.reduce((sum, batch) => sum + batch.gas, 0)
    return [whole(some.length), (items / some.length).toFixed(1), whole(gas / items)]
  }
  return {
    title: 'gas of an order as the relayer sends it',
    columns: ['', 'transactions', 'in each', 'gas each', 'of ten and more', 'in each', 'gas each'],
    rows: kinds.map((kind) => {
      const ofKind = batches.filter((batch) => batch.kind === kind)
      return [kind, ...figures(ofKind), ...figures(ofKind.filter(({ items }) => items >= 10))]
    }),
  }
}

/** Replays the recorded transactions on the chain from the snapshot; returns orders per second. */
export async function replayAlone(
  venue: OrdersVenue,
  { snapshot, blocks, batches }: RecordedChain,
): Promise<Readonly<{ orders: number; rate: number }>> {
  const rpc = rpcAt(venue.spoken.rpcUrl)
  venue.freeze()
  if ((await rpc.call('evm_revert', snapshot)) !== true) throw new Error('evm_revert failed')
  const hashes: string[] = []
  const startedMs = performance.now()
  for (const { timestamp, transactions } of blocks) {
    const calls = transactions.map(({ from, to, input, gas, nonce }) => {
      const tx = { from, to, data: input, gas, nonce }
      return ['eth_sendTransaction', tx] as const
    })
    hashes.push(...(await answered<string>(rpc, calls)))
    if (calls.length > 0) await rpc.call('evm_mine', { timestamp: Number(timestamp) })
  }
  const seconds = (performance.now() - startedMs) / 1000
  const receipts = await receiptsOf(
    rpc,
    hashes.map((hash) => ({ hash })),
  )
  const gas = receipts.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0)
  const before = batches.reduce((sum, batch) => sum + batch.gas, 0)
  if (gas < before * GAS_SHARE_MIN)
    throw new Error(`gas of the replay: got ${gas}, expected ${before}`)
  const orders = batches.reduce((sum, { items }) => sum + items, 0)
  return { orders, rate: orders / seconds }
}
