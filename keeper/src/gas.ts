// Says how much gas each call is given, and simulates it, which shows a revert. Nodes are asked how
// much it takes; where they do not answer, or are not to be asked, the call is tried with what is
// enough for each of ours, and given that.
import type { RpcCall } from '@openvenue/store/json-rpc'
import { numberToHex } from 'viem'
import { parseWei } from './chain-look.ts'
import type { Answer, Node } from './node.ts'
import type { TxRequest } from './pending-tx.ts'
import { decodeReason, type Reason } from './reason.ts'

/** State may change between the estimate and the block: a third more than it said. */
const GAS_NUMERATOR = 4n
const GAS_DENOMINATOR = 3n
/** More than any task takes that does not say its gas; what is not used costs nothing. */
const GAS_UNESTIMATED = 4_000_000n

/**
 * Returns the gas that each of `requests` is given; the reason in place of one that would revert.
 * Those that say their gas are not simulated.
 */
export async function estimateGas(
  node: Node,
  from: string,
  requests: readonly TxRequest[],
): Promise<readonly (bigint | Reason)[]> {
  const asked = requests.filter(({ gas }) => gas === undefined)
  const answers = await node.batch(asked.map((request) => estimateCall(from, request)))
  const found = asked.map((request, at) => readEstimate(request, answers[at]))
  const unanswered = asked.filter((_, at) => found[at] === undefined)
  const tried = await tryCalls(node, from, unanswered)
  const known = new Map(asked.map((request, at) => [request, found[at] ?? tried.get(request)]))
  return requests.map((request) => request.gas ?? known.get(request) ?? NO_ANSWER)
}

const NO_ANSWER: Reason = { name: 'no answer', args: [] }

const estimateCall = (from: string, { to, data, gasMax }: TxRequest) => {
  const gas = gasMax === undefined ? {} : { gas: numberToHex(gasMax) }
  return { method: 'eth_estimateGas', params: [{ from, to, data, ...gas }, 'latest'] }
}

/** Returns undefined where the node said nothing of the call itself. */
function readEstimate(request: TxRequest, answer: Answer | undefined): bigint | Reason | undefined {
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
  node: Node,
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

const NOT_ASKED: Answer = {
  refused: 'nodes of this network are not asked for gas',
  data: undefined,
}

/**
 * Returns `node` for a network whose nodes say wrong things of gas and its price: it is asked for
 * neither. Calls are tried, with our own limits, and `tip` is what is offered beyond the base fee.
 */
export function withoutGasQuestions(node: Node, tip: bigint): Node {
  const known = ({ method }: RpcCall): Answer | undefined => {
    if (method === 'eth_estimateGas') return NOT_ASKED
    return method === 'eth_maxPriorityFeePerGas' ? { result: numberToHex(tip) } : undefined
  }
  const batch = async (calls: readonly RpcCall[]) => {
    const answers = calls.map(known)
    const asked = await node.batch(calls.filter((_, at) => answers[at] === undefined))
    let next = 0
    return answers.map((answer) => answer ?? asked[next++] ?? NOT_ASKED)
  }
  return { ...node, batch }
}
