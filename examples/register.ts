// Gives a wallet an account that can trade: deposits, registers a new signing key and an API key,
// and lets the venue cancel for the account. Prints the lines that the other programs need.
//
//   npm run faucet -- 0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc
//   npx node examples/register.ts > .env.bot && source .env.bot
//
// The wallet is OPENVENUE_WALLET_KEY (0x…), or account 5 of the devnet's mnemonic, whose address
// is above; --index names another one of it. --deposit is in whole USDC.
import { parseArgs } from 'node:util'
import { Rest, toRaw } from 'openvenue'
import {
  type Address,
  approveCall,
  type Call,
  depositCall,
  loadVenue,
  type SigningVenue,
  signCanceller,
  signRegistration,
} from 'openvenue/signing'
import { createPublicClient, createWalletClient, http } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'

const MNEMONIC = 'test test test test test test test test test test test junk'
const POLL_MS = 250
const WAIT_MS_MAX = 30_000

const { values } = parseArgs({
  options: {
    index: { type: 'string', default: '5' },
    deposit: { type: 'string', default: '20000' },
  },
})
const { OPENVENUE_URL: url = 'http://127.0.0.1:3000', OPENVENUE_WALLET_KEY } = process.env
const wallet = OPENVENUE_WALLET_KEY
  ? privateKeyToAccount(OPENVENUE_WALLET_KEY as Address)
  : mnemonicToAccount(MNEMONIC, { addressIndex: Number(values.index) })

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + WAIT_MS_MAX
  while (!(await isDone())) {
    if (Date.now() > endMs) throw new Error('the chain has not taken it: does it make blocks?')
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** The wallet sends these itself, and pays for their gas. */
async function send(venue: SigningVenue, calls: readonly Call[]): Promise<void> {
  const transport = http(venue.info.network.rpc_urls[0])
  const client = createPublicClient({ transport, pollingInterval: POLL_MS })
  const sender = createWalletClient({ account: wallet, transport })
  for (const call of calls) {
    const hash = await sender.sendTransaction({ ...call, chain: null })
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
  }
}

const open = new Rest({ url })
const venue = await loadVenue(open)
const usdc = venue.info.tokens.find(({ symbol }) => symbol === 'USDC')
const { perps: engine } = venue.contracts
if (usdc === undefined || engine === undefined) throw new Error('this venue has no perpetuals')
const token = usdc.address as Address
const money = { engine, token, amount: toRaw(values.deposit, usdc.decimals) }
if (money.amount > 0n) await send(venue, [approveCall(money), depositCall(money)])

const privateKey = generatePrivateKey()
const key = privateKeyToAccount(privateKey)
const body = await signRegistration(venue, { wallet, key })
const { api_key, api_secret } = await open.call('POST /register', { body })
if (api_key === undefined || api_secret === undefined) throw new Error('the venue gave no API key')
const rest = new Rest({ url, apiKey: { key: api_key, secret: api_secret } })
await until(async () => (await rest.call('GET /api-keys')).on_chain[0]?.status === 'done')

const { allow } = await rest.call('GET /account/cancellers')
if (allow !== null) {
  const grant = { canceller: allow.canceller, expirySeconds: Number(allow.expiry) }
  const allowance = await signCanceller(venue, key, { ...grant, account: wallet.address })
  await rest.call('POST /account/cancellers', { body: allowance })
  await until(async () => {
    const { cancellers } = await rest.call('GET /account/cancellers')
    return cancellers.some(({ is_venue }) => is_venue)
  })
}

const { balance } = await rest.call('GET /account')
process.stderr.write(`${wallet.address} has ${balance} USDC at the perpetual engine\n`)
process.stdout.write(`export OPENVENUE_URL=${url}
export OPENVENUE_ACCOUNT=${wallet.address}
export OPENVENUE_SIGNING_KEY=${privateKey}
export OPENVENUE_API_KEY=${api_key}
export OPENVENUE_API_SECRET=${api_secret}
`)
