// Writes the inputs of explorers: the compiler's input once, and for each contract its name and
// constructor arguments.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompilerInput } from '@openvenue/contracts/scripts/compiler-input'
import type { Hex } from 'viem'
import type { DeploymentRecord } from '../apply/deployment-record.ts'
import type { Contract } from '../plan/contracts.ts'
import type { Build } from './rebuild.ts'

export type ExplorerInput = Readonly<{
  name: string
  address: Hex
  contractIdentifier: string
  compilerVersion: string
  /** Without 0x. */
  constructorArguments: string
  creationTransactionHash: Hex | undefined
}>

export type ExplorerInputs = Readonly<{
  input: CompilerInput
  contracts: readonly ExplorerInput[]
}>

export function explorerInputs(
  { input, compiler }: Build,
  record: DeploymentRecord,
  contracts: readonly Contract[],
): ExplorerInputs {
  return {
    input,
    contracts: contracts.map((contract) => ({
      name: contract.name,
      address: contract.address,
      contractIdentifier: `src/${contract.source}.sol:${contract.source}`,
      compilerVersion: compiler,
      constructorArguments: constructorArguments(contract),
      creationTransactionHash: record.contracts[contract.name]?.tx,
    })),
  }
}

const constructorArguments = ({ initCode, bytecode }: Contract): string =>
  initCode.slice(bytecode.length)

export function writeInputs(folder: string, { input, contracts }: ExplorerInputs): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'standard-input.json'), JSON.stringify(input))
  writeFileSync(join(folder, 'contracts.json'), `${JSON.stringify(contracts, null, 2)}\n`)
}
