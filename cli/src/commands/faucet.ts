// Command `faucet`: gives a wallet of the devnet tokens and money for gas.
import { fromRaw, toRaw } from 'openvenue'
import type { Address, Hex, SigningVenue } from 'openvenue/signing'
import { encodeFunctionData, numberToHex, parseAbi } from 'viem'
import { words } from '../columns.ts'
import { argument, type CommandSpec } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { parseAddress } from '../parse.ts'
import { showPlan } from './order-plan.ts'

const NETWORK = 'devnet'
/** The account of the devnet's node that pays: the node signs for it. */
const PAYER_INDEX = 4
/** Whole tokens: enough for hundreds of orders. */
const GRANT: Readonly<Record<string, string>> = {
  USDC: '100000',
  EURC: '50000',
  ETH: '20',
  BTC: '1',
}
const GAS_MONEY_WEI = 10n * 10n ** 18n
const GAS_LIMIT = 400_000
/** Anyone may mint a token of the devnet. */
const MINT = parseAbi(['function mint(address to, uint256 amount)'])

type Tx = Readonly<{ from: string; to: string; gas: Hex; data?: Hex; value?: Hex }>
type Grant = Readonly<{ token: string; amount: string; hash: string; block_number: string }>
const GRANTS = [
  words('amount', (grant: Grant) => grant.amount),
  words('token', (grant: Grant) => grant.token),
  words('block_number', (grant: Grant) => grant.block_number, { title: 'block' }),
  words('hash', (grant: Grant) => grant.hash),
]

export const faucet: CommandSpec = {
  name: 'faucet',
  summary: 'give a wallet of the devnet tokens and money for gas',
  args: [argument('[address]', 'of the wallet; your own by default')],
  examples: ['openvenue faucet'],
  changes: true,
  run: async (session, { args: [given] }) => {
    const venue = await session.venue()
    const { name } = venue.info.network
    if (name !== NETWORK) throw new UsageError(`${name} has no faucet: only the devnet has one`)
    const address = given === undefined ? await session.account() : parseAddress(given)
    const chain = await session.chain()
    const accounts = (await chain.request('eth_accounts', [])) as readonly string[]
    const payer = accounts[PAYER_INDEX]
    if (payer === undefined)
      throw new UsageError('the node of the chain is not that of a devnet: it has no accounts')
    const grants = grantsOf(venue, payer, address)
    if (session.isDryRun)
      return showPlan(
        session,
        grants.map(({ tx }) => ({ what: 'transaction', to: tx.to, body: tx })),
      )
    const hashes: Hex[] = []
    for (const { tx } of grants)
      hashes.push((await chain.request('eth_sendTransaction', [tx])) as Hex)
    const sent = await Promise.all(hashes.map((hash) => chain.included('grant', hash)))
    const rows = grants.map(({ token, amount }, at): Grant => {
      const { hash = '', block_number = '' } = sent[at] ?? {}
      return { token, amount, hash, block_number }
    })
    session.output.note(`${address} received:`)
    session.output.show({ answer: { address, grants: rows }, rows, columns: GRANTS })
  },
}

function grantsOf({ info }: SigningVenue, from: string, to: Address) {
  const gas = numberToHex(GAS_LIMIT)
  const mints = info.tokens.flatMap(({ symbol, address, decimals }) => {
    const amount = GRANT[symbol]
    if (amount === undefined) return []
    const args = [to, toRaw(amount, decimals)] as const
    const data = encodeFunctionData({ abi: MINT, functionName: 'mint', args })
    const tx: Tx = { from, to: address, gas, data }
    return [{ token: symbol, amount, tx }]
  })
  const money: Tx = { from, to, gas, value: numberToHex(GAS_MONEY_WEI) }
  return [...mints, { token: 'gas', amount: fromRaw(GAS_MONEY_WEI, 18), tx: money }]
}
