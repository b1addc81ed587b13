import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WalletAsked } from './wallet-protocol.ts'
import { WalletRelay } from './wallet-relay.ts'
import { connectWallet } from './wallets.ts'

const ADDRESS = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const NETWORK = { name: 'devnet', chainId: 31337, rpcUrls: ['http://127.0.0.1:8545'] }

type Chains = { at: number; readonly known: number[] }

/** A browser's wallet of one account, that knows some chains and keeps what it was asked. */
function fakeWallet(chains: Chains) {
  const asked: WalletAsked[] = []
  const answer = ({ method, params }: WalletAsked): unknown => {
    const [first] = params as readonly { chainId: string }[]
    switch (method) {
      case 'eth_requestAccounts':
        return [ADDRESS]
      case 'eth_chainId':
        return `0x${chains.at.toString(16)}`
      case 'wallet_addEthereumChain':
        chains.known.push(Number(first?.chainId))
        return null
      case 'wallet_switchEthereumChain':
        if (!chains.known.includes(Number(first?.chainId))) return undefined
        chains.at = Number(first?.chainId)
        return null
      default:
        return '0xsigned'
    }
  }
  const relay: WalletRelay = new WalletRelay((one) => {
    asked.push(one)
    const result = answer(one)
    const head = { kind: 'wallet', id: one.id } as const
    queueMicrotask(() =>
      relay.take(
        result === undefined ? { ...head, code: 4902, message: 'unknown' } : { ...head, result },
      ),
    )
  })
  return { relay, asked, methods: () => asked.map(({ method }) => method) }
}

const connected = (relay: WalletRelay) =>
  connectWallet(relay, NETWORK, { name: 'A wallet', isAsked: true })

describe("the browser's wallet", () => {
  test('that is on another chain learns of the venue’s and changes to it', async () => {
    const { relay, methods } = fakeWallet({ at: 1, known: [1] })
    const { address } = await connected(relay)
    assert.equal(address, ADDRESS)
    assert.deepEqual(methods(), [
      'eth_requestAccounts',
      'eth_chainId',
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'wallet_switchEthereumChain',
      'eth_chainId',
    ])
  })

  test('is asked to sign with words of what it is, on the right chain', async () => {
    const chains = { at: 31337, known: [1, 31337] }
    const { relay, asked } = fakeWallet(chains)
    const { signer } = await connected(relay)
    chains.at = 1
    const message = { account: ADDRESS, expiry: 1_700_000_000n }
    const domain = { name: 'openvenue', version: '1', chainId: 31337 }
    const signature = await signer.signTypedData({
      ...{ domain, types: {}, primaryType: 'Register', message },
    })
    assert.equal(signature, '0xsigned')
    assert.equal(chains.at, 31337)
    const last = asked.at(-1)
    assert.equal(last?.method, 'eth_signTypedData_v4')
    assert.match(last?.words?.title ?? '', /API key/)
    assert.equal(JSON.parse(`${last?.params[1]}`).message.expiry, '1700000000')
  })
})
