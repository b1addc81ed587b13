// A wallet created in this page, for test money on a devnet. It signs without prompting.
import { testMoney } from 'openvenue/devnet'
import type { Address, Call, Hex, Signer, SigningVenue } from 'openvenue/signing'
import { numberToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import * as text from '../text.ts'
import { feesNow, included, type Request } from './chain-rpc.ts'
import { DEVNET, type Wallet, type WalletNetwork } from './wallet.ts'

/** Returns the wallet of a stored key. */
export function testWallet(privateKey: Hex, network: WalletNetwork, request: Request): Wallet {
  const account = privateKeyToAccount(privateKey)
  return {
    ...{ kind: 'test', name: text.testWallet, address: account.address, request },
    signer: account as Signer,
    send: (call) => sendSigned(account, call, { request, network }),
    canBatch: async () => false,
    sendBatch: () => Promise.reject(new Error('the test wallet sends one call at a time')),
  }
}

type Chain = Readonly<{ request: Request; network: WalletNetwork }>

/** Simulates the call first; a call that would revert is not sent. */
async function sendSigned(account: PrivateKeyAccount, call: Call, { request, network }: Chain) {
  const { to, data, gas } = call
  const from = account.address
  const [nonce, fees] = await Promise.all([
    request('eth_getTransactionCount', [from, 'pending']),
    feesNow(request, network),
    request('eth_call', [{ from, to, data, gas: numberToHex(gas) }, 'pending']),
  ])
  const { chainId } = network
  const tx = { type: 'eip1559', chainId, nonce: Number(nonce as Hex), ...call, ...fees } as const
  const raw = await account.signTransaction(tx)
  return (await request('eth_sendRawTransaction', [raw])) as Hex
}

/**
 * Sends test money, including gas, to a wallet of a devnet, whose node signs for the payer. Returns
 * once all of it is on the chain.
 */
export async function giveTestMoney(
  venue: SigningVenue,
  request: Request,
  to: Address,
): Promise<void> {
  const { name } = venue.info.network
  if (name !== DEVNET) throw new Error(text.noTestMoney(name))
  const accounts = (await request('eth_accounts', [])) as readonly Address[]
  const grants = testMoney(venue, accounts, to)
  if (grants === undefined) throw new Error(text.notDevnet)
  const hashes: Hex[] = []
  for (const { tx } of grants) hashes.push((await request('eth_sendTransaction', [tx])) as Hex)
  await Promise.all(hashes.map((hash) => included(request, hash)))
}
