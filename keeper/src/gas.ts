// Returns the gas limit of each call and simulates it, which shows a revert. Nodes estimate the
// gas; where they do not answer, or must not be asked, the call is simulated with a fixed limit
// that is enough for each of ours, and gets that limit.
import type { RpcCall } from '@openvenue/runtime/json-rpc'
import type { CallAnswer, RpcNode } from '@openvenue/runtime/node'
import { numberToHex } from 'viem'
import { parseWei } from './chain-snapshot.ts'
import type { TxRequest } from './pending-tx.ts'
import { decodeReason, type Reason } from './reason.ts'

/** State may change between the estimate and the block: a third more than the estimate. */
const GAS_NUMERATOR = 4n
const GAS_DENOMINATOR = 3n
/** More than any task without a gas limit of its own takes; unused gas costs nothing. */
const GAS_UNESTIMATED = 4_000_000n

/**
 * Returns the gas limit of each of `requests`, or the reason why a call would revert. Requests with
 * a gas limit of their own are not simulated.
 */
export async function estimateGas(
  node: RpcNode,
  from: string,
  requests: readonly TxRequest[],
): Promise<readonly (bigint | Reason)[]> {
  const unestimated = requests.filter(({ gas }) => gas === undefined)
  const answers = await node.batch(unestimated.map((request) => estimateCall(from, request)))
  const estimates = unestimated.map((request, at) => readEstimate(request, answers[at]))
  const unanswered = unestimated.filter((_, at) => estimates[at] === undefined)
  const tried = await tryCalls(node, from, unanswered)
  const all = new Map(unestimated.map((call, at) => [call, estimates[at] ?? tried.get(call)]))
  return requests.map((request) => request.gas ?? all.get(request) ?? NO_ANSWER)
}

const NO_ANSWER: Reason = { name: 'no answer', args: [] }

const estimateCall = (from: string, { to, data, gasMax }: TxRequest) => {
  const gas = gasMax === undefined ? {} : { gas: numberToHex(gasMax) }
  return { method: 'eth_estimateGas', params: [{ from, to, data, ...gas }, 'latest'] }
}

/** Returns undefined when the node gave no answer about the call. */
function readEstimate(
  request: TxRequest,
  answer: CallAnswer | undefined,
): bigint | Reason | undefined {
  if (answer === undefined) return NO_ANSWER
  if ('result' in answer)
    return bounded(request, (parseWei(answer.result) * GAS_NUMERATOR) / GAS_DENOMINATOR)
  const isRevert = answer.data !== undefined || /revert/i.test(answer.refused)
  return isRevert ? decodeReason(answer.data, answer.refused) : undefined
}

function bounded({ gasMin, gasMax }: TxRequest, gas: bigint): bigint {
  const least = gasMin === undefined || gas > gasMin ? gas : gasMin
  return gasMax !== undefined && least > gasMax ? gasMax : least
}

async function tryCalls(
  node: RpcNode,
  from: string,
  requests: readonly TxRequest[],
): Promise<ReadonlyMap<TxRequest, bigint | Reason>> {
  if (requests.length === 0) return new Map()
  const gases = requests.map((request) => bounded(request, GAS_UNESTIMATED))
  const answers = await node.batch(
    requests.map(({ to, data }, at) => {
      const gas = numberToHex(gases[at] ?? GAS_UNESTIMATED)
      return { method: 'eth_call', params: [{ from, to, data, gas }, 'latest'] }
    }),
  )
  return new Map(
    requests.map((request, at): readonly [TxRequest, bigint | Reason] => {
      const answer = answers[at]
      if (answer !== undefined && 'result' in answer) return [request, gases[at] ?? GAS_UNESTIMATED]
      return [request, decodeReason(answer?.data, answer?.refused ?? 'no answer')]
    }),
  )
}

const NOT_ASKED: CallAnswer = {
  refused: 'nodes of this network are not asked for gas',
  data: undefined,
}

/**
 * Returns `node` for a network whose nodes give wrong gas estimates and tips, so that neither is
 * requested. Calls are simulated with fixed limits, and `tip` is offered on top of the base fee.
 */
export function withoutGasQuestions(node: RpcNode, tip: bigint): RpcNode {
  const answerLocally = ({ method }: RpcCall): CallAnswer | undefined => {
    if (method === 'eth_estimateGas') return NOT_ASKED
    return method === 'eth_maxPriorityFeePerGas' ? { result: numberToHex(tip) } : undefined
  }
  const batch = async (calls: readonly RpcCall[]) => {
    const answers = calls.map(answerLocally)
    const remoteAnswers = await node.batch(calls.filter((_, at) => answers[at] === undefined))
    let next = 0
    return answers.map((answer) => answer ?? remoteAnswers[next++] ?? NOT_ASKED)
  }
  return { ...node, batch }
}
