// Reads the effects of cancels from the chain: their targets, and cancelled and resting orders.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { marketId, orderId } from '@openvenue/core/ids'
import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hashTypedData,
} from 'viem'
import type { Rpc } from './rpc.ts'

const CANCEL = [
  { name: 'account', type: 'address' },
  { name: 'market', type: 'uint32' },
  { name: 'orders', type: 'bytes32[]' },
  { name: 'deadline', type: 'uint256' },
]
const CANCEL_ALL = [
  { name: 'account', type: 'address' },
  { name: 'market', type: 'uint32' },
  { name: 'salt', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
]
/** Calls within calls of which anything is read. */
const DEPTH_MAX = 2

/** Members of the signing domain of engines, other than their address. */
export type EngineDomain = Readonly<{ name: string; chainId: number }>

/** Returns an order's chain id from its engine, market and number. */
export const chainId = (engine: string, market: number, number: number): string =>
  orderId({ market: marketId(engine.toLowerCase() as never, market), number, ref: null } as never)

type TxCall = Readonly<{ to: string; input: string }>

/** Returns the orders that a call of an engine cancels; none for other calls. */
export function readCancels(domain: EngineDomain, { to, input }: TxCall, depth = 0): string[] {
  const call = decode(input)
  if (call === undefined || depth > DEPTH_MAX) return []
  const [first, , third] = call.args as readonly unknown[]
  const sign = (primaryType: string, members: typeof CANCEL) =>
    hashTypedData({
      domain: { ...domain, version: '1', verifyingContract: to as Hex },
      types: { [primaryType]: members },
      primaryType,
      message: first,
    } as never)
  switch (call.functionName) {
    case 'multicall':
      return (first as string[]).flatMap((inner) =>
        readCancels(domain, { to, input: inner }, depth + 1),
      )
    case 'cancelFor':
      return (third as number[]).map((number) => chainId(to, first as number, number))
    case 'cancelSigned':
      return [sign('Cancel', CANCEL)]
    case 'cancelAllSigned':
      return [sign('CancelAll', CANCEL_ALL)]
    default:
      return []
  }
}

function decode(input: string) {
  try {
    return decodeFunctionData({ abi: perpsAbi, data: input as Hex })
  } catch {
    // A call of another contract.
    return undefined
  }
}

const ENGINE_END = 2 + 40
const MARKET_END = ENGINE_END + 8

/** Returns the orders, by chain id, that rest in the newest block. */
export async function readResting(rpc: Rpc, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const answers = await rpc(
    ids.map((id) => {
      const market = Number.parseInt(id.slice(ENGINE_END, MARKET_END), 16)
      const number = Number.parseInt(id.slice(MARKET_END), 16)
      const args = [market, number] as const
      const data = encodeFunctionData({ abi: perpsAbi, functionName: 'orderAt', args })
      const call = { to: id.slice(0, ENGINE_END), data }
      return { method: 'eth_call', params: [call, 'latest'] }
    }),
  )
  const rests = (data: unknown) =>
    decodeFunctionResult({ abi: perpsAbi, functionName: 'orderAt', data: data as Hex }).lots > 0n
  return new Set(ids.filter((_, at) => rests(answers[at])))
}
