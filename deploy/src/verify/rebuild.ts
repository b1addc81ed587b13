// Recompiles the contracts with the pinned compiler, and compares them with the committed code.
import { compileContracts, compilerVersion } from '@openvenue/contracts/scripts/compile'
import { type CompilerInput, readCompilerInput } from '@openvenue/contracts/scripts/compiler-input'
import { type Hex, keccak256 } from 'viem'
import type { Contract } from '../plan/contracts.ts'
import { compare, type Difference } from './difference.ts'

export type Build = Readonly<{
  input: CompilerInput
  /** Version with the commit, as explorers name it: `0.8.37+commit.f401782d`. */
  compiler: string
  differences: readonly Difference[]
}>

/** Compiles the contracts of the deployment without the tests, which takes most of a minute. */
export async function rebuild(
  contracts: readonly Contract[],
  input: CompilerInput = readCompilerInput(),
): Promise<Build> {
  // Sorted by size, so that different processes compile the large ones.
  const bySize = contracts.toSorted((a, b) => b.bytecode.length - a.bytecode.length)
  const built = await compileContracts(input, [...new Set(bySize.map(({ source }) => source))])
  return {
    input,
    compiler: compilerVersion(),
    differences: contracts.flatMap(({ name, source, bytecode }) =>
      compare(`committed code of ${name}`, keccak256(bytecode), hashOf(built.get(source))),
    ),
  }
}

const hashOf = (code: Hex | undefined) => (code === undefined ? 'none' : keccak256(code))
