// Sends transactions of the mnemonic's accounts, and calls contracts.
import { until } from '@openvenue/core/test/until'
import type { ChainRpc } from '@openvenue/devnet/rpc'
import { type Receipt, type Tx, TxSender } from '@openvenue/devnet/tx-sender'
import { readViews } from '@openvenue/runtime/views'
import type { Abi } from 'viem'

const INCLUDED_WITHIN_MS = 10_000

export type ChainClient = Readonly<{
  /** Sends transactions in order and returns their receipts; throws unless all succeed. */
  send(txs: readonly Tx[]): Promise<readonly Receipt[]>
  /** Calls a view function of a contract. */
  view<T>(to: string, abi: Abi, functionName: string, args: readonly unknown[]): Promise<T>
}>

export function createChainClient(rpc: ChainRpc): ChainClient {
  const sender = new TxSender(rpc)
  return {
    send: async (txs) => {
      const sent = await sender.send(txs)
      const hashes = sent.map((result) => ('hash' in result ? result.hash : result.refused))
      const receipts = await readReceipts(sender, hashes)
      const failed = receipts.findIndex(({ isDone }) => !isDone)
      if (failed >= 0) throw new Error(`transaction ${failed} of ${txs.length} reverted`)
      return receipts
    },
    view: async <T>(to: string, abi: Abi, functionName: string, args: readonly unknown[]) => {
      const [answer] = await readViews(rpc, [{ to, abi, functionName, args }])
      return answer as T
    },
  }
}

async function readReceipts(
  sender: TxSender,
  hashes: readonly string[],
): Promise<readonly Receipt[]> {
  return until(
    `the chain has ${hashes.join(', ')}`,
    async () => {
      const receipts = await sender.readReceipts(hashes)
      return receipts.every((receipt) => receipt !== undefined) && receipts
    },
    INCLUDED_WITHIN_MS,
  )
}
