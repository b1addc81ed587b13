// A wallet that is made here, for play money on a devnet. It signs without asking.
import type { Call, Hex, Signer } from 'openvenue/signing'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Request } from './chain-rpc.ts'
import type { Network, Wallet } from './wallet.ts'

/** A limit that is above what was estimated by a fifth: the state changes until it is mined. */
const GAS_MARGIN = { times: 6n, by: 5n }

/** Returns a wallet of a key that is kept here. */
export function testWallet(privateKey: Hex, network: Network, request: Request): Wallet {
  const account = privateKeyToAccount(privateKey)
  return {
    ...{ kind: 'test', name: 'Test wallet', address: account.address, request },
    signer: account as Signer,
    send: (call) => sendSigned(account, call, { request, chainId: network.chainId }),
    canBatch: async () => false,
    sendBatch: () => Promise.reject(new Error('the test wallet sends one call at a time')),
  }
}

type Chain = Readonly<{ request: Request; chainId: number }>

async function sendSigned(account: PrivateKeyAccount, call: Call, { request, chainId }: Chain) {
  const ask = async (method: string, params: readonly unknown[]) =>
    BigInt((await request(method, params)) as Hex)
  const [nonce, gas, price] = await Promise.all([
    ask('eth_getTransactionCount', [account.address, 'pending']),
    ask('eth_estimateGas', [{ from: account.address, ...call }]),
    ask('eth_gasPrice', []),
  ])
  const raw = await account.signTransaction({
    ...call,
    ...{ type: 'legacy', chainId, nonce: Number(nonce), gasPrice: price * 2n },
    gas: (gas * GAS_MARGIN.times) / GAS_MARGIN.by,
  })
  return (await request('eth_sendRawTransaction', [raw])) as Hex
}
