// Asks a node how much gas each call takes, which is also the simulation that shows a revert.
import { numberToHex } from 'viem'
import { parseWei } from './chain-look.ts'
import type { Answer, Node } from './node.ts'
import type { TxRequest } from './pending-tx.ts'
import { decodeReason, type Reason } from './reason.ts'

/** State may change between the estimate and the block: a third more than it said. */
const GAS_NUMERATOR = 4n
const GAS_DENOMINATOR = 3n

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
  const answers = await node.batch(
    asked.map(({ to, data, gasMax }) => {
      const gas = gasMax === undefined ? {} : { gas: numberToHex(gasMax) }
      return { method: 'eth_estimateGas', params: [{ from, to, data, ...gas }, 'latest'] }
    }),
  )
  const answered = answers[Symbol.iterator]()
  return requests.map((request) => request.gas ?? readEstimate(request, answered.next().value))
}

function readEstimate({ gasMin, gasMax }: TxRequest, answer: Answer | undefined): bigint | Reason {
  if (answer === undefined || !('result' in answer))
    return decodeReason(answer?.data, answer?.refused ?? 'no answer')
  const estimated = (parseWei(answer.result) * GAS_NUMERATOR) / GAS_DENOMINATOR
  const gas = gasMin === undefined || estimated > gasMin ? estimated : gasMin
  return gasMax !== undefined && gas > gasMax ? gasMax : gas
}
