// Command `faucet`: funds a devnet wallet with tokens and gas money.
import { testMoney } from 'openvenue/devnet'
import type { Address, Hex } from 'openvenue/signing'
import { words } from '../columns.ts'
import { argument, type CommandSpec, naming } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { parseAddress } from '../parse.ts'
import { showPlan } from './order-plan.ts'

const NETWORK = 'devnet'

type Grant = Readonly<{ token: string; amount: string; hash: string; block_number: string }>
const GRANTS = [
  words('amount', (grant: Grant) => grant.amount),
  words('token', (grant: Grant) => grant.token),
  words('block_number', (grant: Grant) => grant.block_number, { title: 'block' }),
  words('hash', (grant: Grant) => grant.hash),
]

export const faucet: CommandSpec = {
  name: 'faucet',
  summary: 'fund a devnet wallet with tokens and gas money',
  args: [argument('[address]', 'wallet address; your own by default')],
  examples: ['openvenue faucet'],
  changes: true,
  run: async (session, { args: [given] }) => {
    const venue = await session.venue()
    const { name } = venue.info.network
    if (name !== NETWORK) throw new UsageError(`${name} has no faucet: only the devnet has one`)
    const address =
      given === undefined ? await session.account() : naming('address', parseAddress)(given)
    const chain = await session.chain()
    const accounts = (await chain.request('eth_accounts', [])) as readonly Address[]
    const grants = testMoney(venue, accounts, address)
    if (grants === undefined)
      throw new UsageError('the chain node is not a devnet node: it lacks the devnet accounts')
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
