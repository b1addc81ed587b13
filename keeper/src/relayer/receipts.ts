// Decodes from a receipt which orders of a batch the engine refused, and why.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { NodeFailed, type RpcNode } from '@openvenue/runtime/node'
import { type Abi, decodeEventLog, type Hex, toEventSelector, toFunctionSelector } from 'viem'

/** Refusals by digest: the name of the contract's error, or `OUT_OF_GAS`. */
type Refusals = ReadonlyMap<string, string>

/** The item ended without an error of the contract, for lack of gas. */
export const OUT_OF_GAS = 'OutOfGas'

const NO_SELECTOR = '0x00000000'
const REJECTED = perpsAbi.filter((item) => item.type === 'event' && item.name === 'Rejected')
const REJECTED_TOPIC = toEventSelector(REJECTED[0] as Parameters<typeof toEventSelector>[0])

/** Error names by selector. */
const ERROR_NAMES = new Map(
  ([...perpsAbi, ...spotAbi] as Abi).flatMap((item) =>
    item.type === 'error'
      ? [
          [
            toFunctionSelector(`${item.name}(${item.inputs.map(({ type }) => type).join(',')})`),
            item.name,
          ] as const,
        ]
      : [],
  ),
)

export type BatchReceipt = Readonly<{ blockNumber: number; isDone: boolean; refusals: Refusals }>

type Log = Readonly<{ topics: readonly Hex[]; data: Hex }>

/** Returns the result of a transaction; undefined while it is in no block. */
export async function readReceipt(node: RpcNode, hash: string): Promise<BatchReceipt | undefined> {
  const result = await node.call('eth_getTransactionReceipt', hash)
  if (result === null) return undefined
  const { blockNumber, status, logs } = result as Record<string, unknown>
  const number = Number(blockNumber)
  if (!Number.isSafeInteger(number) || !Array.isArray(logs))
    throw new NodeFailed('the receipt lacks its block or its logs')
  return { blockNumber: number, isDone: status === '0x1', refusals: readRefusals(logs as Log[]) }
}

function readRefusals(logs: readonly Log[]): Refusals {
  const refusals = new Map<string, string>()
  for (const { topics, data } of logs) {
    if (topics[0] !== REJECTED_TOPIC) continue
    const { args } = decodeEventLog({
      abi: REJECTED as Abi,
      topics: topics as [Hex, ...Hex[]],
      data,
    })
    const { ref, reason } = args as unknown as { ref: Hex; reason: Hex }
    refusals.set(ref, errorName(reason))
  }
  return refusals
}

const errorName = (selector: Hex): string =>
  selector === NO_SELECTOR ? OUT_OF_GAS : (ERROR_NAMES.get(selector) ?? selector)
