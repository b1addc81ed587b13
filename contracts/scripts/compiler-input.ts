// Builds the compiler input of the deployed contracts: all sources in src, since their bytecode
// depends on the set compiled together, and no tests.
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { ROOT, runForge } from './forge.ts'

/** The compiler's whole input, as explorers take it. */
export type CompilerInput = Readonly<{
  language: 'Solidity'
  sources: Readonly<Record<string, Readonly<{ content: string }>>>
  settings: Readonly<Record<string, unknown>>
}>

type BuildConfig = Readonly<{
  remappings: readonly string[]
  optimizer: boolean
  optimizer_runs: number
  via_ir: boolean
  evm_version: string
  bytecode_hash: string
  cbor_metadata: boolean
}>

export function readCompilerInput(): CompilerInput {
  const config = readBuildConfig()
  return {
    language: 'Solidity',
    sources: readSources(config.remappings.map(parseRemapping)),
    settings: {
      remappings: config.remappings,
      optimizer: { enabled: config.optimizer, runs: config.optimizer_runs },
      metadata: { bytecodeHash: config.bytecode_hash, appendCBOR: config.cbor_metadata },
      evmVersion: config.evm_version,
      viaIR: config.via_ir,
      // Output for block explorers; a rebuild requests only the code.
      outputSelection: {
        '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'metadata'] },
      },
    },
  }
}

/** Reads the compiler settings of the deployed contracts from foundry.toml. */
function readBuildConfig(): BuildConfig {
  const { status, stdout, stderr, error } = runForge(['config', '--json'], {
    env: { ...process.env, FOUNDRY_PROFILE: 'shipped' },
  })
  if (error) throw error
  if (status !== 0) throw new Error(`forge config ended with ${status}: ${stderr}`)
  return JSON.parse(String(stdout)) as BuildConfig
}

type Remapping = Readonly<{ prefix: string; target: string }>

function parseRemapping(text: string): Remapping {
  const [prefix = '', target = ''] = text.split('=')
  return { prefix, target: posix.normalize(target) }
}

/** Returns every file of `src` and all that they import, by their paths in `contracts`. */
function readSources(remappings: readonly Remapping[]): CompilerInput['sources'] {
  const sources = new Map<string, Readonly<{ content: string }>>()
  const open = globSync('src/**/*.sol', { cwd: ROOT }).map((path) => posix.normalize(path))
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (sources.has(path)) continue
    const content = readFileSync(posix.join(ROOT, path), 'utf8')
    sources.set(path, { content })
    open.push(...listImports(content).map((name) => resolveImport(name, path, remappings)))
  }
  return Object.fromEntries([...sources].sort(([one], [other]) => (one < other ? -1 : 1)))
}

const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*$/gm
const IMPORT = /^\s*import\s+(?:[^"';]*\sfrom\s+)?["']([^"']+)["']/gm

const listImports = (content: string): readonly string[] =>
  [...content.replace(COMMENTS, '').matchAll(IMPORT)].map(([, name = '']) => name)

function resolveImport(name: string, from: string, remappings: readonly Remapping[]): string {
  if (name.startsWith('.')) return posix.join(posix.dirname(from), name)
  const mapped = remappings.find(({ prefix }) => name.startsWith(prefix))
  return mapped === undefined ? name : mapped.target + name.slice(mapped.prefix.length)
}
