// The two kinds of wallets: one that is made here for play money, and the browser's.
import type { Address, Call, Hex, Signer } from 'openvenue/signing'
import { numberToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Request } from './chain-rpc.ts'
import { signingWords } from './signing-words.ts'
import type { Words } from './wallet-protocol.ts'
import { WalletError, type WalletRelay } from './wallet-relay.ts'

export type Wallet = Readonly<{
  kind: 'test' | 'injected'
  name: string
  address: Address
  signer: Signer
  /** Sends a call to the chain and returns its hash; what it does is said in words first. */
  send: (call: Call, words: Words) => Promise<Hex>
  /** Reads the chain. */
  request: Request
}>

/** The chain that a wallet is to be on. */
export type Network = Readonly<{ name: string; chainId: number; rpcUrls: readonly string[] }>

const UNKNOWN_CHAIN = 4902
/** A limit that is above what was estimated by a fifth: the state changes until it is mined. */
const GAS_MARGIN = { times: 6n, by: 5n }

/** Returns a wallet of a key that is kept here. It signs without asking: its money is for play. */
export function testWallet(privateKey: Hex, network: Network, request: Request): Wallet {
  const account = privateKeyToAccount(privateKey)
  return {
    ...{ kind: 'test', name: 'Test wallet', address: account.address, request },
    signer: account as Signer,
    send: (call) => sendSigned(account, call, { request, chainId: network.chainId }),
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

/** Asks the browser's wallet for an account, and for the venue's chain. */
export async function connectWallet(
  relay: WalletRelay,
  network: Network,
  { name, isAsked }: Readonly<{ name: string; isAsked: boolean }>,
): Promise<Wallet> {
  const ask: Ask = (method, params, words) => relay.request(name, [method, params], words)
  const method = isAsked ? 'eth_requestAccounts' : 'eth_accounts'
  const [address] = (await ask(method, [])) as readonly Address[]
  if (address === undefined) throw new Error(`${name} gives no account: connect it again`)
  if (isAsked) await useChain(ask, network)
  return {
    ...{ kind: 'injected', name, address },
    signer: {
      address,
      signTypedData: async (data) => {
        await useChain(ask, network)
        const params = [address, JSON.stringify(data, asText)]
        return (await ask('eth_signTypedData_v4', params, signingWords(data))) as Hex
      },
    },
    send: async (call, words) => {
      await useChain(ask, network)
      const params = [{ from: address, ...call, value: '0x0' }]
      return (await ask('eth_sendTransaction', params, words)) as Hex
    },
    request: async (asked, params) => {
      await useChain(ask, network)
      return ask(asked, params)
    },
  }
}

type Ask = (method: string, params: readonly unknown[], words?: Words) => Promise<unknown>

/** Has the wallet change to the venue's chain, which it may first have to learn of. */
export async function useChain(ask: Ask, network: Network): Promise<void> {
  const wanted = numberToHex(network.chainId)
  const isThere = async () => Number(await ask('eth_chainId', [])) === network.chainId
  if (await isThere()) return
  try {
    await ask('wallet_switchEthereumChain', [{ chainId: wanted }])
  } catch (error) {
    if (!(error instanceof WalletError && error.code === UNKNOWN_CHAIN)) throw error
    await ask('wallet_addEthereumChain', [addedChain(network, wanted)])
    await ask('wallet_switchEthereumChain', [{ chainId: wanted }])
  }
  if (!(await isThere()))
    throw new Error(`the wallet is not on ${network.name} (chain ${network.chainId})`)
}

const addedChain = ({ name, rpcUrls }: Network, chainId: Hex) => ({
  chainId,
  chainName: `openvenue ${name}`,
  rpcUrls,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
})

const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
