// Reads contracts through their view functions, many in one request, at the newest block.
import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { type Node, NodeFailed } from './node.ts'

/** One call of a view function. */
export type View = Readonly<{
  to: string
  abi: Abi
  functionName: string
  args: readonly unknown[]
}>

/**
 * Returns what each of `views` answers, as viem decodes it. Throws `NodeFailed` when one does not.
 */
export async function readViews(node: Node, views: readonly View[]): Promise<unknown[]> {
  const answers = await node.batch(
    views.map((view) => ({
      method: 'eth_call',
      params: [{ to: view.to, data: encodeFunctionData(view) }, 'latest'],
    })),
  )
  return answers.map((answer, at) => {
    const view = views[at] as View
    if (!('result' in answer)) throw new NodeFailed(`${view.functionName}: ${answer.refused}`)
    // While a chain is started anew, no contract is there yet.
    if (answer.result === '0x') throw new NodeFailed(`${view.functionName}: nothing answers`)
    return decodeFunctionResult({ ...view, data: answer.result as Hex })
  })
}
