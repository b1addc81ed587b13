// Reads contracts through their view functions, many in one request, at one block.
import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { CallRefused, type RpcNode, resultOf } from './node.ts'

/** One call of a view function. */
export type ViewCall = Readonly<{
  to: string
  abi: Abi
  functionName: string
  args: readonly unknown[]
}>

/**
 * Returns the answers to `views` at `block` (a hex number or `latest`), as viem decodes them.
 * Throws `CallRefused` when one of them cannot be answered, `NodeFailed` when the node fails.
 */
export async function readViews(
  node: RpcNode,
  views: readonly ViewCall[],
  block = 'latest',
): Promise<unknown[]> {
  const answers = await node.batch(
    views.map((view) => ({
      method: 'eth_call',
      params: [{ to: view.to, data: encodeFunctionData(view) }, block],
    })),
  )
  return views.map((view, index) => {
    const data = resultOf(view.functionName, answers[index]) as Hex
    // While a chain is being restarted, no contract is there yet.
    if (data === '0x') throw new CallRefused(`${view.functionName}: no contract answers`)
    return decodeFunctionResult({ ...view, data })
  })
}
