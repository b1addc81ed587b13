// Reads contracts through their view functions, many in one request, at one block.
import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { CallRefused, type ChainRpc } from './rpc.ts'

/** One call of a view function. */
export type View = Readonly<{
  to: string
  abi: Abi
  functionName: string
  args: readonly unknown[]
}>

/**
 * Returns what each of `views` answers at `block` (a hex number or `latest`), as viem decodes it.
 * Throws `CallRefused` when one of them cannot be answered.
 */
export async function readViews(
  rpc: ChainRpc,
  views: readonly View[],
  block = 'latest',
): Promise<unknown[]> {
  const answers = await rpc.batch(
    views.map((view) => ({
      method: 'eth_call',
      params: [{ to: view.to, data: encodeFunctionData(view) }, block],
    })),
  )
  return answers.map((answer, index) => {
    const view = views[index] as View
    if ('refused' in answer) throw new CallRefused(`${view.functionName}: ${answer.refused}`)
    // While a chain is started anew, no contract is there yet.
    if (answer.result === '0x') throw new CallRefused(`${view.functionName}: nothing answers`)
    return decodeFunctionResult({ ...view, data: answer.result as Hex })
  })
}
