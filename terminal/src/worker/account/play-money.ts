// Gives a wallet of a devnet tokens and money for gas: a node of the devnet signs for who pays.
import { toRaw } from 'openvenue'
import type { Address, Hex, SigningVenue } from 'openvenue/signing'
import { encodeFunctionData, numberToHex, parseAbi } from 'viem'
import { included, type Request } from '../wallet/chain-rpc.ts'
import { DEVNET } from '../wallet/wallet.ts'

/** The account of the devnet's node that pays. */
const PAYER_INDEX = 4
/** Whole tokens: enough for hundreds of orders. */
export const GRANT: Readonly<Record<string, string>> = {
  USDC: '100000',
  EURC: '50000',
  ETH: '20',
  BTC: '1',
}
export const GAS_MONEY_WEI = 10n * 10n ** 18n
const GAS_LIMIT = 400_000
/** Anyone may mint a token of the devnet. */
const MINT = parseAbi(['function mint(address to, uint256 amount)'])

/** Sends test money to a wallet, and returns once the chain has all of it. */
export async function giveTestMoney(
  venue: SigningVenue,
  request: Request,
  to: Address,
): Promise<void> {
  const { name } = venue.info.network
  if (name !== DEVNET) throw new Error(`${name} has no test money: only a devnet has`)
  const accounts = (await request('eth_accounts', [])) as readonly string[]
  const from = accounts[PAYER_INDEX]
  if (from === undefined) throw new Error('the node of the chain is not that of a devnet')
  const gas = numberToHex(GAS_LIMIT)
  const txs = [
    { from, to, gas, value: numberToHex(GAS_MONEY_WEI) },
    ...mints(venue, to).map((mint) => ({ from, gas, ...mint })),
  ]
  const hashes: Hex[] = []
  for (const tx of txs) hashes.push((await request('eth_sendTransaction', [tx])) as Hex)
  await Promise.all(hashes.map((hash) => included(request, hash)))
}

const mints = ({ info }: SigningVenue, to: Address) =>
  info.tokens.flatMap(({ symbol, address, decimals }) => {
    const amount = GRANT[symbol]
    if (amount === undefined) return []
    const args = [to, toRaw(amount, decimals)] as const
    return [{ to: address, data: encodeFunctionData({ abi: MINT, functionName: 'mint', args }) }]
  })
