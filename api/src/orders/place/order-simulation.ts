// Asks a node whether the chain would take orders as they are signed: one request for a whole list,
// and for the lists of all who ask at the same time.
import { type OnSwitch, withFailover } from '@openvenue/runtime/failover'
import { type AskNode, connectNode, type RpcReply } from '@openvenue/runtime/json-rpc'
import { type FieldError, Refusal } from '../../http/refusals.ts'
import { contractProblem } from '../rules/contract-errors.ts'
import type { ParsedOrder } from '../rules/order-body.ts'
import { encodePlaceSigned, wordsOf } from '../rules/signed-order.ts'

/** A node that takes longer does not answer. */
const ANSWER_MS_MAX = 1_000
/** Longest wait of an order for its request. */
const WAIT_MS_MAX = 2_000
/** Requests under way at a time; orders that come meanwhile share the next one. */
const REQUESTS_MAX = 2
/** Orders of one request: nodes bound their batches. */
const ORDERS_MAX = 100
/** Maximum number of orders that wait. */
const WAITING_MAX = 2_000
/** A revert with arguments has a few hundred bytes. */
const ANSWER_BYTES_MAX = 1024 * 1024
const RETRY_MS = 1_000
/** Enough for a placement that meets a hundred makers; the default of a node may be less. */
const PLACEMENT_GAS = '0x1c9c380'

/** Returns why the chain would refuse each order at its newest block; undefined: it takes it. */
export type SimulateOrders = (
  orders: readonly ParsedOrder[],
) => Promise<readonly (FieldError | undefined)[]>

type SimulationError = FieldError | undefined
type QueuedSimulation = Readonly<{
  order: ParsedOrder
  sinceMs: number
  resolve: (verdict: SimulationError) => void
  reject: (refusal: Refusal) => void
}>

type SimulationOptions = Readonly<{
  answerMsMax?: number
  waitMsMax?: number
  nowMs?: () => number
  onSwitch?: OnSwitch | undefined
}>

/**
 * Returns the simulation at the nodes at `rpcUrls`, the next where one fails. While none gives a
 * valid answer, orders are refused with CHAIN_UNAVAILABLE.
 */
export function createOrderSimulation(
  rpcUrls: readonly string[],
  options: SimulationOptions = {},
): SimulateOrders {
  const { answerMsMax = ANSWER_MS_MAX, waitMsMax = WAIT_MS_MAX, nowMs = Date.now } = options
  const callers = rpcUrls.map((url) => listCaller(url, answerMsMax))
  const nodes = withFailover(callers, options.onSwitch)
  let waiting: QueuedSimulation[] = []
  let requests = 0
  const send = () => {
    if (requests >= REQUESTS_MAX || waiting.length === 0) return
    const late = nowMs() - waitMsMax
    for (const { reject } of waiting.filter(({ sinceMs }) => sinceMs < late)) reject(unavailable())
    waiting = waiting.filter(({ sinceMs }) => sinceMs >= late)
    const group = waiting.splice(0, ORDERS_MAX)
    if (group.length === 0) return
    requests += 1
    void nodes((ask) => verdictsOf(ask, group))
      .then(
        (verdicts) => settle(group, verdicts),
        (cause: unknown) =>
          settle(
            group,
            group.map(() => unavailable(cause)),
          ),
      )
      .finally(() => {
        requests -= 1
        send()
      })
    send()
  }
  const enqueue = (order: ParsedOrder) =>
    new Promise<SimulationError>((resolve, reject) => {
      if (waiting.length >= WAITING_MAX) reject(unavailable())
      else waiting.push({ order, sinceMs: nowMs(), resolve, reject })
    })
  return (orders) => {
    const verdicts = orders.map(enqueue)
    // Orders of the same turn share a request.
    queueMicrotask(send)
    return Promise.all(verdicts)
  }
}

const listCaller = (url: string, timeoutMs: number): AskNode =>
  connectNode({ url, timeoutMs, bytesMax: ANSWER_BYTES_MAX, isListAlways: true }).ask

const unavailable = (cause?: unknown) =>
  new Refusal('CHAIN_UNAVAILABLE', { cause, retryAfterMs: RETRY_MS })

function settle(
  group: readonly QueuedSimulation[],
  verdicts: readonly (SimulationError | Refusal)[],
): void {
  for (const [index, { resolve, reject }] of group.entries()) {
    const verdict = verdicts[index]
    if (verdict instanceof Refusal) reject(verdict)
    else resolve(verdict)
  }
}

/** Throws when no reply of the node is a verdict: the next node is asked. */
async function verdictsOf(
  ask: AskNode,
  group: readonly QueuedSimulation[],
): Promise<readonly (SimulationError | Refusal)[]> {
  const calls = group.map(({ order }) => ({ method: 'eth_call', params: placement(order) }))
  const { replies } = await ask(calls)
  const verdicts = group.map(({ order }, index) => verdictOf(order, replies[index] ?? {}))
  if (verdicts.every((verdict) => verdict instanceof Refusal)) throw verdicts[0]
  return verdicts
}

const placement = ({ market, order, signature = '0x' }: ParsedOrder) => [
  { to: market.engine, data: encodePlaceSigned(order, signature), gas: PLACEMENT_GAS },
  'latest',
]

/** A placement returns the number of the order, above zero; other contracts return nothing. */
function verdictOf(order: ParsedOrder, { result, error }: RpcReply): SimulationError | Refusal {
  const [number = 0n] = wordsOf(result) ?? []
  if (error === undefined) return number > 0n ? undefined : unavailable()
  const data = revertData(error)
  return data === undefined ? unavailable(error.message) : contractProblem(order, data)
}

/**
 * Returns the data of a revert, `0x` for one without; undefined: the call was not run. Nodes put it
 * into `data`, some into an object there.
 */
export function revertData(error: NonNullable<RpcReply['error']>): string | undefined {
  const { code, message = '', data } = error
  const nested =
    typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
  if (typeof nested === 'string' && /^0x[0-9a-f]{8,}$/i.test(nested)) return nested
  return code === 3 || /revert|out of gas|invalid opcode/i.test(message) ? '0x' : undefined
}
