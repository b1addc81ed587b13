// Writes contracts/abi/*.ts from a fresh build, so that TypeScript can use the contracts without a
// compiler, and contracts/abi/*.json, the ABIs that the API serves to programs in any language.
// With --check it writes nothing and fails when a committed file differs; it compiles only when the
// sources have changed since the last time.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './forge.ts'
import { findStale, fingerprint, hashInputs, recall, remember } from './generation-record.ts'
import { type Methods, requireOneAnswer } from './selectors.ts'
import {
  ABI,
  buildShipped,
  CONTRACTS,
  type Contract,
  SOURCES_FILE,
  sourcesText,
} from './shipped.ts'
import { requirePrefix, type Variable } from './storage-layout.ts'

/** Published ABIs, by file name. */
const SERVED = [
  'accounts',
  'chainlink-source',
  'governance',
  'lens',
  'perps',
  'push-oracle',
  'pyth-source',
  'spot',
  'treasury',
]
/** Members of the devnet token that every token has. */
const ERC20 = new Set([
  ...['name', 'symbol', 'decimals', 'totalSupply', 'balanceOf', 'allowance'],
  ...['transfer', 'approve', 'transferFrom', 'Transfer', 'Approval'],
])

type Code = Readonly<{ object: string }>
type Artifact = Readonly<{
  abi: readonly unknown[]
  bytecode: Code
  deployedBytecode: Code
  methodIdentifiers: Methods
  storageLayout: Readonly<{ storage: readonly Variable[] }>
}>

/** Separate from the artifacts that tests deploy: they may run at the same time. */
const BUILD = join(ROOT, 'out', 'fresh')
const SIZE_MAX = 24_576 // bytes of a deployed contract

function readArtifact(source: string, contract: string): Artifact {
  return JSON.parse(readFileSync(join(BUILD, source, `${contract}.json`), 'utf8'))
}

/** Returns the contract's items, then those of its parts, each once, without their constructors. */
function wholeAbi({ source, contract, answersFor = [] }: Contract): string[] {
  const abi = readArtifact(source, contract).abi
  const parts = answersFor.flatMap((part) => readArtifact(`${part}.sol`, part).abi)
  const apart = new Set(['constructor', 'fallback'])
  const theirs = parts.filter((item) => !apart.has((item as { type: string }).type))
  return [...new Set([...abi, ...theirs].map((item) => JSON.stringify(item)))]
}

function requireSize({ source, contract }: Contract): void {
  const bytes = (readArtifact(source, contract).deployedBytecode.object.length - 2) / 2
  if (bytes > SIZE_MAX)
    throw new Error(`size of ${contract}: got ${bytes} bytes, expected at most ${SIZE_MAX}`)
}

function abiModule(contract: Contract): string {
  requireSize(contract)
  const { bytecode } = readArtifact(contract.source, contract.contract)
  const items = wholeAbi(contract)
    .map((item) => `  ${item},\n`)
    .join('')
  return [
    `// Generated from ${contract.contract} by \`npm run build -w contracts\`. Do not edit.`,
    `export const ${contract.name}Abi = [\n${items}] as const`,
    `export const ${contract.name}Bytecode =\n  '${bytecode.object}' as const`,
    '',
  ].join('\n\n')
}

/** Returns the items of an ABI as a JSON array, an item a line. */
const jsonText = (items: readonly string[]) => `[\n${items.join(',\n')}\n]\n`

/** Returns the published ABIs, by file name. */
function servedAbis(): Record<string, string> {
  const served = CONTRACTS.map((item) => [item.file.replace(/\.ts$/, ''), wholeAbi(item)] as const)
    .filter(([name]) => SERVED.includes(name))
    .map(([name, items]) => [`${name}.json`, jsonText(items)])
  const token = readArtifact('DevToken.sol', 'DevToken').abi as readonly { name?: string }[]
  const standard = token.filter(({ name = '' }) => ERC20.has(name))
  const items = standard.map((item) => JSON.stringify(item))
  return { ...Object.fromEntries(served), 'erc20.json': jsonText(items) }
}

/** Contracts that share one address. The admin's layout is the longest, since it has the ledger. */
const ENGINES = [
  { admin: 'SpotAdmin', others: ['Spot'] },
  { admin: 'PerpsAdmin', others: ['Perps', 'Liquidation', 'Marks'] },
]

function requireNothingHidden(): void {
  const readMethods = (part: string) => readArtifact(`${part}.sol`, part).methodIdentifiers
  for (const { admin, others } of ENGINES)
    requireOneAnswer(
      Object.fromEntries([admin, ...others].map((part) => [part, readMethods(part)])),
    )
}

function requireOneLayout(): void {
  const readVariables = (contract: string): readonly Variable[] =>
    readArtifact(`${contract}.sol`, contract).storageLayout.storage
  for (const { admin, others } of ENGINES)
    for (const part of others) requirePrefix(part, admin, readVariables)
}

/** Compiles and checks all contracts, and returns the text of each module by its path. */
function generate(): Record<string, string> {
  buildShipped(BUILD)
  requireOneLayout()
  requireNothingHidden()
  const modules = CONTRACTS.map((contract) => [
    contract.file,
    abiModule(contract).replace(/\n+$/, '\n'),
  ])
  const files: Record<string, string> = {
    ...Object.fromEntries(modules),
    ...servedAbis(),
    [SOURCES_FILE]: sourcesText(),
  }
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [join(ABI, file), text]))
}

const MEMORY = 'contracts-abi'
const inputs = hashInputs(['contracts/src/**'])
if (process.argv.includes('--check')) {
  const fresh = recall(MEMORY, inputs) ?? remember(MEMORY, inputs, fingerprint(generate()))
  const stale = findStale(fresh)
  if (stale.length > 0) {
    const paths = stale.join('\n  ')
    process.stderr.write(
      `differs from a fresh build; run npm run build -w contracts:\n  ${paths}\n`,
    )
    process.exitCode = 1
  }
} else {
  const texts = generate()
  const fresh = remember(MEMORY, inputs, fingerprint(texts))
  mkdirSync(ABI, { recursive: true })
  for (const path of findStale(fresh)) writeFileSync(path, texts[path] ?? '')
}
