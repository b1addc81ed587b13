// Provides the artifacts of the deployed contracts, which tests deploy by path, such as
// out/shipped/Spot.sol/Spot.json. They come from the committed code in contracts/abi. If that was
// generated from other sources, the contracts are compiled.
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { readCompilerInput } from './compiler-input.ts'
import { ROOT, runForge } from './forge.ts'

export const ABI = join(ROOT, 'abi')
export const OUT = join(ROOT, 'out', 'shipped')
/** Hash of the sources: in `ABI` those of the committed code, in `OUT` those of the artifacts. */
export const SOURCES_FILE = 'sources.json'

/** `answersFor` names contracts that it delegates to: their ABIs are part of its own. */
export type Contract = Readonly<{
  contract: string
  source: string
  name: string
  file: string
  answersFor?: readonly string[]
}>

/** The contracts exported by this package. */
export const CONTRACTS: readonly Contract[] = [
  { contract: 'Accounts', source: 'Accounts.sol', name: 'accounts', file: 'accounts.ts' },
  { contract: 'PushOracle', source: 'PushOracle.sol', name: 'pushOracle', file: 'push-oracle.ts' },
  { contract: 'PythSource', source: 'PythSource.sol', name: 'pythSource', file: 'pyth-source.ts' },
  {
    contract: 'ChainlinkSource',
    source: 'ChainlinkSource.sol',
    name: 'chainlinkSource',
    file: 'chainlink-source.ts',
  },
  { contract: 'Governance', source: 'Governance.sol', name: 'governance', file: 'governance.ts' },
  { contract: 'Treasury', source: 'Treasury.sol', name: 'treasury', file: 'treasury.ts' },
  {
    contract: 'Spot',
    source: 'Spot.sol',
    name: 'spot',
    file: 'spot.ts',
    answersFor: ['SpotAdmin'],
  },
  {
    contract: 'Perps',
    source: 'Perps.sol',
    name: 'perps',
    file: 'perps.ts',
    answersFor: ['PerpsAdmin', 'Liquidation', 'Marks'],
  },
  { contract: 'PerpsAdmin', source: 'PerpsAdmin.sol', name: 'perpsAdmin', file: 'perps-admin.ts' },
  {
    contract: 'Liquidation',
    source: 'Liquidation.sol',
    name: 'liquidation',
    file: 'liquidation.ts',
  },
  { contract: 'Marks', source: 'Marks.sol', name: 'marks', file: 'marks.ts' },
  { contract: 'Lens', source: 'Lens.sol', name: 'lens', file: 'lens.ts' },
  { contract: 'DevToken', source: 'DevToken.sol', name: 'devToken', file: 'dev-token.ts' },
]

/** Compiles only src/ to `out`, from scratch: IR bytecode depends on the set of sources. */
export function buildShipped(out: string): void {
  const folders = { FOUNDRY_OUT: out, FOUNDRY_CACHE_PATH: join(ROOT, 'cache', basename(out)) }
  const env = { ...process.env, FOUNDRY_PROFILE: 'shipped', ...folders }
  const run = runForge(['build', '--force', '--extra-output', 'storageLayout'], { env })
  if (run.error) throw run.error
  if (run.status !== 0) throw new Error(`forge build failed\n${run.stdout}${run.stderr}`)
  write(join(out, SOURCES_FILE), sourcesText())
}

/** Returns the text of `SOURCES_FILE` for the current sources, settings and compiler. */
export function sourcesText(): string {
  const { version } = createRequire(import.meta.url)('solc/package.json') as { version: string }
  const sha256 = hash('sha256', JSON.stringify([version, readCompilerInput()]))
  return `${JSON.stringify({ sha256 })}\n`
}

/** Runs `forge test` with the artifacts of the current sources, and waits for it. */
export function runForgeTest(args: readonly string[], options?: Parameters<typeof runForge>[1]) {
  provideShipped()
  return runForge(['test', ...args], options)
}

/** Writes the artifacts of the current sources to `OUT`, unless they are there. */
export function provideShipped(): void {
  const expected = sourcesText()
  if (read(join(OUT, SOURCES_FILE)) === expected) return
  // A run that is killed from here on must not leave artifacts with the wrong hash.
  rmSync(join(OUT, SOURCES_FILE), { force: true })
  if (read(join(ABI, SOURCES_FILE)) === expected) writeCommitted(expected)
  else buildShipped(OUT)
}

/** Writes the artifacts that the committed modules hold. */
function writeCommitted(sources: string): void {
  const load = createRequire(import.meta.url)
  for (const { contract, source, name, file } of CONTRACTS) {
    const { [`${name}Bytecode`]: object } = load(join(ABI, file)) as Record<string, string>
    write(join(OUT, source, `${contract}.json`), JSON.stringify({ abi: [], bytecode: { object } }))
  }
  write(join(OUT, SOURCES_FILE), sources)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // the file does not exist yet
  }
}

/** Replaces the file atomically, since another run may be reading it. */
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const partial = `${path}.${process.pid}`
  writeFileSync(partial, text)
  renameSync(partial, path)
}
