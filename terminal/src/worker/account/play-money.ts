// Gives a wallet of a devnet tokens and money for gas: a node of the devnet signs for who pays.
import { testMoney } from 'openvenue/devnet'
import type { Address, Hex, SigningVenue } from 'openvenue/signing'
import { included, type Request } from '../wallet/chain-rpc.ts'
import { DEVNET } from '../wallet/wallet.ts'

/** Sends test money to a wallet, and returns once the chain has all of it. */
export async function giveTestMoney(
  venue: SigningVenue,
  request: Request,
  to: Address,
): Promise<void> {
  const { name } = venue.info.network
  if (name !== DEVNET) throw new Error(`${name} has no test money: only a devnet has`)
  const accounts = (await request('eth_accounts', [])) as readonly Address[]
  const grants = testMoney(venue, accounts, to)
  if (grants === undefined) throw new Error('the node of the chain is not that of a devnet')
  const hashes: Hex[] = []
  for (const { tx } of grants) hashes.push((await request('eth_sendTransaction', [tx])) as Hex)
  await Promise.all(hashes.map((hash) => included(request, hash)))
}
