// A node whose answers tests set, for cases that no real chain can be made to produce.
import type { RpcCall } from '@openvenue/runtime/json-rpc'
import type { CallAnswer, RpcNode } from '@openvenue/runtime/node'
import { type Hex, keccak256, numberToHex, parseTransaction } from 'viem'

type Transaction = Readonly<{
  to: string
  data: Hex
  nonce: number
  gas: bigint
  maxFee: bigint
}>

export class WrittenNode implements RpcNode {
  /** Every accepted transaction, in order. */
  readonly given: Transaction[] = []
  /** Simulated calls, in order. */
  readonly asked: Hex[] = []
  head = 9
  /** While false, transactions stay in the pool. */
  isMining = true
  /** While true, it accepts transactions and drops them right after. */
  isForgetful = false
  /** Base fee of a block, wei. */
  baseFee = 0x64n
  /** False answers by method. */
  lies: Readonly<Record<string, (params: readonly unknown[]) => CallAnswer>> = {}
  /** The answer to a simulation; undefined: its gas. */
  refusal: (data: Hex) => CallAnswer | undefined = () => undefined
  /** Returns whether a transaction succeeds in its block. */
  works: (data: Hex) => boolean = () => true
  readonly #places = new Map<Hex, number>()
  readonly #known = new Map<Hex, Transaction>()
  #mined = 0

  /** Includes up to `count` waiting transactions in one block. */
  mine(count = Number.POSITIVE_INFINITY): void {
    this.head += 1
    for (let n = 0; n < count; n++) {
      const next = [...this.#known].findLast(([, { nonce }]) => nonce === this.#mined)
      if (next === undefined) return
      this.#places.set(next[0], this.head)
      this.#mined += 1
    }
  }

  batch(calls: readonly RpcCall[]): Promise<readonly CallAnswer[]> {
    return Promise.resolve(
      calls.map(
        ({ method, params }) => this.lies[method]?.(params) ?? this.#answer(method, params),
      ),
    )
  }

  async call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const [answer] = await this.batch([{ method, params }])
    return answer !== undefined && 'result' in answer ? answer.result : undefined
  }

  #answer(method: string, params: readonly unknown[]): CallAnswer {
    if (method === 'eth_estimateGas') return this.#simulate((params[0] as { data: Hex }).data)
    if (method === 'eth_sendRawTransaction') return this.take(params[0] as Hex)
    return { result: this.#resultFor(method, params[0] as Hex) }
  }

  #resultFor(method: string, hash: Hex): unknown {
    if (method === 'eth_getTransactionByHash')
      return this.#known.get(hash) === undefined ? null : {}
    if (method === 'eth_getTransactionReceipt') return this.#receipt(hash)
    if (method === 'eth_getTransactionCount') return numberToHex(this.#mined)
    if (method === 'eth_maxPriorityFeePerGas') return '0x1'
    const number = numberToHex(this.head)
    return {
      number,
      hash: number,
      timestamp: numberToHex(this.head + 3_591),
      baseFeePerGas: numberToHex(this.baseFee),
    }
  }

  #simulate(data: Hex): CallAnswer {
    this.asked.push(data)
    return this.refusal(data) ?? { result: '0x5208' }
  }

  take(raw: Hex): CallAnswer {
    const { to, data = '0x', nonce = 0, gas = 0n, maxFeePerGas = 0n } = parseTransaction(raw)
    const given = { to: to ?? '', data, nonce, gas, maxFee: maxFeePerGas }
    this.given.push(given)
    if (this.isForgetful) return { result: keccak256(raw) }
    this.#known.set(keccak256(raw), given)
    if (this.isMining) this.mine(1)
    return { result: keccak256(raw) }
  }

  #receipt(hash: Hex): unknown {
    const number = this.#places.get(hash)
    if (number === undefined) return null
    const status = this.works(this.#known.get(hash)?.data ?? '0x') ? '0x1' : '0x0'
    return { blockNumber: numberToHex(number), blockHash: numberToHex(number), status }
  }
}
