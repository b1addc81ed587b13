// Compares the chain with the required state, and computes the cost of the open steps.
import { type Hex, keccak256 } from 'viem'
import { type Chain, mapLimited } from '../chain/chain.ts'
import type { Contract, ContractName } from './contracts.ts'
import { type Fee, type FeeTerms, offerFee } from './fees.ts'
import type { DeployStep } from './step.ts'

/** `governed`: the deployer no longer owns the contract, so only a proposal can change it. */
type StepState = 'done' | 'open' | 'governed'

export type PlannedStep = Readonly<{ step: DeployStep; actual: string; state: StepState }>

export type Plan = Readonly<{
  deployer: Hex
  steps: readonly PlannedStep[]
  contracts: readonly Contract[]
  /** Total gas of the open steps. */
  gas: bigint
  baseFee: bigint
  fee: Fee
  balance: bigint
}>

export async function makePlan(
  parts: Readonly<{
    chain: Chain
    deployer: Hex
    contracts: readonly Contract[]
    steps: readonly DeployStep[]
    fees: FeeTerms
  }>,
): Promise<Plan> {
  const { chain, deployer, contracts, steps, fees } = parts
  const [{ baseFee }, balance, owners, values] = await Promise.all([
    chain.newestBlock(),
    chain.balance(deployer),
    readOwners(chain, contracts),
    mapLimited(steps, (step) => step.read()),
  ])
  const planned = steps.map((step, index): PlannedStep => {
    const actual = values[index] ?? ''
    if (actual === step.expected) return { step, actual, state: 'done' }
    const owner = step.owned === undefined ? undefined : owners.get(step.owned)
    const isOurs = owner === undefined || owner === deployer
    return { step, actual, state: isOurs ? 'open' : 'governed' }
  })
  const open = planned.filter(({ state }) => state === 'open')
  const gas = open.reduce((sum, { step }) => sum + step.gas, 0n)
  return {
    deployer,
    contracts,
    steps: planned,
    gas,
    baseFee,
    fee: offerFee(baseFee, fees),
    balance,
  }
}

/** Returns the owners of existing contracts that have one. */
async function readOwners(
  chain: Chain,
  contracts: readonly Contract[],
): Promise<ReadonlyMap<ContractName, Hex>> {
  const owned = contracts.filter(({ abi }) =>
    abi.some((item) => item.type === 'function' && item.name === 'owner'),
  )
  const rows = await mapLimited(owned, async ({ name, abi, address }) => {
    const owner = await chain.read<string>({ abi, address, functionName: 'owner' })
    return [name, owner?.toLowerCase()] as const
  })
  return new Map(rows.filter((row): row is [ContractName, Hex] => row[1] !== undefined))
}

export const openSteps = ({ steps }: Plan): readonly PlannedStep[] =>
  steps.filter(({ state }) => state === 'open')

export const governedSteps = ({ steps }: Plan): readonly PlannedStep[] =>
  steps.filter(({ state }) => state === 'governed')

/** Maximum cost of the open steps, wei. */
export const costMax = ({ gas, fee }: Plan): bigint => gas * fee.max

/** Cost of the open steps at the current base fee, wei. */
export const costNow = ({ gas, baseFee, fee }: Plan): bigint => gas * (baseFee + fee.tip)

/** Returns the address and init code hash of each contract by name. */
export const placedTable = (contracts: readonly Contract[]) =>
  Object.fromEntries(
    contracts.map(({ name, address, initCode }) => [
      name,
      { address, initCodeHash: keccak256(initCode) },
    ]),
  )
