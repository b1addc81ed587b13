// Says what an order would do in a block on top of the newest one, as the contracts do it: they are
// run, with the wallet itself as the sender, and asked for balances or margin before and after.
import { CANCEL_REASONS, type CancelReason } from '@openvenue/core/events'
import type { Market, Order } from '@openvenue/core/records'
import type { FieldError } from '../http/refusals.ts'
import type {
  SimulateBlock,
  SimulatedCall,
  SimulatedLog,
  SimulatedResult,
} from './block-simulation.ts'
import { contractProblem } from './contract-errors.ts'
import {
  encodeBalanceOf,
  encodeCancel,
  encodeHealthOf,
  encodePlace,
  encodePositionOf,
  encodeQuoteOf,
  signedWord,
  wordsOf,
} from './engine-calls.ts'
import { keccak256OfText } from './keccak.ts'
import type { ParsedOrder } from './order-body.ts'
import { placedLots } from './order-edits.ts'

/** What the node gives each call; a placement that meets a hundred makers takes a few million. */
const PLACE_GAS = '0xf42400'
const VIEW_GAS = '0x2dc6c0'

const PLACED = keccak256OfText(
  'Placed(uint32,uint40,uint40,bool,uint24,uint64,uint8,bool,uint40,bytes32)',
)
const CANCELLED = keccak256OfText('Cancelled(uint32,uint40,uint40,uint64,uint8)')
const FILLED = {
  SPOT: keccak256OfText('Filled(uint32,uint40,uint40,uint40,uint40,uint24,uint64)'),
  PERPETUAL: keccak256OfText(
    'Filled(uint32,uint40,uint40,uint40,uint40,uint24,uint64,int128,int128)',
  ),
} as const

/** 18 decimals. */
export type Health = Readonly<{ equity: bigint; initial: bigint; maintenance: bigint }>
/** Free tokens of a spot account, raw. */
export type Balances = Readonly<{ base: bigint; quote: bigint }>
export type Means = Readonly<{ health: Health } | { balances: Balances }>

/** Fills at one tick, in the order in which they happen. */
export type PreviewFill = Readonly<{ tick: number; lots: bigint; count: number; fees: bigint }>

export type Preview = Readonly<{
  blockNumber: number
  seconds: number
  /** Why the contract refuses it; undefined: it does not, and there is an outcome. */
  refusal: FieldError | undefined
  before: Means
  outcome:
    | Readonly<{
        fills: readonly PreviewFill[]
        /** As admitted: a reduce-only order is cut to what it may close. */
        lots: bigint
        filled: bigint
        rested: bigint
        cancelled: bigint
        reason: CancelReason | undefined
        after: Means
        /** Of a perpetual: signed lots, and the mark that margins are taken at. */
        position: Readonly<{ lots: bigint; mark: bigint }> | undefined
      }>
    | undefined
}>

/** Returns what an order of an account (0 where the maker has none) would do. */
export async function previewOrder(
  simulate: SimulateBlock,
  parsed: ParsedOrder,
  { account, replaced }: Readonly<{ account: number; replaced: Order | undefined }>,
): Promise<Preview> {
  const means = meansCalls(parsed.market, account)
  const cancels = replaced === undefined ? [] : [cancelCall(parsed, replaced.number)]
  const calls = [...means, ...cancels, placeCall(parsed, replaced), ...means]
  const { blockNumber, seconds, results } = await simulate(calls)
  const placed = results[means.length + cancels.length] as SimulatedResult
  const before = meansOf(parsed.market, results.slice(0, means.length))
  if (placed.result === undefined) {
    const refusal = contractProblem(parsed, placed.revert)
    return { blockNumber, seconds, refusal, before, outcome: undefined }
  }
  const last = results.slice(-means.length)
  const after = meansOf(parsed.market, last)
  const position = parsed.market.type === 'SPOT' ? undefined : positionIn(last)
  const outcome = { ...outcomeOf(parsed, placed.logs), after, position }
  return { blockNumber, seconds, refusal: undefined, before, outcome }
}

const view = (to: string, data: string): SimulatedCall => ({ to, data, gas: VIEW_GAS })

function meansCalls({ type, engine, number, baseToken, quoteToken }: Market, account: number) {
  if (type === 'SPOT')
    return [
      view(engine, encodeBalanceOf(account, baseToken ?? '0x')),
      view(engine, encodeBalanceOf(account, quoteToken ?? '0x')),
    ]
  return [
    view(engine, encodeHealthOf(account)),
    view(engine, encodePositionOf(number, account)),
    view(engine, encodeQuoteOf(number)),
  ]
}

const cancelCall = ({ market, order }: ParsedOrder, replaced: number): SimulatedCall => ({
  from: order.account,
  to: market.engine,
  data: encodeCancel(market.number, replaced),
  gas: VIEW_GAS,
})

/** In steps that are whole: what is not never gets here. */
function placeCall(parsed: ParsedOrder, replaced: Order | undefined): SimulatedCall {
  const { market, order } = parsed
  const steps = {
    tick: order.limitPrice / market.priceStep,
    lots: placedLots(parsed, replaced),
  }
  return { from: order.account, to: market.engine, data: encodePlace(order, steps), gas: PLACE_GAS }
}

function meansOf({ type }: Market, results: readonly SimulatedResult[]): Means {
  const [first, second] = results.map(({ result }) => wordsOf(result) ?? [])
  if (type === 'SPOT') return { balances: { base: first?.[0] ?? 0n, quote: second?.[0] ?? 0n } }
  const [equity = 0n, initial = 0n, maintenance = 0n] = first ?? []
  return { health: { equity: signedWord(equity), initial, maintenance } }
}

function positionIn(results: readonly SimulatedResult[]) {
  const [, position = [], quote = []] = results.map(({ result }) => wordsOf(result) ?? [])
  return { lots: signedWord(position[0] ?? 0n), mark: quote[3] ?? 0n }
}

type Outcome = Omit<NonNullable<Preview['outcome']>, 'after' | 'position'>

function outcomeOf({ market }: ParsedOrder, logs: readonly SimulatedLog[]): Outcome {
  const events = logs.map(({ topics, data }) => ({ topic: topics[0], words: wordsOf(data) ?? [] }))
  const [number = 0n, , , lots = 0n] = events.find(({ topic }) => topic === PLACED)?.words ?? []
  const fills: PreviewFill[] = []
  let [filled, cancelled] = [0n, 0n]
  let reason: CancelReason | undefined
  for (const { topic, words } of events) {
    if (topic === FILLED[market.type as keyof typeof FILLED] && words[3] === number) {
      filled += words[5] ?? 0n
      addFill(fills, words)
    }
    if (topic === CANCELLED && words[0] === number) {
      cancelled += words[1] ?? 0n
      reason = CANCEL_REASONS[Number(words[2])]
    }
  }
  return { fills, lots, filled, rested: lots - filled - cancelled, cancelled, reason }
}

function addFill(fills: PreviewFill[], words: readonly bigint[]): void {
  const [, , , , tick = 0n, lots = 0n, , fees = 0n] = words
  const last = fills.at(-1)
  const fill = { tick: Number(tick), lots, count: 1, fees: signedWord(fees) }
  if (last?.tick !== fill.tick) fills.push(fill)
  else {
    const count = last.count + 1
    fills[fills.length - 1] = {
      ...last,
      lots: last.lots + lots,
      count,
      fees: last.fees + fill.fees,
    }
  }
}
