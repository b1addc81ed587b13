// The browser's wallet. It signs and sends only on the venue's chain, after the user agreed.
import type { Address, Hex } from 'openvenue/signing'
import { numberToHex } from 'viem'
import * as text from '../text.ts'
import type { RequestSummary } from '../wallet-protocol.ts'
import { feesNow, type Request } from './chain-rpc.ts'
import { signingWords } from './signing-words.ts'
import type { Wallet, WalletNetwork } from './wallet.ts'
import { accountsOf, asking, type WalletRequest } from './wallet-reading.ts'
import { WalletError, type WalletRelay } from './wallet-relay.ts'

/** Code of EIP-3085, and the code that some wallets return instead. */
const UNKNOWN_CHAINS: ReadonlySet<number> = new Set([4902, -32_603])
const BATCH_VERSION = '2.0.0'
const BATCH_POLL_MS = 500
const BATCH_MS_MAX = 120_000
const BATCH_PENDING_MAX = 199
const BATCH_DONE_MAX = 299

/** The wallet's id, and the way to reach it. */
type WalletParts = Readonly<{
  relay: WalletRelay
  network: WalletNetwork
  id: string
  name: string
  /** A node for reads; undefined: the wallet itself is used. */
  node: Request | undefined
}>

/** Returns the wallet with its first account; prompts for one if `isAsked`. */
export async function connectWallet(parts: WalletParts, isAsked: boolean): Promise<Wallet> {
  const { network, name } = parts
  const ask = asking(parts)
  const [address] = await accountsOf(ask, isAsked)
  if (address === undefined) throw new Error(text.noAccount(name))
  const chainId = numberToHex(network.chainId)
  const onChain: WalletRequest = async (method, params, words) => {
    await requireChain(ask, parts)
    return ask(method, params, words)
  }
  return {
    ...{ kind: 'injected', name, address },
    signer: {
      address,
      signTypedData: async (data) => {
        const params = [address, JSON.stringify(data, asText)]
        return (await onChain('eth_signTypedData_v4', params, signingWords(data))) as Hex
      },
    },
    send: async ({ to, data, gas }, words) => {
      const fees = await offered(ask, parts)
      const params = [{ from: address, to, data, value: '0x0', gas: numberToHex(gas), ...fees }]
      return (await onChain('eth_sendTransaction', params, words)) as Hex
    },
    canBatch: () => canBatch(ask, address, chainId),
    sendBatch: async (calls, words) => {
      const bare = calls.map(({ to, data }) => ({ to, data }))
      const terms = { version: BATCH_VERSION, chainId, from: address, atomicRequired: true }
      const batch = { ...terms, calls: bare }
      const sent = await onChain('wallet_sendCalls', [batch], words)
      return batchDone(ask, (sent as Readonly<{ id: string }>).id)
    },
    request: parts.node ?? ((method, params) => onChain(method, params)),
  }
}

/** Returns gas fees; empty if no node reports a base fee, so that the wallet decides. */
async function offered(
  ask: WalletRequest,
  { node = ask, network }: Pick<WalletParts, 'node' | 'network'>,
) {
  const fees = await feesNow(node, network).catch(() => undefined)
  if (fees === undefined) return {}
  return {
    maxFeePerGas: numberToHex(fees.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas),
  }
}

async function requireChain(ask: WalletRequest, { network, name }: WalletParts): Promise<void> {
  const is = Number(await ask('eth_chainId', []))
  if (is !== network.chainId)
    throw new Error(text.wrongChain(name, is, `${network.name} (${network.chainId})`))
}

/** Asks the wallet to switch to the venue's chain, and to add it first if unknown. */
export async function switchChain(parts: Omit<WalletParts, 'node'>): Promise<void> {
  const { network } = parts
  const ask = asking(parts)
  const chainId = numberToHex(network.chainId)
  try {
    await ask('wallet_switchEthereumChain', [{ chainId }])
  } catch (error) {
    if (!(error instanceof WalletError && UNKNOWN_CHAINS.has(error.code))) throw error
    await ask('wallet_addEthereumChain', [addedChain(network, chainId)], chainWords(network))
    await ask('wallet_switchEthereumChain', [{ chainId }])
  }
  await requireChain(ask, { ...parts, node: undefined })
}

const addedChain = ({ name, rpcUrls, explorerUrl, currency }: WalletNetwork, chainId: Hex) => ({
  chainId,
  chainName: `openvenue ${name}`,
  rpcUrls,
  nativeCurrency: { name: currency.symbol, ...currency },
  ...(explorerUrl !== '' && { blockExplorerUrls: [explorerUrl] }),
})

const chainWords = ({ name, chainId, rpcUrls, explorerUrl }: WalletNetwork): RequestSummary => ({
  title: text.addNetwork,
  lines: [
    [text.network, `openvenue ${name}`],
    [text.chain, `${chainId}`],
    [text.node, rpcUrls.join(', ')],
    ...(explorerUrl === '' ? [] : [[text.blockExplorer, explorerUrl] as const]),
  ],
})

type Capabilities = Readonly<Record<string, Readonly<{ atomic?: Readonly<{ status: string }> }>>>

/** Returns false if the wallet does not know or answer the request; calls are then sent singly. */
async function canBatch(ask: WalletRequest, address: Address, chainId: Hex): Promise<boolean> {
  try {
    const given = (await ask('wallet_getCapabilities', [address, [chainId]])) as Capabilities
    const { atomic } = { ...given['0x0'], ...given[chainId] }
    return atomic?.status === 'supported' || atomic?.status === 'ready'
  } catch {
    return false
  }
}

type BatchStatus = Readonly<{
  status: number
  receipts?: readonly Readonly<{ transactionHash: Hex; status: Hex }>[]
}>

async function batchDone(ask: WalletRequest, id: string): Promise<Hex> {
  const deadlineMs = performance.now() + BATCH_MS_MAX
  while (performance.now() < deadlineMs) {
    const { status, receipts = [] } = (await ask('wallet_getCallsStatus', [id])) as BatchStatus
    if (status > BATCH_DONE_MAX) throw new Error(text.callsReverted)
    if (status > BATCH_PENDING_MAX) return receipts.at(-1)?.transactionHash ?? '0x'
    await new Promise((resolve) => setTimeout(resolve, BATCH_POLL_MS))
  }
  throw new Error(text.callsPending)
}

const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
