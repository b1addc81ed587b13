// Makes a venue and a chain that answer like real ones, so that promises can be broken on purpose.
import { createHash } from 'node:crypto'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { LEDGER_BEGIN, ledgerText } from '@openvenue/core/ledger'
import type { LedgerItem, Relay, RelayLedger } from '@openvenue/wire/relay'
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  toFunctionSelector,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Rpc } from '../rpc.ts'
import { type Get, receiptId } from '../venue.ts'

const ENGINE = `0x${'e1'.repeat(20)}` as const
const WALLET = `0x${'aa'.repeat(20)}`
/** Wallet of the cancel lane. */
const CANCELLER = `0x${'ca'.repeat(20)}`
const START_SECONDS = 1_800_000_000
const NS_PER_S = 1_000_000_000n

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`
/** The name of order `number`. */
export const orderId = word
const txHash = (nonce: number) => word(0xff0000 + nonce)
const DOMAIN = { name: 'openvenue', version: '1', chainId: 1 }
const DOMAIN_TYPE = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
]
const RECEIPT = [
  { name: 'orderId', type: 'bytes32' },
  { name: 'receivedNs', type: 'uint256' },
  { name: 'seq', type: 'uint256' },
  { name: 'lane', type: 'string' },
  { name: 'includeByBlock', type: 'uint256' },
]
const HEAD = [
  { name: 'seq', type: 'uint256' },
  { name: 'hash', type: 'bytes32' },
]
const message = (primaryType: string, members: typeof RECEIPT) => ({
  domain: DOMAIN,
  types: { EIP712Domain: DOMAIN_TYPE, [primaryType]: members },
  primaryType,
  use: '',
})

type LedgerOverrides = Partial<Omit<LedgerItem, 'seq' | 'hash'>>
type BatchItem = Readonly<{ order: number; rejected?: string; postOnly?: boolean; from?: string }>

/** A venue with the given ledger, and a chain with the given transactions. */
export class FakeVenue {
  readonly entries: LedgerItem[] = []
  readonly #key = privateKeyToAccount(generatePrivateKey())
  readonly #logs: Record<string, unknown>[] = []
  readonly #txs = new Map<string, Record<string, string>>()
  #commit = 0
  #hash = LEDGER_BEGIN
  head = 100
  /** Orders that rest in the newest block. */
  readonly resting = new Set<number>()
  /** Seconds from block to block. */
  blockSeconds = 1

  secondsOf(block: number): number {
    return START_SECONDS + block * this.blockSeconds
  }

  /** Writes an entry as of the time of `block`, in a commit of its own. */
  say(order: number, state: LedgerItem['state'], block: number, more: LedgerOverrides = {}) {
    const id = more.order_id ?? orderId(order)
    const promised = this.entries.findLast((entry) => entry.order_id === id)
    this.entries.push({
      seq: this.entries.length + 1,
      order_id: id,
      kind: 'order',
      lane: 'orders-0',
      state,
      at_ns: (BigInt(this.secondsOf(block)) * NS_PER_S).toString(),
      include_by_block: promised?.include_by_block ?? block + 3,
      tx_hash: null,
      block_number: null,
      reason: null,
      hash: null,
      ...more,
    })
    this.#close()
  }

  /** Writes an entry of the cancel of `order`. */
  sayCancel(
    order: number,
    state: LedgerItem['state'],
    block: number,
    more: LedgerOverrides = {},
  ): void {
    this.say(order, state, block, {
      order_id: `cancel:${orderId(order)}`,
      kind: 'cancel',
      lane: 'cancels',
      ...more,
    })
  }

  /** Mines a transaction that cancels; `without`: it has no effect. */
  mineCancels(
    nonce: number,
    block: number,
    orders: readonly number[],
    { without = false } = {},
  ): void {
    const [hash, blockNumber] = [txHash(nonce), `0x${block.toString(16)}`]
    const data = { abi: perpsAbi, functionName: 'cancelFor', args: [1, 7, orders] } as const
    const sent = { hash, from: CANCELLER, to: ENGINE, nonce: `0x${nonce.toString(16)}` }
    this.#txs.set(hash, { ...sent, blockNumber, input: encodeFunctionData(data) })
    for (const order of without ? [] : orders)
      this.#logs.push({
        ...cancelledLog(order),
        address: ENGINE,
        blockNumber,
        transactionHash: hash,
        logIndex: `0x${this.#logs.length.toString(16)}`,
      })
  }

  /** All steps of a cancel: promised, sent and included in `block`. */
  cancel(order: number, nonce: number, block: number, more: LedgerOverrides = {}): void {
    this.sayCancel(order, 'queued', block - 1, more)
    this.sayCancel(order, 'sent', block - 1, { tx_hash: txHash(nonce) })
    this.mineCancels(nonce, block, [order])
    this.sayCancel(order, 'included', block, { block_number: block })
  }

  /** Mines a transaction of a lane's wallet. */
  mine(nonce: number, block: number, items: readonly BatchItem[]): void {
    for (const { order, rejected, postOnly = false, from = WALLET } of items) {
      const hash = txHash(nonce)
      const sent = { hash, from, to: ENGINE, nonce: `0x${nonce.toString(16)}`, input: '0x' }
      this.#txs.set(hash, { ...sent, blockNumber: `0x${block.toString(16)}` })
      this.#logs.push({
        ...(rejected === undefined ? placedLog(order, postOnly) : rejectedLog(order, rejected)),
        address: ENGINE,
        blockNumber: `0x${block.toString(16)}`,
        transactionHash: hash,
        logIndex: `0x${this.#logs.length.toString(16)}`,
      })
    }
  }

  /** All steps of an order: promised, sent and included in `block`. */
  include(order: number, nonce: number, block: number, more: LedgerOverrides = {}): void {
    this.say(order, 'queued', block - 1, more)
    this.say(order, 'sent', block - 1, { tx_hash: txHash(nonce) })
    this.mine(nonce, block, [{ order }])
    this.say(order, 'included', block, { block_number: block })
  }

  /** Removes entries as if they had never existed, with new numbers and hashes. */
  rewrite(keep: (entry: LedgerItem) => boolean): void {
    const remaining = this.entries.filter(keep)
    this.entries.length = 0
    this.#commit = 0
    this.#hash = LEDGER_BEGIN
    for (const entry of remaining) {
      this.entries.push({ ...entry, seq: this.entries.length + 1, hash: null })
      this.#close()
    }
  }

  #close(): void {
    const pending = this.entries.slice(this.#commit).map((entry) => ({
      seq: entry.seq,
      id: entry.order_id,
      kind: entry.kind,
      lane: entry.lane,
      state: entry.state,
      atNs: entry.at_ns,
      includeByBlock: entry.include_by_block,
      txHash: entry.tx_hash ?? undefined,
      blockNumber: entry.block_number ?? undefined,
      reason: entry.reason ?? undefined,
    }))
    this.#hash = createHash('sha256').update(ledgerText(this.#hash, pending)).digest('hex')
    this.#commit = this.entries.length
    const last = this.entries.pop() as LedgerItem
    this.entries.push({ ...last, hash: this.#hash })
  }

  readonly get: Get = async (path) => {
    const url = new URL(path, 'http://venue')
    if (url.pathname === '/info')
      return { contracts: { spot: { address: ENGINE } }, network: { rpc_urls: [] } } as never
    if (url.pathname === '/relay') return this.#relay() as never
    return (await this.#ledger(url.searchParams)) as never
  }

  readonly rpc: Rpc = async (asks) =>
    asks.map(({ method, params: [first] }) => {
      if (method === 'eth_blockNumber') return `0x${this.head.toString(16)}`
      if (method === 'eth_getLogs') return this.#logs
      if (method === 'eth_getTransactionReceipt') return { status: '0x1' }
      if (method === 'eth_call') return this.#orderAt(first as { data: Hex })
      if (method === 'eth_getTransactionByHash') return this.#txs.get(first as string)
      return { timestamp: `0x${this.secondsOf(Number(first)).toString(16)}` }
    })

  #orderAt({ data }: Readonly<{ data: Hex }>): Hex {
    const { args } = decodeFunctionData({ abi: perpsAbi, data })
    const lots = this.resting.has(Number(args?.[1])) ? 1n : 0n
    const order = { account: 7, lots, prev: 0, next: 0, tick: 1, flags: 0, goodTil: 0 }
    return encodeFunctionResult({ abi: perpsAbi, functionName: 'orderAt', result: order })
  }

  #relay() {
    return {
      receipt_key: this.#key.address.toLowerCase(),
      receipt_keys: [this.#key.address.toLowerCase()],
      typed_data: { Receipt: message('Receipt', RECEIPT), LedgerHead: message('LedgerHead', HEAD) },
      lanes: [
        { name: 'cancels', address: CANCELLER },
        { name: 'orders-0', address: WALLET },
      ],
      status: { block: this.head },
    } as unknown as Relay
  }

  async #ledger(query: URLSearchParams): Promise<RelayLedger> {
    const from = Number(query.get('from_seq') ?? 1)
    const id = query.get('order_id')
    const last = this.entries.at(-1)
    const shown = this.entries.filter(
      (entry) => entry.seq >= from && (id === null || entry.order_id === id),
    )
    const seq = last?.seq ?? 0
    const signed = { ...message('LedgerHead', HEAD), primaryType: 'LedgerHead' as const }
    const said = { seq: BigInt(seq), hash: `0x${this.#hash}` as Hex }
    const signature = await this.#key.signTypedData({ ...signed, message: said } as never)
    return {
      entries: id === null ? shown : await this.#withReceipt(shown),
      from_seq: 1,
      next_seq: null,
      head: last === undefined ? null : { seq, hash: this.#hash, signature },
    }
  }

  async #withReceipt([first, ...rest]: readonly LedgerItem[]): Promise<LedgerItem[]> {
    if (first === undefined) return []
    const { order_id, at_ns: received_ns, seq, lane, include_by_block } = first
    const said = {
      orderId: receiptId(order_id),
      receivedNs: BigInt(received_ns),
      seq: BigInt(seq),
      lane,
      includeByBlock: BigInt(include_by_block),
    }
    const typed = { ...message('Receipt', RECEIPT), message: said }
    const signature = await this.#key.signTypedData(typed as never)
    const receipt = { order_id: said.orderId, received_ns, seq, lane, include_by_block, signature }
    return [{ ...first, receipt }, ...rest]
  }
}

function placedLog(order: number, isPostOnly: boolean) {
  const topics = encodeEventTopics({
    abi: perpsAbi,
    eventName: 'Placed',
    args: { market: 1, account: 7 },
  })
  const types = ['uint40', 'bool', 'uint24', 'uint64', 'uint8', 'bool', 'uint40', 'bytes32']
  const values = [order, true, 1, 1n, isPostOnly ? 3 : 0, false, 0, orderId(order)]
  return {
    topics,
    data: encodeAbiParameters(
      types.map((type) => ({ type })),
      values,
    ),
  }
}

function cancelledLog(order: number) {
  const topics = encodeEventTopics({
    abi: perpsAbi,
    eventName: 'Cancelled',
    args: { market: 1, account: 7 },
  })
  const types = ['uint40', 'uint64', 'uint8'].map((type) => ({ type }))
  return { topics, data: encodeAbiParameters(types, [order, 1n, 0]) }
}

function rejectedLog(order: number, error: string) {
  const topics = encodeEventTopics({
    abi: perpsAbi,
    eventName: 'Rejected',
    args: { ref: orderId(order) },
  })
  const types = [{ type: 'uint256' }, { type: 'bytes4' }]
  return { topics, data: encodeAbiParameters(types, [0n, selectorOf(error)]) }
}

function selectorOf(error: string): Hex {
  const entry = perpsAbi.find((item) => item.type === 'error' && item.name === error)
  const inputs = (entry as { inputs?: readonly { type: string }[] })?.inputs ?? []
  return toFunctionSelector(`${error}(${inputs.map(({ type }) => type).join(',')})`)
}
