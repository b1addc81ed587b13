// Writes deployment.json, by which services find the venue and checks verify its contracts.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, keccak256 } from 'viem'
import { type Chain, mapLimited } from '../chain/chain.ts'
import type { VenueTerms } from '../config/venue-terms.ts'
import { byName, type Contract, requireContract } from '../plan/contracts.ts'
import type { Journal } from './journal.ts'

type ContractRecord = Readonly<{
  address: Hex
  source: string
  /** Absent when another account created it: its address proves the same code. */
  tx: Hex | undefined
  initCodeHash: Hex
  runtimeCodeHash: Hex
  arguments: readonly string[]
}>

/** The first members are read by every service. */
export type DeploymentRecord = Readonly<{
  chainId: number
  startBlock: number
  accounts: Hex
  spot: Hex
  perps: Hex
  oracles: readonly Hex[]
  lens: Hex
  governance: Hex
  treasury: Hex
  domainName: string
  tokens: Readonly<Record<string, Hex>>
  deployer: Hex
  factory: string
  nonce: number
  salt: string
  commit: string
  solc: string
  contracts: Readonly<Record<string, ContractRecord>>
  /** Transactions that listed each market, by its name. */
  markets: Readonly<Record<string, Hex>>
}>

const ROOT = join(import.meta.dirname, '..', '..', '..')

type RecordSources = Readonly<{
  chain: Chain
  terms: VenueTerms
  contracts: readonly Contract[]
  journal: Journal
}>

export async function recordDeployment(parts: RecordSources): Promise<DeploymentRecord> {
  const { terms, contracts, journal } = parts
  const named = byName(contracts)
  const address = (name: Contract['name']) => requireContract(named, name).address
  const records = await mapLimited(contracts, (contract) => recordContract(parts, contract))
  const { chainId, deployer, factory, nonce, salt, block } = journal.basis
  return {
    chainId,
    startBlock: block,
    accounts: address('accounts'),
    spot: address('spot'),
    perps: address('perps'),
    oracles: [address('oracle')],
    lens: address('lens'),
    governance: address('governance'),
    treasury: address('insurance'),
    domainName: terms.domainName,
    tokens: Object.fromEntries(
      Object.entries(terms.tokens).map(([symbol, token]) => [symbol, token.address]),
    ),
    deployer,
    factory,
    nonce,
    salt,
    commit: readCommit(),
    solc: readCompiler(),
    contracts: Object.fromEntries(
      contracts.map(({ name }, index) => [name, records[index]]),
    ) as DeploymentRecord['contracts'],
    markets: Object.fromEntries(
      [...terms.spot, ...terms.perps].flatMap(({ name }) => {
        const hash = sentHash(journal, `list ${name}`)
        return hash === undefined ? [] : [[name, hash]]
      }),
    ),
  }
}

async function recordContract(
  { chain, journal }: RecordSources,
  contract: Contract,
): Promise<ContractRecord> {
  const code = await chain.code(contract.address)
  if (code === undefined) throw new Error(`no code of ${contract.name} at ${contract.address}`)
  return {
    address: contract.address,
    source: contract.source,
    tx: sentHash(journal, contract.name),
    initCodeHash: keccak256(contract.initCode),
    runtimeCodeHash: keccak256(code),
    arguments: contract.args.map(String),
  }
}

function sentHash(journal: Journal, step: string): Hex | undefined {
  const outcome = journal.find(step)?.outcome
  return outcome === undefined || outcome.isReverted ? undefined : outcome.hash
}

/** Used when there is no commit. */
export const UNKNOWN_COMMIT = 'unknown'

/** Returns the commit of this checkout, with a plus when files differ from it. */
function readCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const isChanged = git('status', '--porcelain', '--', 'contracts').trim() !== ''
    return `${git('rev-parse', 'HEAD').trim()}${isChanged ? '+' : ''}`
  } catch {
    // A checkout without history: the hashes of the code identify it.
    return UNKNOWN_COMMIT
  }
}

/** Returns the pinned version of the compiler. */
export function readCompiler(): string {
  const text = readFileSync(join(ROOT, 'contracts', 'package.json'), 'utf8')
  return (JSON.parse(text) as { devDependencies: { solc: string } }).devDependencies.solc
}
