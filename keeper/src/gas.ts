// Asks a node how much gas each call takes, which is also the simulation that shows a revert.
import { numberToHex } from 'viem'
import { parseWei } from './chain-look.ts'
import type { Node } from './node.ts'
import type { TxRequest } from './pending-tx.ts'
import { decodeReason, type Reason } from './reason.ts'

/** State may change between the estimate and the block: a third more than it said. */
const GAS_NUMERATOR = 4n
const GAS_DENOMINATOR = 3n

/**
 * Returns the gas that each of `requests` is given; the reason in place of one that would revert.
 */
export async function estimateGas(
  node: Node,
  from: string,
  requests: readonly TxRequest[],
): Promise<readonly (bigint | Reason)[]> {
  const answers = await node.batch(
    requests.map(({ to, data, gasMax }) => {
      const gas = gasMax === undefined ? {} : { gas: numberToHex(gasMax) }
      return { method: 'eth_estimateGas', params: [{ from, to, data, ...gas }, 'latest'] }
    }),
  )
  return answers.map((answer, at) => {
    if (!('result' in answer)) return decodeReason(answer.data, answer.refused)
    const estimated = (parseWei(answer.result) * GAS_NUMERATOR) / GAS_DENOMINATOR
    const { gasMin = estimated, gasMax } = requests[at] ?? {}
    const gas = estimated < gasMin ? gasMin : estimated
    return gasMax !== undefined && gas > gasMax ? gasMax : gas
  })
}
