// Compares deployment.json, which services and checks rely on, with the chain and this checkout.
import { type Hex, keccak256 } from 'viem'
import { type DeploymentRecord, readCompiler } from '../apply/deployment-record.ts'
import { type Chain, mapLimited } from '../chain/chain.ts'
import type { VenueTerms } from '../config/venue-terms.ts'
import { byName, type Contract, type ContractName, requireContract } from '../plan/contracts.ts'
import { compare, type Difference } from './difference.ts'

type RecordCheck = Readonly<{
  chain: Chain
  terms: VenueTerms
  record: DeploymentRecord
  contracts: readonly Contract[]
}>

/** Members that services read, and the contract of each. */
const NAMED: readonly (readonly [keyof DeploymentRecord, ContractName])[] = [
  ['accounts', 'accounts'],
  ['spot', 'spot'],
  ['perps', 'perps'],
  ['oracles', 'oracle'],
  ['lens', 'lens'],
  ['governance', 'governance'],
  ['treasury', 'insurance'],
]

export async function checkRecord(verified: RecordCheck): Promise<readonly Difference[]> {
  const { terms, record, contracts } = verified
  const placed = byName(contracts)
  const named = NAMED.flatMap(([member, name]) =>
    compare(inRecord(member), record[member], requireContract(placed, name).address),
  )
  // A token added later is only in venue.json.
  const tokens = Object.entries(record.tokens).flatMap(([symbol, address]) =>
    compare(inRecord(`tokens.${symbol}`), address, terms.tokens[symbol]?.address ?? address),
  )
  const entries = await mapLimited(contracts, (contract) => checkContract(verified, contract))
  return [
    ...named,
    ...tokens,
    ...compare(inRecord('solc'), record.solc, readCompiler()),
    ...entries.flat(),
  ]
}

const inRecord = (member: string) => `${member} of deployment.json`

async function checkContract(
  verified: RecordCheck,
  contract: Contract,
): Promise<readonly Difference[]> {
  const { chain, record } = verified
  const { name, address, source, args } = contract
  const entry = record.contracts[name]
  if (entry === undefined) return [{ subject: inRecord(name), actual: 'none', expected: address }]
  const code = await chain.code(address)
  const hash = code === undefined ? 'none' : keccak256(code)
  return [
    ...compare(inRecord(`${name}.source`), entry.source, source),
    ...compare(inRecord(`${name}.arguments`), entry.arguments, args.map(String)),
    ...compare(`runtime code hash of ${name}`, hash, entry.runtimeCodeHash),
    ...(entry.tx === undefined ? [] : await checkCreation(verified, contract, entry.tx)),
  ]
}

/** Checks that the transaction created the contract, and that indexers start before it. */
async function checkCreation(
  { chain, record }: RecordCheck,
  { name, data }: Contract,
  tx: Hex,
): Promise<readonly Difference[]> {
  const subject = inRecord(`${name}.tx`)
  const sent = await chain.transaction(tx)
  // Nodes may prune old transactions.
  if (sent === undefined) return []
  const { input, block } = sent
  if (keccak256(input) !== keccak256(data))
    return [{ subject, actual: 'another transaction', expected: `the creation of ${name}` }]
  if (block >= record.startBlock) return []
  return [{ subject: inRecord('startBlock'), actual: `${record.startBlock}`, expected: `${block}` }]
}
