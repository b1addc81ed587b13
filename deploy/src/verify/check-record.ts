// Holds deployment.json, by which services find the venue and others check it, against the chain
// and what this checkout would put there.
import { type Hex, keccak256 } from 'viem'
import { type DeploymentRecord, readCompiler } from '../apply/deployment-record.ts'
import { type Chain, inTurns } from '../chain/chain.ts'
import type { VenueTerms } from '../config/venue-terms.ts'
import { byName, type Contract, type ContractName, requireContract } from '../plan/contracts.ts'
import { compare, type Difference } from './difference.ts'

type Verified = Readonly<{
  chain: Chain
  terms: VenueTerms
  record: DeploymentRecord
  contracts: readonly Contract[]
}>

/** What services read, and which contract it is. */
const NAMED: readonly (readonly [keyof DeploymentRecord, ContractName])[] = [
  ['accounts', 'accounts'],
  ['spot', 'spot'],
  ['perps', 'perps'],
  ['oracles', 'oracle'],
  ['lens', 'lens'],
  ['governance', 'governance'],
  ['treasury', 'insurance'],
]

export async function checkRecord(verified: Verified): Promise<readonly Difference[]> {
  const { terms, record, contracts } = verified
  const known = byName(contracts)
  const named = NAMED.flatMap(([member, name]) =>
    compare(inRecord(member), record[member], requireContract(known, name).address),
  )
  // A token that came later is in venue.json alone.
  const tokens = Object.entries(record.tokens).flatMap(([symbol, address]) =>
    compare(inRecord(`tokens.${symbol}`), address, terms.tokens[symbol]?.address ?? address),
  )
  const found = await inTurns(contracts, (contract) => checkContract(verified, contract))
  return [
    ...named,
    ...tokens,
    ...compare(inRecord('solc'), record.solc, readCompiler()),
    ...found.flat(),
  ]
}

const inRecord = (member: string) => `${member} of deployment.json`

async function checkContract(
  verified: Verified,
  contract: Contract,
): Promise<readonly Difference[]> {
  const { chain, record } = verified
  const { name, address, source, args } = contract
  const entry = record.contracts[name]
  if (entry === undefined) return [{ what: inRecord(name), stands: 'none', wanted: address }]
  const code = await chain.code(address)
  const hash = code === undefined ? 'none' : keccak256(code)
  return [
    ...compare(inRecord(`${name}.source`), entry.source, source),
    ...compare(inRecord(`${name}.arguments`), entry.arguments, args.map(String)),
    ...compare(`runtime code hash of ${name}`, hash, entry.runtimeCodeHash),
    ...(entry.tx === undefined ? [] : await checkCreation(verified, contract, entry.tx)),
  ]
}

/** Whether the transaction created it, and indexers begin before that. */
async function checkCreation(
  { chain, record }: Verified,
  { name, data }: Contract,
  tx: Hex,
): Promise<readonly Difference[]> {
  const what = inRecord(`${name}.tx`)
  const sent = await chain.transaction(tx)
  // A node need not keep what is old.
  if (sent === undefined) return []
  const { input, block } = sent
  if (keccak256(input) !== keccak256(data))
    return [{ what, stands: 'a transaction of something else', wanted: `the creation of ${name}` }]
  if (block >= record.startBlock) return []
  return [{ what: inRecord('startBlock'), stands: `${record.startBlock}`, wanted: `${block}` }]
}
