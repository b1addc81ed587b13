// A node that may lag behind its chain, and a balancer in front of several.
import { type RpcCall, RpcError } from '@openvenue/runtime/json-rpc'
import type { Rpc } from '../src/rpc.ts'
import type { FakeChain } from './chain.ts'

const quantity = (value: number) => `0x${value.toString(16)}`

export class FakeNode {
  chain: FakeChain
  /** Blocks of the chain that it lacks. */
  behind = 0
  /** True: it returns no logs for an unknown block, like some nodes. */
  isSilent = false
  isDown = false
  /** Number of answers in which it omits logs although it has the blocks. */
  shorts = 0
  requests = 0

  constructor(chain: FakeChain) {
    this.chain = chain
  }

  get height(): number {
    return Math.max(0, this.chain.head.number - this.behind)
  }

  /** Returns its head as a newHeads message. */
  headMessage(): object {
    const [block] = [this.chain.answer(headCallAt(this.height))]
    return block as object
  }

  readonly rpc: Rpc = async (calls) => {
    this.requests++
    if (this.isDown) throw new RpcError('unreachable', 'fake')
    this.chain.beforeCall(calls)
    return calls.map((call) => this.answer(call))
  }

  answer(call: RpcCall): unknown {
    const [first] = call.params
    if (call.method === 'eth_getBlockByNumber') return this.#block(String(first))
    if (call.method === 'eth_getLogs') {
      const logs = this.#logs(call, first as Record<string, string>)
      return this.shorts > 0 && this.shorts-- > 0 ? [] : logs
    }
    if (call.method.includes('Block')) return this.#ofHash(call, String(first))
    return this.chain.answer(call)
  }

  #block(tag: string): unknown {
    const number = tag === 'latest' ? this.height : Number(tag)
    return number > this.height ? null : this.chain.answer(headCallAt(number))
  }

  /** Returns the logs of known blocks up to a number; refuses an unknown hash. */
  #logs(call: RpcCall, filter: Record<string, string>): unknown {
    const { blockHash, toBlock } = filter
    if (blockHash !== undefined) return this.#ofHash(call, blockHash)
    const clipped = quantity(Math.min(Number(toBlock), this.height))
    return this.chain.answer({ ...call, params: [{ ...filter, toBlock: clipped }] })
  }

  #ofHash(call: RpcCall, hash: string): unknown {
    const number = this.chain.blockNumber(hash)
    if (number !== undefined && number <= this.height) return this.chain.answer(call)
    if (call.method !== 'eth_getLogs') return null
    if (this.isSilent) return []
    throw new RpcError('refused', 'unknown block')
  }
}

const headCallAt = (number: number): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [quantity(number), false],
})

/** One URL with several nodes behind it: each request goes to the one that `pick` returns. */
export const balanced =
  (pick: (calls: readonly RpcCall[]) => FakeNode): Rpc =>
  (calls) =>
    pick(calls).rpc(calls)
