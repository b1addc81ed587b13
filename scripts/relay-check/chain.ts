// Reads the engines' events of orders, and the senders of their transactions, from a node.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import {
  type Abi,
  type AbiEvent,
  decodeEventLog,
  type Hex,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { chainId, type EngineDomain, readCancels, readResting } from './cancels.ts'
import type { Chain, ChainLog, ChainTx } from './histories.ts'
import type { Rpc } from './rpc.ts'

/** Blocks of one question for logs. */
const BLOCKS_MAX = 2000
const POST_ONLY = 3
/** A refusal without an error of the contract: the item ran out of gas. */
const OUT_OF_GAS = 'OutOfGas'

const event = (name: string) =>
  perpsAbi.find((item) => item.type === 'event' && item.name === name) as AbiEvent
const PLACED = event('Placed')
const REJECTED = event('Rejected')
const CANCELLED = event('Cancelled')
const TOPICS = [PLACED, REJECTED, CANCELLED].map((event) => toEventSelector(event))

/** Names of errors by selector. */
const ERRORS = new Map(
  ([...perpsAbi, ...spotAbi] as Abi).flatMap((item) => {
    if (item.type !== 'error') return []
    const signature = `${item.name}(${item.inputs.map(({ type }) => type).join(',')})`
    return [[toFunctionSelector(signature) as string, item.name] as const]
  }),
)

type ChainQuery = Readonly<{
  engines: readonly string[]
  domain: EngineDomain
  fromBlock: number
  /** Blocks whose times are asked for, where the chain has them. */
  timesOf: readonly number[]
  /** Transactions that the ledger names for cancels. */
  cancelTxs: readonly string[]
  /** Names of the orders that those cancels found gone, according to the ledger. */
  gone: readonly string[]
}>

/** Reads the chain's events of orders from a block on. */
export async function readChain(rpc: Rpc, query: ChainQuery): Promise<Chain> {
  const [newest] = await rpc([{ method: 'eth_blockNumber', params: [] }])
  const head = Number(newest)
  const raw = await readLogs(rpc, query.engines, [query.fromBlock, head])
  const isCancelled = ({ topics }: RawLog) => topics[0] === TOPICS[2]
  const decoded = raw
    .filter((log) => !isCancelled(log))
    .map((log) => [log, decodeLog(log)] as const)
  const placed = decoded.filter(([, { kind }]) => kind === 'placed')
  const ids = placed.map(([log, { ref }]) => [ref, orderOf(log)] as const)
  const cancelled = raw.filter(isCancelled)
  const hashes = [...raw.map(({ transactionHash }) => transactionHash), ...query.cancelTxs]
  const txs = await readTxs(rpc, [...new Set(hashes)], query.domain)
  const idOf = new Map(ids)
  const gone = query.gone.map((name) => idOf.get(name) ?? name)
  const engines = query.engines.map((engine) => engine.toLowerCase())
  const isOrder = (id: string) => engines.some((engine) => id.startsWith(engine))
  const orders = new Set(ids.map(([, id]) => id))
  return {
    head,
    logs: Map.groupBy(
      decoded.map(([, log]) => log),
      ({ ref }) => ref,
    ),
    txs: new Map(txs.map((tx) => [tx.hash, tx])),
    done: await readDone(rpc, query.cancelTxs),
    ids: idOf,
    nameable: new Set(
      txs.flatMap(({ cancels }) => cancels.filter((name) => !isOrder(name) || orders.has(name))),
    ),
    cancelled: new Map(cancelled.map((log) => [orderOf(log), Number(log.blockNumber)])),
    resting: await readResting(rpc, [...new Set(gone)].filter(isOrder)),
    seconds: await readSeconds(rpc, query.timesOf, head),
  }
}

async function readSeconds(
  rpc: Rpc,
  timesOf: readonly number[],
  head: number,
): Promise<Chain['seconds']> {
  const blocks = [...new Set(timesOf)].filter((block) => block > 0 && block <= head)
  const blocksRead = await rpc(
    blocks.map((block) => ({ method: 'eth_getBlockByNumber', params: [hex(block), false] })),
  )
  return new Map(
    blocksRead.map((block, at) => {
      const { timestamp } = block as { timestamp: string }
      return [blocks[at] ?? 0, Number(timestamp)] as const
    }),
  )
}

/** Returns those of the transactions that did not revert. */
async function readDone(rpc: Rpc, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const unique = [...new Set(hashes)]
  const receipts = await rpc(
    unique.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  const isDone = (receipt: unknown) =>
    (receipt as { status?: string } | null | undefined)?.status === '0x1'
  return new Set(unique.filter((_, at) => isDone(receipts[at])))
}

const marketOf = ({ topics }: RawLog) => Number(topics[1])
/** The order's number is the first word of the data of both events. */
const NUMBER_END = 2 + 64
const orderOf = (log: RawLog) =>
  chainId(log.address, marketOf(log), Number(log.data.slice(0, NUMBER_END)))

const hex = (value: number) => `0x${value.toString(16)}`

async function readLogs(
  rpc: Rpc,
  engines: readonly string[],
  [from, to]: readonly [number, number],
): Promise<readonly RawLog[]> {
  const logs: RawLog[] = []
  for (let first = from; first <= to; first += BLOCKS_MAX) {
    const last = Math.min(to, first + BLOCKS_MAX - 1)
    const filter = { address: engines, topics: [TOPICS], fromBlock: hex(first), toBlock: hex(last) }
    const [page] = await rpc([{ method: 'eth_getLogs', params: [filter] }])
    logs.push(...(page as RawLog[]))
  }
  return logs
}

type RawLog = Readonly<{
  address: string
  topics: [Hex, ...Hex[]]
  data: Hex
  blockNumber: string
  transactionHash: string
  logIndex: string
}>

function decodeLog(log: RawLog): ChainLog {
  const { topics, data } = log
  const isPlaced = topics[0] === TOPICS[0]
  const { args } = decodeEventLog({ abi: [isPlaced ? PLACED : REJECTED], topics, data })
  const { ref, reason, reduceOnly, timeInForce } = args as unknown as {
    ref: string
    reason?: string
    reduceOnly?: boolean
    timeInForce?: number
  }
  return {
    ref,
    kind: isPlaced ? 'placed' : 'rejected',
    block: Number(log.blockNumber),
    txHash: log.transactionHash,
    logIndex: Number(log.logIndex),
    reason: isPlaced ? undefined : nameError(reason ?? ''),
    rank: reduceOnly ? 1 : timeInForce === POST_ONLY ? 2 : 3,
  }
}

const nameError = (selector: string) =>
  /^0x0*$/.test(selector) ? OUT_OF_GAS : (ERRORS.get(selector) ?? selector)

async function readTxs(
  rpc: Rpc,
  hashes: readonly string[],
  domain: EngineDomain,
): Promise<readonly ChainTx[]> {
  const txs = await rpc(
    hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
  )
  // One that another took the place of is known no more.
  return txs.flatMap((tx) => (tx === null || tx === undefined ? [] : decodeTx(tx, domain)))
}

function decodeTx(tx: object, domain: EngineDomain): ChainTx {
  const { hash = '', from = '', to = '', nonce, blockNumber, input } = tx as Record<string, string>
  const call = { to: (to ?? '').toLowerCase(), input: input ?? '0x' }
  return {
    hash,
    from: from.toLowerCase(),
    to: call.to,
    nonce: Number(nonce),
    block: blockNumber == null ? undefined : Number(blockNumber),
    cancels: readCancels(domain, call),
  }
}
