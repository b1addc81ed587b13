import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WalletRequestMessage } from '../wallet-protocol.ts'
import { connectWallet, switchChain } from './injected-wallet.ts'
import { callWords } from './signing-words.ts'
import { WalletRelay } from './wallet-relay.ts'

const ADDRESS = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const NETWORK = {
  ...{ name: 'devnet', chainId: 31337, rpcUrls: ['http://127.0.0.1:8545'] },
  explorerUrl: 'https://explorer.example',
  currency: { symbol: 'USDC', decimals: 18 },
  ...{ fee_floor_wei: '20000000000', tip_wei: '1000000000' },
}

type Chains = { at: number; readonly added: number[] }

/** A browser wallet with one account that knows some chains and records requests. */
function fakeWallet(chains: Chains) {
  const requests: WalletRequestMessage[] = []
  const answer = ({ method, params }: WalletRequestMessage): unknown => {
    const [first] = params as readonly { chainId: string }[]
    switch (method) {
      case 'eth_requestAccounts':
        return [ADDRESS]
      case 'eth_chainId':
        return `0x${chains.at.toString(16)}`
      case 'wallet_addEthereumChain':
        chains.added.push(Number(first?.chainId))
        return null
      case 'wallet_switchEthereumChain':
        if (!chains.added.includes(Number(first?.chainId))) return undefined
        chains.at = Number(first?.chainId)
        return null
      default:
        return '0xsigned'
    }
  }
  const relay: WalletRelay = new WalletRelay((request) => {
    requests.push(request)
    const result = answer(request)
    const head = { kind: 'wallet', id: request.id } as const
    queueMicrotask(() =>
      relay.take(
        result === undefined ? { ...head, code: 4902, message: 'unknown' } : { ...head, result },
      ),
    )
  })
  return { relay, requests, methods: () => requests.map(({ method }) => method) }
}

const WALLET = { network: NETWORK, id: 'org.wallet', name: 'A wallet', node: undefined }
const connected = (relay: WalletRelay) => connectWallet({ ...WALLET, relay }, true)
const domain = { name: 'openvenue', version: '1', chainId: 31337 }
const message = { account: ADDRESS, expiry: 1_700_000_000n }
const toSign = { domain, types: {}, primaryType: 'Register', message }

describe("the browser's wallet", () => {
  test("a browser wallet adds the venue's chain, described first, and switches to it", async () => {
    const { relay, requests, methods } = fakeWallet({ at: 1, added: [1] })
    await switchChain({ ...WALLET, relay })
    assert.deepEqual(methods(), [
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'wallet_switchEthereumChain',
      'eth_chainId',
    ])
    assert.deepEqual(requests[1]?.words?.lines, [
      ['Network', 'openvenue devnet'],
      ['Chain', '31337'],
      ['Node', 'http://127.0.0.1:8545'],
      ['Block explorer', 'https://explorer.example'],
    ])
  })

  test('a browser wallet connects on any chain, and signs nothing on a wrong one', async () => {
    const { relay, methods } = fakeWallet({ at: 1, added: [1, 31337] })
    const { address, signer } = await connected(relay)
    assert.equal(address, ADDRESS)
    await assert.rejects(signer.signTypedData(toSign), /on chain 1: switch it to devnet \(31337\)/)
    assert.deepEqual(methods(), ['eth_requestAccounts', 'eth_chainId'])
  })

  test('a browser wallet is asked to sign with a description', async () => {
    const { relay, requests } = fakeWallet({ at: 31337, added: [31337] })
    const { signer } = await connected(relay)
    assert.equal(await signer.signTypedData(toSign), '0xsigned')
    const last = requests.at(-1)
    assert.equal(last?.method, 'eth_signTypedData_v4')
    assert.match(last?.words?.title ?? '', /API key/)
    assert.equal(JSON.parse(`${last?.params[1]}`).message.expiry, '1700000000')
  })

  test("a browser wallet is asked to offer the network's fees, with gas of our table", async () => {
    const { relay, requests } = fakeWallet({ at: 31337, added: [31337] })
    const call = { to: ADDRESS, data: '0x12', gas: 150_000n } as const
    const node = async () => ({ baseFeePerGas: '0x60db88400' })
    const wallet = await connectWallet({ ...WALLET, relay, node }, true)
    await wallet.send(call, callWords('approve', []))
    const bare = { from: ADDRESS, to: ADDRESS, data: '0x12', value: '0x0', gas: '0x249f0' }
    const fees = { maxFeePerGas: '0xc570bd200', maxPriorityFeePerGas: '0x3b9aca00' }
    assert.deepEqual(requests.at(-1)?.params, [{ ...bare, ...fees }])
    const down = () => Promise.reject(new Error('down'))
    const other = await connectWallet({ ...WALLET, relay, node: down }, true)
    await other.send(call, callWords('approve', []))
    assert.deepEqual(requests.at(-1)?.params, [bare])
  })

  test('a browser wallet sends calls one at a time if it does not support batches', async () => {
    const { relay } = fakeWallet({ at: 31337, added: [31337] })
    assert.equal(await (await connected(relay)).canBatch(), false)
  })
})
