// Trades as an account of the devnet's public mnemonic, where nothing has value.
import type { ApiKey, Rest } from 'openvenue'
import {
  approveCall,
  depositCall,
  loadVenue,
  register,
  type Signer,
  type SigningVenue,
} from 'openvenue/signing'
import { createPublicClient, createWalletClient, erc20Abi, type Hex, http } from 'viem'
import {
  generatePrivateKey,
  type HDAccount,
  mnemonicToAccount,
  privateKeyToAccount,
} from 'viem/accounts'
import { StartError } from './tool-error.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'
const DEVNET = 'devnet'
const COLLATERAL = 'USDC'
/** Maximum deposit for an empty account, in whole tokens. */
const DEPOSIT_MAX = 20_000n
const POLLING_MS = 100

type DevnetAccount = Readonly<{ apiKey: ApiKey; signer: Signer }>

/**
 * Registers an API key for an account of the mnemonic, whose wallet signs its orders, and deposits
 * if the account is empty. Refuses any other network.
 */
export async function enterDevnet(rest: Rest, addressIndex: number): Promise<DevnetAccount> {
  const venue = await loadVenue(rest)
  const { name, rpc_urls } = venue.info.network
  if (name !== DEVNET) throw new StartError(`--devnet: got network ${name}, expected ${DEVNET}`)
  const wallet = mnemonicToAccount(MNEMONIC, { addressIndex })
  const signer = wallet as Signer
  const key = privateKeyToAccount(generatePrivateKey()) as Signer
  const apiKey = await register(rest, venue, { wallet: signer, key, onChain: false })
  const account = rest.withKey(apiKey)
  const { balance } = await account.call('GET /account')
  const [rpcUrl] = rpc_urls
  if (balance === '0' && rpcUrl !== undefined) await depositAll(account, venue, { wallet, rpcUrl })
  return { apiKey, signer }
}

type FundingWallet = Readonly<{ wallet: HDAccount; rpcUrl: string }>

/** The first deposit opens the account. Returns when the venue has processed it. */
async function depositAll(rest: Rest, venue: SigningVenue, { wallet, rpcUrl }: FundingWallet) {
  const { perps: engine } = venue.contracts
  const collateral = venue.info.tokens.find(({ symbol }) => symbol === COLLATERAL)
  if (engine === undefined || collateral === undefined) return
  const token = collateral.address as Hex
  const transport = http(rpcUrl)
  const chain = createPublicClient({ transport, pollingInterval: POLLING_MS })
  const owned = await chain.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [wallet.address],
  })
  const most = DEPOSIT_MAX * 10n ** BigInt(collateral.decimals)
  const amount = owned < most ? owned : most
  if (amount === 0n)
    throw new StartError(`the wallet has no ${COLLATERAL}: run npm run faucet -- ${wallet.address}`)
  const client = createWalletClient({ account: wallet, transport })
  let block = 0n
  for (const call of [approveCall, depositCall]) {
    const transaction = { ...call({ engine, token, amount }), chain: null }
    const hash = await client.sendTransaction(transaction)
    const receipt = await chain.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new StartError(`the deposit of ${amount} reverted`)
    block = receipt.blockNumber
  }
  await rest.call('GET /account', {}, { minBlock: Number(block) })
}
