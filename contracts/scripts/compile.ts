// Compiles contracts by the pinned compiler, without forge: several compilers at a time, each for
// some of the contracts and all with the same sources.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { CompilerInput } from './compiler-input.ts'
import { ROOT } from './forge.ts'

const SOLC = join(ROOT, 'tools', 'solc')
/** Each takes some 600 MB. */
const COMPILERS_MAX = 4

type Output = Readonly<{
  errors?: readonly Readonly<{ severity: string; formattedMessage?: string; message: string }>[]
  contracts?: Readonly<
    Record<string, Readonly<Record<string, { evm: { bytecode: { object: string } } }>>>
  >
}>

/** The sources do not compile; the message is the compiler's. */
export class NotCompiled extends Error {
  override name = 'NotCompiled'
}

/** Returns the creation code of each of `contracts` (`Spot` of src/Spot.sol), with 0x, by name. */
export async function compileContracts(
  input: CompilerInput,
  contracts: readonly string[],
): Promise<ReadonlyMap<string, `0x${string}`>> {
  const compilers = Math.min(COMPILERS_MAX, availableParallelism(), contracts.length)
  // Assigned round-robin: listing large contracts next to each other separates them.
  const shares = Array.from({ length: compilers }, (_, share) =>
    contracts.filter((_name, index) => index % compilers === share),
  )
  const compiled = await Promise.all(shares.map((share) => compileShare(input, share)))
  return new Map(compiled.flat())
}

async function compileShare(
  input: CompilerInput,
  contracts: readonly string[],
): Promise<readonly (readonly [string, `0x${string}`])[]> {
  const outputs = contracts.map((name) => [sourceOf(name), { [name]: ['evm.bytecode.object'] }])
  const settings = { ...input.settings, outputSelection: Object.fromEntries(outputs) }
  const output = await runCompiler({ ...input, settings })
  return contracts.map((name) => {
    const code = output.contracts?.[sourceOf(name)]?.[name]?.evm.bytecode.object
    if (code === undefined) throw new NotCompiled(`${sourceOf(name)} has no contract ${name}`)
    return [name, `0x${code}`]
  })
}

const sourceOf = (contract: string): string => `src/${contract}.sol`

async function runCompiler(input: CompilerInput): Promise<Output> {
  const child = spawn(process.execPath, [SOLC, '--standard-json'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  child.stdin.end(JSON.stringify(input))
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code !== 0) throw new NotCompiled(`the compiler ended with ${code}: ${err}`)
  const output = JSON.parse(out) as Output
  const fault = output.errors?.find(({ severity }) => severity === 'error')
  if (fault !== undefined) throw new NotCompiled(fault.formattedMessage ?? fault.message)
  return output
}

/** Returns the version with its commit, as explorers name it: `0.8.37+commit.f401782d`. */
export function compilerVersion(): string {
  const load = createRequire(import.meta.url)
  const { version } = load('solc') as { version(): string }
  const [, short = version()] = /^(\d+\.\d+\.\d+\+commit\.[0-9a-f]+)/.exec(version()) ?? []
  return short
}
