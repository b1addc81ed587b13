// A devnet with an account on it: funds at both engines, a signing key and an API key.
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { startVenue, type TestVenue } from '@openvenue/e2e/venue'
import { Rest } from 'openvenue'
import {
  approveCall,
  type Call,
  depositCall,
  type Hex,
  loadVenue,
  type Money,
  register,
  type Signer,
  type SigningVenue,
} from 'openvenue/signing'
import { createPublicClient, createWalletClient, http, parseUnits } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { openvenue } from '../src/openvenue.ts'

/** Account of the mnemonic that is funded and not used by the devnet itself. */
const VISITOR = 5
const POLLING_MS = 100

export type TestTrader = Readonly<{
  venue: TestVenue
  /** Trades for the account. */
  exchange: openvenue
  /** Creates another exchange, by default with the same credentials. */
  another: (config?: object) => openvenue
  /** Sends a transaction of the wallet and waits for its block. */
  send: (call: Call) => Promise<void>
  /** The venue for signing. */
  signing: SigningVenue
  close: () => Promise<void>
}>

export async function startTrader(): Promise<TestTrader> {
  const venue = await startVenue()
  const { apiUrl, rpcUrl } = venue.devnet
  const rest = new Rest({ url: apiUrl })
  const signing = await loadVenue(rest)
  const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: VISITOR })
  const { perps, spot } = signing.contracts
  const tokens = await rest.call('GET /assets')
  const token = (symbol: string) => tokens.find((token) => token.symbol === symbol)?.address as Hex
  const send = sender(rpcUrl, wallet)
  const fund = async (money: Money) => {
    await send(approveCall(money))
    await send(depositCall(money))
  }
  await fund({ engine: perps as Hex, token: token('USDC'), amount: parseUnits('20000', 6) })
  await fund({ engine: spot as Hex, token: token('USDC'), amount: parseUnits('5000', 6) })
  await fund({ engine: spot as Hex, token: token('ETH'), amount: parseUnits('2', 18) })
  const privateKey = generatePrivateKey()
  // viem types each message statically; here the types are part of the message.
  const key = privateKeyToAccount(privateKey) as unknown as Signer
  const registration = { wallet: wallet as unknown as Signer, key }
  const { key: apiKey, secret } = await register(rest, signing, registration)
  const opened: openvenue[] = []
  const another = (config: object = {}) => {
    const credentials = { apiKey, secret, walletAddress: wallet.address, privateKey }
    const urls = { api: { rest: apiUrl } }
    opened.push(new openvenue({ ...credentials, urls, enableRateLimit: false, ...config }))
    return opened.at(-1) as openvenue
  }
  const close = async () => {
    for (const exchange of opened) await exchange.close()
    await venue.remove()
  }
  return { venue, exchange: another(), another, send, signing, close }
}

/** Fixed, because an estimate holds for one block and a price update may need more gas. */
const GAS = 2_000_000n

function sender(rpcUrl: string, account: ReturnType<typeof mnemonicToAccount>) {
  const transport = http(rpcUrl)
  const chain = createPublicClient({ transport, pollingInterval: POLLING_MS })
  const client = createWalletClient({ account, transport })
  return async ({ to, data }: Call) => {
    const hash = await client.sendTransaction({ to, data, gas: GAS, chain: null })
    const { status } = await chain.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`a call to ${to} reverted`)
  }
}
