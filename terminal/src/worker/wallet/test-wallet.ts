// A wallet that is made here, for play money on a devnet. It signs without asking.
import type { Call, Hex, Signer } from 'openvenue/signing'
import { numberToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { feesNow, type Request } from './chain-rpc.ts'
import type { Network, Wallet } from './wallet.ts'

/** Returns a wallet of a key that is kept here. */
export function testWallet(privateKey: Hex, network: Network, request: Request): Wallet {
  const account = privateKeyToAccount(privateKey)
  return {
    ...{ kind: 'test', name: 'Test wallet', address: account.address, request },
    signer: account as Signer,
    send: (call) => sendSigned(account, call, { request, network }),
    canBatch: async () => false,
    sendBatch: () => Promise.reject(new Error('the test wallet sends one call at a time')),
  }
}

type Chain = Readonly<{ request: Request; network: Network }>

/** What the chain would revert is not sent. */
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
