// Runs an order in a block that a node makes up on top of its newest one (eth_simulateV1), with the
// wallet as the sender, and reads balances or margin before and after.
import { CANCEL_REASONS, type CancelReason } from '@openvenue/core/events'
import type { Market, Order } from '@openvenue/core/records'
import { withFailover } from '@openvenue/runtime/failover'
import { type AskNode, connectNode, type RpcReply } from '@openvenue/runtime/json-rpc'
import { type FieldError, Refusal } from '../../http/refusals.ts'
import { revertData } from '../place/order-simulation.ts'
import { contractProblem } from '../rules/contract-errors.ts'
import type { ParsedOrder } from '../rules/order-body.ts'
import { placedLots } from '../rules/order-rules.ts'
import {
  encodeBalanceOf,
  encodeCancel,
  encodeHealthOf,
  encodePlace,
  encodePositionOf,
  encodeQuoteOf,
  keccak256OfText,
  signedWord,
  wordsOf,
} from '../rules/signed-order.ts'

/** Gas of each call; a placement that meets a hundred makers takes a few million. */
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
export type SimulatedHealth = Readonly<{ equity: bigint; initial: bigint; maintenance: bigint }>
/** Free tokens of a spot account, raw. */
export type Balances = Readonly<{ base: bigint; quote: bigint }>
export type Means = Readonly<{ health: SimulatedHealth } | { balances: Balances }>

/** Fills at one tick, in the order in which they happen. */
type PreviewFill = Readonly<{ tick: number; lots: bigint; count: number; fees: bigint }>

export type Preview = Readonly<{
  blockNumber: number
  seconds: number
  /** Why the contract refuses it; undefined: it does not, and there is an outcome. */
  refusal: FieldError | undefined
  before: Means
  outcome:
    | Readonly<{
        fills: readonly PreviewFill[]
        /** Admitted lots: a reduce-only order is cut to the lots that it may close. */
        lots: bigint
        filled: bigint
        rested: bigint
        cancelled: bigint
        reason: CancelReason | undefined
        after: Means
        /** At a perpetual: signed lots, and the mark of the margins. */
        position: Readonly<{ lots: bigint; mark: bigint }> | undefined
      }>
    | undefined
}>

/** Returns the effect of an order of an account (0 where the maker has none). */
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

/** Takes an order in whole steps; others are refused before. */
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

type PreviewOutcome = Omit<NonNullable<Preview['outcome']>, 'after' | 'position'>

function outcomeOf({ market }: ParsedOrder, logs: readonly SimulatedLog[]): PreviewOutcome {
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

/** A node that takes longer does not answer. */
const ANSWER_MS_MAX = 2_000
/** A placement that meets a hundred makers has as many logs. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024
/** Simulations under way at a time: each makes the node work as a transaction does. */
const SIMULATIONS_MAX = 8
const RETRY_MS = 1_000
/** Code of JSON-RPC for an unknown method. */
const METHOD_UNKNOWN = -32_601

type SimulatedCall = Readonly<{ from?: string; to: string; data: string; gas: string }>
type SimulatedLog = Readonly<{ address: string; topics: readonly string[]; data: string }>
type SimulatedResult = Readonly<{
  /** The returned words with `0x`; undefined when the call reverted. */
  result: string | undefined
  /** The data of the revert, else undefined. */
  revert: string | undefined
  logs: readonly SimulatedLog[]
}>
/** `blockNumber` is that of the newest block; `seconds` the time of the one made up. */
type SimulatedBlock = Readonly<{
  blockNumber: number
  seconds: number
  results: readonly SimulatedResult[]
}>

/** Runs calls in a block one second after the newest. Throws CHAIN_UNAVAILABLE. */
export type SimulateBlock = (calls: readonly SimulatedCall[]) => Promise<SimulatedBlock>

/** Returns the simulation at the nodes at `rpcUrls`, the next where one fails. */
export function createBlockSimulation(
  rpcUrls: readonly string[],
  answerMsMax = ANSWER_MS_MAX,
): SimulateBlock {
  const nodes = withFailover(rpcUrls.map((url) => callerAt(url, answerMsMax)))
  let running = 0
  return async (calls) => {
    if (running >= SIMULATIONS_MAX) throw unavailable('Too many order previews')
    running += 1
    try {
      return await nodes((ask) => simulate(ask, calls))
    } catch (cause) {
      throw cause instanceof Refusal ? cause : unavailable(undefined, cause)
    } finally {
      running -= 1
    }
  }
}

const callerAt = (url: string, timeoutMs: number): AskNode =>
  connectNode({ url, timeoutMs, bytesMax: ANSWER_BYTES_MAX }).ask

const unavailable = (message?: string, cause?: unknown) =>
  new Refusal('CHAIN_UNAVAILABLE', {
    ...(message === undefined ? {} : { message }),
    cause,
    retryAfterMs: RETRY_MS,
  })

async function simulate(ask: AskNode, calls: readonly SimulatedCall[]): Promise<SimulatedBlock> {
  const latest = await one(ask, 'eth_getBlockByNumber', ['latest', false])
  const [number, parentSeconds] = [numberOf(latest, 'number'), numberOf(latest, 'timestamp')]
  const seconds = parentSeconds + 1
  const state = { blockOverrides: { time: `0x${seconds.toString(16)}` }, calls }
  const request = { blockStateCalls: [state], validation: false, traceTransfers: false }
  const blocks = await one(ask, 'eth_simulateV1', [request, `0x${number.toString(16)}`])
  const [block] = blocks as readonly Readonly<Record<string, unknown>>[]
  const results = (block?.calls as readonly SimulationReply[] | undefined)?.map(resultOf) ?? []
  if (results.length !== calls.length)
    throw unavailable('Order preview unavailable: the node does not simulate blocks')
  return { blockNumber: number, seconds: numberOf(block, 'timestamp'), results }
}

async function one(ask: AskNode, method: string, params: readonly unknown[]): Promise<unknown> {
  const { replies } = await ask([{ method, params }])
  const { result, error } = replies[0] ?? {}
  if (error?.code === METHOD_UNKNOWN)
    throw unavailable('Order preview unavailable: no node simulates blocks')
  if (result === undefined || result === null) throw unavailable(undefined, error?.message)
  return result
}

function numberOf(block: unknown, member: string): number {
  const value = Number((block as Readonly<Record<string, unknown>> | undefined)?.[member])
  if (!Number.isSafeInteger(value))
    throw unavailable(`Order preview unavailable: the node returned a block without ${member}`)
  return value
}

type SimulationReply = Readonly<{
  status?: string
  returnData?: string
  logs?: readonly SimulatedLog[]
  error?: RpcReply['error']
}>

function resultOf({ status, returnData, logs = [], error }: SimulationReply): SimulatedResult {
  if (status === '0x1') return { result: returnData ?? '0x', revert: undefined, logs }
  const data = returnData === undefined || returnData === '0x' ? undefined : returnData
  return { result: undefined, revert: data ?? (error && revertData(error)) ?? '0x', logs: [] }
}
