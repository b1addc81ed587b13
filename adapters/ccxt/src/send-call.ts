// Sends a transaction from the signing key, for calls that the chain accepts from a key itself.
import { type Dict, ExchangeError } from 'ccxt'
import type { shapes } from 'openvenue'
import { type Call, type Hex, readFees } from 'openvenue/signing'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

type Sender = Readonly<{ rpcUrl: unknown; info: shapes.VenueInfo; key: Hex }>

/** Returns the receipt of the transaction once it is in a block. Throws if it reverted. */
export async function sendCall(call: Call, { rpcUrl, info, key }: Sender): Promise<Dict> {
  const transport = http(String(rpcUrl))
  const chain = createPublicClient({ transport })
  const { chain_id } = info.network
  const id = await chain.getChainId()
  if (id !== chain_id)
    throw new ExchangeError(`openvenue chain id of options.rpcUrl: got ${id}, expected ${chain_id}`)
  const wallet = createWalletClient({ account: privateKeyToAccount(key), transport })
  const fees = await readFees(chain, info.network)
  const hash = await wallet.sendTransaction({ ...call, ...fees, chain: null })
  const receipt = await chain.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success')
    throw new ExchangeError(`openvenue transaction ${hash} reverted`)
  return { hash, block_number: Number(receipt.blockNumber) }
}
