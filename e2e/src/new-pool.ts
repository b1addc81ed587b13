// Creates a token and a pool of it in a running venue.

import { devTokenAbi, devTokenBytecode } from '@openvenue/contracts/abi/dev-token'
import { until } from '@openvenue/core/test/until'
import { v2RouterAbi } from '@openvenue/devnet/amm/abi'
import type { WholeDeployment } from '@openvenue/devnet/deployment'
import { approve, mint } from '@openvenue/devnet/funds'
import type { ChainRpc } from '@openvenue/devnet/rpc'
import { type Tx, TxSender } from '@openvenue/devnet/tx-sender'
import { encodeDeployData, encodeFunctionData, type Hex, maxUint256 } from 'viem'

const CREATE_GAS = 8_000_000
const INCLUDED_WITHIN_MS = 10_000
const UNIT = 10n ** 18n

/** Creates a token of 18 decimals and a v2 pool with 50,000 of it and 4 ETH. */
export async function openPool(
  rpc: ChainRpc,
  { tokens, v2Router }: WholeDeployment,
  { maker, symbol }: Readonly<{ maker: string; symbol: string }>,
): Promise<Readonly<{ token: string }>> {
  const send = sending(new TxSender(rpc))
  const args = [`The ${symbol} token`, symbol, 18] as const
  const data = encodeDeployData({ abi: devTokenAbi, bytecode: devTokenBytecode, args })
  const [created] = await send([{ from: maker, data, gas: CREATE_GAS }])
  const token = created?.contractAddress ?? ''
  const [amount, amountEth] = [50_000n * UNIT, 4n * UNIT]
  const add = [token as Hex, tokens.ETH as Hex, amount, amountEth, 0n, 0n] as const
  const opening = encodeFunctionData({
    abi: v2RouterAbi,
    functionName: 'addLiquidity',
    args: [...add, maker as Hex, maxUint256],
  })
  await send([
    mint(maker, token, maker, amount),
    approve(maker, token, v2Router),
    approve(maker, tokens.ETH, v2Router),
    { from: maker, to: v2Router, data: opening, gas: CREATE_GAS },
  ])
  return { token }
}

/** Sends transactions and returns their receipts; throws when one of them fails. */
export const sending = (sender: TxSender) => async (txs: readonly Tx[]) => {
  const sent = await sender.send(txs)
  const hashes = sent.map((result) => ('hash' in result ? result.hash : result.refused))
  return until(
    `the chain has ${hashes.join(', ')}`,
    async () => {
      const receipts = await sender.readReceipts(hashes)
      if (receipts.some((receipt) => receipt?.isDone === false)) throw new Error('it reverted')
      return receipts.every((receipt) => receipt !== undefined) && receipts
    },
    INCLUDED_WITHIN_MS,
  )
}
