// Reads from a node of the chain what its engines did with orders, and who sent the transactions.
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
import type { Chain, ChainLog, ChainTx } from './histories.ts'

/** Requests of one HTTP request, and blocks of one question for logs. */
const BATCH_MAX = 100
const BLOCKS_MAX = 2000
const TIMEOUT_MS = 30_000
const POST_ONLY = 3
/** A refusal without an error of the contract: the item ran out of gas. */
const OUT_OF_GAS = 'OutOfGas'

type Ask = Readonly<{ method: string; params: readonly unknown[] }>
export type Rpc = (asks: readonly Ask[]) => Promise<readonly unknown[]>

/** Returns what asks the node at `url`, in batches. */
export function createRpc(url: string): Rpc {
  const post = async (asks: readonly Ask[]) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asks.map((ask, id) => ({ jsonrpc: '2.0', id, ...ask }))),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const results = (await answer.json()) as { id: number; result?: unknown; error?: unknown }[]
    return asks.map((ask, id) => {
      const found = results.find((result) => result.id === id)
      if (found?.result === undefined)
        throw new Error(`the node answers ${ask.method} (${JSON.stringify(found?.error)})`)
      return found.result
    })
  }
  return async (asks) => {
    const results: unknown[] = []
    for (let at = 0; at < asks.length; at += BATCH_MAX)
      results.push(...(await post(asks.slice(at, at + BATCH_MAX))))
    return results
  }
}

const event = (name: string) =>
  perpsAbi.find((item) => item.type === 'event' && item.name === name) as AbiEvent
const PLACED = event('Placed')
const REJECTED = event('Rejected')
const TOPICS = [toEventSelector(PLACED), toEventSelector(REJECTED)]

/** Names of errors by selector. */
const ERRORS = new Map(
  ([...perpsAbi, ...spotAbi] as Abi).flatMap((item) => {
    if (item.type !== 'error') return []
    const signature = `${item.name}(${item.inputs.map(({ type }) => type).join(',')})`
    return [[toFunctionSelector(signature) as string, item.name] as const]
  }),
)

export type ChainQuery = Readonly<{
  engines: readonly string[]
  fromBlock: number
  /** Blocks whose times are asked for, where the chain has them. */
  timesOf: readonly number[]
}>

/** Returns what the chain says of orders from a block on. */
export async function readChain(
  rpc: Rpc,
  { engines, fromBlock, timesOf }: ChainQuery,
): Promise<Chain> {
  const [newest] = await rpc([{ method: 'eth_blockNumber', params: [] }])
  const head = Number(newest)
  const logs = await readLogs(rpc, engines, [fromBlock, head])
  const txs = await readTxs(rpc, [...new Set(logs.map(({ txHash }) => txHash))])
  const blocks = [...new Set(timesOf)].filter((block) => block > 0 && block <= head)
  const found = await rpc(
    blocks.map((block) => ({ method: 'eth_getBlockByNumber', params: [hex(block), false] })),
  )
  const seconds = found.map((block, at) => {
    const { timestamp } = block as { timestamp: string }
    return [blocks[at] ?? 0, Number(timestamp)] as const
  })
  return {
    head,
    logs: Map.groupBy(logs, ({ ref }) => ref),
    txs: new Map(txs.map((tx) => [tx.hash, tx])),
    seconds: new Map(seconds),
  }
}

const hex = (value: number) => `0x${value.toString(16)}`

async function readLogs(
  rpc: Rpc,
  engines: readonly string[],
  [from, to]: readonly [number, number],
): Promise<readonly ChainLog[]> {
  const logs: ChainLog[] = []
  for (let first = from; first <= to; first += BLOCKS_MAX) {
    const last = Math.min(to, first + BLOCKS_MAX - 1)
    const filter = { address: engines, topics: [TOPICS], fromBlock: hex(first), toBlock: hex(last) }
    const [found] = await rpc([{ method: 'eth_getLogs', params: [filter] }])
    logs.push(...(found as RawLog[]).map(decodeLog))
  }
  return logs
}

type RawLog = Readonly<{
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

async function readTxs(rpc: Rpc, hashes: readonly string[]): Promise<readonly ChainTx[]> {
  const found = await rpc(
    hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
  )
  return found.map((tx) => {
    const { hash, from, to, nonce } = tx as Record<string, string>
    return {
      hash: hash ?? '',
      from: (from ?? '').toLowerCase(),
      to: (to ?? '').toLowerCase(),
      nonce: Number(nonce),
    }
  })
}
