// Runs calls one after the other in a block that a node makes up on top of its newest one
// (eth_simulateV1), with their logs: what would happen, without anything happening.
import { inTurn } from '@openvenue/store/in-turn'
import { type AskNode, connectNode, type RpcReply } from '@openvenue/store/json-rpc'
import { Refusal } from '../http/refusals.ts'
import { revertData } from './order-simulation.ts'

/** A node that takes longer does not answer. */
const ANSWER_MS_MAX = 2_000
/** A placement that meets a hundred makers has as many logs. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024
/** Simulations under way at a time: each makes the node work as a transaction does. */
const SIMULATIONS_MAX = 8
const RETRY_MS = 1_000
/** JSON-RPC: there is no such method. */
const METHOD_UNKNOWN = -32_601

export type SimulatedCall = Readonly<{ from?: string; to: string; data: string; gas: string }>
export type SimulatedLog = Readonly<{ address: string; topics: readonly string[]; data: string }>
export type SimulatedResult = Readonly<{
  /** What it returned, `0x` and words; undefined when the contract ended it. */
  result: string | undefined
  /** The data of the revert, else undefined. */
  revert: string | undefined
  logs: readonly SimulatedLog[]
}>
/** `blockNumber` is that of the newest block; `seconds` the time of the one made up. */
export type SimulatedBlock = Readonly<{
  blockNumber: number
  seconds: number
  results: readonly SimulatedResult[]
}>

/** Runs calls in a block one second after the newest. Throws CHAIN_UNAVAILABLE. */
export type SimulateBlock = (calls: readonly SimulatedCall[]) => Promise<SimulatedBlock>

/** Returns what simulates at the nodes at `rpcUrls`, the next where one fails. */
export function createBlockSimulation(
  rpcUrls: readonly string[],
  answerMsMax = ANSWER_MS_MAX,
): SimulateBlock {
  const nodes = inTurn(rpcUrls.map((url) => callerAt(url, answerMsMax)))
  let running = 0
  return async (calls) => {
    if (running >= SIMULATIONS_MAX) throw unavailable('too many orders are previewed at a time')
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
  if (results.length !== calls.length) throw unavailable('the node does not simulate blocks')
  return { blockNumber: number, seconds: numberOf(block, 'timestamp'), results }
}

async function one(ask: AskNode, method: string, params: readonly unknown[]): Promise<unknown> {
  const { replies } = await ask([{ method, params }])
  const { result, error } = replies[0] ?? {}
  if (error?.code === METHOD_UNKNOWN) throw unavailable('no node here simulates blocks')
  if (result === undefined || result === null) throw unavailable(undefined, error?.message)
  return result
}

function numberOf(block: unknown, member: string): number {
  const value = Number((block as Readonly<Record<string, unknown>> | undefined)?.[member])
  if (!Number.isSafeInteger(value)) throw unavailable(`a block has a ${member}`)
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
