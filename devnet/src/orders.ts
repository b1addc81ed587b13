// Converts the traders' decisions to transactions to the engines.
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { encodeFunctionData, type Hex } from 'viem'
import type { Intent, NewOrder } from './quotes.ts'
import type { Tx } from './tx-sender.ts'

/** Numbers of `TimeInForce` in the contracts. */
const TIME_IN_FORCE = { GTC: 0, IOC: 1 } as const

/** Measured: 140,000 for an order on a new level, and 110,000 for a fill of a perpetual's maker. */
const GAS_BASE = 200_000
const GAS_PER_CANCEL = 120_000
const GAS_PER_PLACE = 1_200_000

/** An intent of the wallet `from` in market `number` of `engine`. */
export type WalletIntent = Readonly<{
  intent: Intent
  from: string
  engine: string
  number: number
}>

/** Returns the transaction of `intent` in market `number` of `engine`. */
export const intentTx = (intent: Intent, from: string, engine: string, number: number): Tx =>
  txOf([{ intent, from, engine, number }])

/** Returns the transactions of `wanted`: one per wallet and engine, in order of first intents. */
export function intentTxs(intents: readonly WalletIntent[]): Tx[] {
  const groups = Map.groupBy(intents, ({ from, engine }) => `${from} ${engine}`)
  return [...groups.values()].map(txOf)
}

/** All of `wanted` are of one wallet and one engine. */
function txOf(intents: readonly WalletIntent[]): Tx {
  const [first] = intents
  const calls = intents.flatMap(callsOf)
  const data =
    calls.length === 1
      ? (calls[0] as Hex)
      : encodeFunctionData({ abi: spotAbi, functionName: 'multicall', args: [calls] })
  const gas = intents.reduce((sum, { intent }) => sum + gasOf(intent), GAS_BASE)
  return { from: first?.from ?? '', to: first?.engine ?? '', data, gas }
}

function callsOf({ intent: { cancels, edits, places }, number }: WalletIntent) {
  const gone = [...cancels, ...edits.map((edit) => edit.number)]
  const added = [...edits.map((edit) => ({ ...edit, timeInForce: 'GTC' as const })), ...places]
  return [
    ...(gone.length > 0 ? [cancelAllData(number, gone)] : []),
    ...added.map((added) => placeData(number, added)),
  ]
}

const gasOf = ({ cancels, edits, places }: Intent) =>
  (cancels.length + edits.length) * GAS_PER_CANCEL + (edits.length + places.length) * GAS_PER_PLACE

/** Both engines have the same functions for orders. */
const cancelAllData = (market: number, orders: readonly number[]) =>
  encodeFunctionData({ abi: spotAbi, functionName: 'cancelAll', args: [market, orders] })

const placeData = (market: number, { isBuy, tick, lots, timeInForce }: NewOrder) =>
  encodeFunctionData({
    abi: spotAbi,
    functionName: 'place',
    args: [
      {
        market,
        buy: isBuy,
        tick,
        lots: BigInt(lots),
        timeInForce: TIME_IN_FORCE[timeInForce],
        reduceOnly: false,
        goodTil: 0,
        maxFills: 0,
      },
    ],
  })
