// Compiles the contracts afresh with the pinned compiler, and holds what comes out against the code
// that is deployed from here.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, keccak256 } from 'viem'
import type { Contract } from '../plan/contracts.ts'
import { compare, type Difference } from './difference.ts'

const CONTRACTS = join(import.meta.dirname, '..', '..', '..', 'contracts')
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

/** The compiler's whole input, as explorers take it. */
export type CompilerInput = Readonly<{
  language: string
  sources: Readonly<Record<string, unknown>>
  settings: Readonly<Record<string, unknown>>
}>

export type Build = Readonly<{
  input: CompilerInput
  /** With the commit, as explorers name it: `0.8.37+commit.f401782d`. */
  compiler: string
  differences: readonly Difference[]
}>

/** Takes some minutes where no native compiler of that version is on the PATH. */
export function rebuild(contracts: readonly Contract[]): Build {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-build-'))
  try {
    compile(folder)
    const input = readInput(join(folder, 'build-info'))
    return {
      input,
      compiler: compilerVersion(),
      differences: contracts.flatMap((contract) => checkBuilt(folder, contract)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same files together as in the committed build: the code depends on that. */
function compile(folder: string): void {
  const build = ['build', '--force', '--skip', 'test', '--out', folder]
  const cache = ['--cache-path', join(folder, 'cache')]
  const info = ['--build-info', '--build-info-path', join(folder, 'build-info')]
  const script = join(CONTRACTS, 'scripts', 'forge.ts')
  execFileSync(process.execPath, [script, ...build, ...cache, ...info], {
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function readInput(folder: string): CompilerInput {
  const [file] = globSync(join(folder, '*.json'))
  if (file === undefined) throw new Error('a build leaves what went into it')
  const { input } = JSON.parse(readFileSync(file, 'utf8')) as { input: CompilerInput }
  const { language, sources, settings } = input
  return { language, sources, settings }
}

function compilerVersion(): string {
  const load = createRequire(join(CONTRACTS, 'package.json'))
  const { version } = load('solc') as { version(): string }
  const [, short = version()] = /^(\d+\.\d+\.\d+\+commit\.[0-9a-f]+)/.exec(version()) ?? []
  return short
}

function checkBuilt(folder: string, { name, source, initCode }: Contract): readonly Difference[] {
  const path = join(folder, `${source}.sol`, `${source}.json`)
  const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { bytecode: { object: Hex } }
  // The arguments of the constructor follow the code.
  const committed = initCode.slice(0, bytecode.object.length) as Hex
  return compare(`committed code of ${name}`, keccak256(committed), `${keccak256(bytecode.object)}`)
}
