// Checks the API against a chain node.
import { verifyBalances, verifyBook } from 'openvenue/verify'
import { formatUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hostOf } from '../../chain.ts'
import type { Session } from '../../session.ts'
import { type Finding, fail, look, ok, warn } from './finding.ts'

const BLOCKS_APART_MAX = 20n
const GAS_DECIMALS = 18
const NO_CODE = '0x'

export async function chainChecks(session: Session, isDeep: boolean): Promise<Finding[]> {
  const rpc = await session.rpcUrl()
  if (rpc === undefined) {
    const advice = 'pass one with --rpc to check the API against it'
    return [(isDeep ? fail : warn)('chain', 'no node configured', advice)]
  }
  const chain = await look('chain', 'pass another node with --rpc', () => blocks(session, rpc))
  if (chain.status === 'fail') return [chain]
  return [
    chain,
    await look('contracts', 'do not deposit', () => contracts(session)),
    await look('signing key on the chain', 'openvenue keys new --force', () => onChainKey(session)),
    await look('gas', 'pass another node with --rpc', () => gas(session)),
    ...(isDeep ? await verified(session) : []),
  ]
}

/** Compares order books and the account with the contracts, member by member. */
async function verified(session: Session): Promise<Finding[]> {
  const advice = 'do not trade: the API contradicts the chain'
  const findings = [await look('books', advice, () => books(session))]
  const { api_key } = await session.credentials()
  if (api_key !== undefined) findings.push(await look('balances', advice, () => balances(session)))
  return findings
}

async function books(session: Session): Promise<Finding> {
  const [rest, chain] = await Promise.all([session.publicRest(), session.chain()])
  const markets = await rest.call('GET /markets')
  // Looks markets up by id, which needs no logs that a node may have pruned. Sequentially, to
  // respect the limits of public nodes.
  for (const { instrument_id } of markets) await verifyBook(rest, chain.rpc, instrument_id)
  const names = markets.map(({ instrument_name }) => instrument_name).join(', ')
  return ok('books', `match the contracts: ${names}`)
}

async function balances(session: Session): Promise<Finding> {
  const [rest, chain] = await Promise.all([session.rest(), session.chain()])
  const account = await session.account()
  const { block } = await verifyBalances(rest, chain.rpc, account)
  return ok('balances', `match the contracts at block ${block.number}`)
}

/** Checks that the block of an answer is the one of the chain. */
async function blocks(session: Session, rpc: string): Promise<Finding> {
  const chain = await session.chain()
  const rest = await session.publicRest()
  // Not /markets, whose answer may be half a minute old.
  const { blockNumber, blockHash } = await rest.ask('GET /tickers')
  const head = await chain.blockNumber()
  const facts = `${hostOf(rpc)}: chain ${chain.chainId}, block ${head}; the API is at ${blockNumber}`
  if (blockNumber === undefined) return warn('chain', facts, 'the API returned no block')
  const apart = head - BigInt(blockNumber)
  if (apart < 0n) return warn('chain', facts, 'the node is behind the API: pass another with --rpc')
  if (apart > BLOCKS_APART_MAX) return warn('chain', facts, 'the API is behind: its data is old')
  const { hash } = await chain.block(blockNumber)
  if (hash !== blockHash)
    return fail('chain', `${facts}, with a different hash`, 'do not trade: one of them is wrong')
  return ok('chain', facts)
}

async function contracts(session: Session): Promise<Finding> {
  const [venue, chain] = await Promise.all([session.venue(), session.chain()])
  const { file } = await session.place()
  const named = Object.entries(venue.contracts)
  const codes = await Promise.all(named.map(([, address]) => chain.code(address)))
  const empty = named.filter((_, at) => codes[at] === NO_CODE).map(([name]) => name)
  if (empty.length > 0) return fail('contracts', `no code: ${empty.join(', ')}`, 'do not deposit')
  const pinned = file?.contracts === undefined ? 'not pinned by the file' : 'as pinned by the file'
  return ok('contracts', `${named.map(([name]) => name).join(', ')}: ${pinned}`)
}

async function onChainKey(session: Session): Promise<Finding> {
  const name = 'signing key on the chain'
  const { signing_key } = await session.credentials()
  if (signing_key === undefined) return warn(name, 'none', 'openvenue keys new')
  const [venue, chain, account] = await Promise.all([
    session.venue(),
    session.chain(),
    session.account(),
  ])
  const signer = privateKeyToAccount(signing_key).address
  const mayTrade = await chain.maySign(venue.accounts, account, signer)
  if (mayTrade) return ok(name, `${signer} may trade for the account`)
  return fail(name, `${signer} may not trade for ${account}`, 'openvenue keys new --force')
}

async function gas(session: Session): Promise<Finding> {
  const { wallet_key } = await session.credentials()
  if (wallet_key === undefined)
    return warn('gas', 'no wallet key', 'set OPENVENUE_WALLET_KEY to deposit and withdraw')
  const { address } = privateKeyToAccount(wallet_key)
  const balance = await (await session.chain()).gasMoney(address)
  const text = `${address} has ${formatUnits(balance, GAS_DECIMALS)}`
  return balance === 0n ? warn('gas', text, 'deposits and withdrawals cost gas') : ok('gas', text)
}
