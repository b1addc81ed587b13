// Sets up an account that can trade: deposits, registers a new signing key and an API key, and
// allows the venue to cancel. Prints the variables that the other programs need.
//
//   npm run faucet -- 0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc
//   npx node examples/register.ts > .env.bot && source .env.bot
//
// The wallet is OPENVENUE_WALLET_KEY (0x…), or account 5 of the devnet's mnemonic, whose address is
// above; --index selects another account. --deposit is in whole USDC.
import { parseArgs } from 'node:util'
import { Rest, toRaw } from 'openvenue'
import {
  type Address,
  allowVenueToCancel,
  approveCall,
  type Call,
  depositCall,
  loadVenue,
  register,
} from 'openvenue/signing'
import { createPublicClient, createWalletClient, http } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'

const MNEMONIC = 'test test test test test test test test test test test junk'
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

const rest = new Rest({ url })
const venue = await loadVenue(rest)

/** Sends wallet transactions, whose gas the wallet pays. */
async function send(calls: readonly Call[]): Promise<void> {
  const transport = http(venue.info.network.rpc_urls[0])
  const client = createPublicClient({ transport, pollingInterval: 250 })
  const sender = createWalletClient({ account: wallet, transport })
  for (const call of calls) {
    const hash = await sender.sendTransaction({ ...call, chain: null })
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
  }
}

const usdc = venue.info.tokens.find(({ symbol }) => symbol === 'USDC')
const { perps: engine } = venue.contracts
if (usdc === undefined || engine === undefined) throw new Error('this venue has no perpetuals')
const token = usdc.address as Address
const money = { engine, token, amount: toRaw(values.deposit, usdc.decimals) }
if (money.amount > 0n) await send([approveCall(money), depositCall(money)])

const privateKey = generatePrivateKey()
const key = privateKeyToAccount(privateKey)
const apiKey = await register(rest, venue, { wallet, key })
const account = rest.withKey(apiKey)
await allowVenueToCancel(account, venue, { signer: key, account: wallet.address })

const { balance } = await account.call('GET /account')
process.stderr.write(`${wallet.address} has ${balance} USDC at the perpetual engine\n`)
process.stdout.write(`export OPENVENUE_URL=${url}
export OPENVENUE_ACCOUNT=${wallet.address}
export OPENVENUE_SIGNING_KEY=${privateKey}
export OPENVENUE_API_KEY=${apiKey.key}
export OPENVENUE_API_SECRET=${apiKey.secret}
`)
