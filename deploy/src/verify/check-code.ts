// Compares the code of every contract with the code of this checkout.
import { getContractAddress, type Hex, keccak256, pad, toHex } from 'viem'
import type { DeploymentRecord } from '../apply/deployment-record.ts'
import { type Chain, mapLimited } from '../chain/chain.ts'
import { NO_ADDRESS, type VenueTerms } from '../config/venue-terms.ts'
import { byName, type Contract, type ContractName, requireContract } from '../plan/contracts.ts'
import { compare, type Difference } from './difference.ts'
import { compareRuntime, wrongText } from './runtime-code.ts'

type CodeCheck = Readonly<{
  chain: Chain
  terms: VenueTerms
  record: DeploymentRecord
  contracts: readonly Contract[]
}>

/** A contract to check: those of the deployment, and those that they create. */
type CheckedContract = Readonly<{
  name: string
  address: Hex
  creation: Hex
  /** Allowed values of its immutables. */
  values: readonly Hex[]
}>

const CHECKOUT_CODE = 'the code of this checkout'

export async function checkCode(verified: CodeCheck): Promise<readonly Difference[]> {
  const { chain, record, contracts } = verified
  const placed = contracts.flatMap(({ name, address, initCode }) => [
    ...compare(`address of ${name}`, record.contracts[name]?.address, address),
    ...compare(
      `creation code of ${name} (deployed from commit ${record.commit})`,
      record.contracts[name]?.initCodeHash,
      keccak256(initCode),
    ),
  ])
  const coded = await mapLimited(listChecked(verified), (item) => checkContract(chain, item))
  return [...placed, ...coded.flat()]
}

async function checkContract(
  chain: Chain,
  contract: CheckedContract,
): Promise<readonly Difference[]> {
  const { name, address, creation, values } = contract
  const subject = `code of ${name}`
  const code = await chain.code(address)
  if (code === undefined) return [{ subject, actual: 'none', expected: `code at ${address}` }]
  const comparison = compareRuntime(code, creation)
  if (comparison === undefined)
    return [{ subject, actual: `unrelated code (${keccak256(code)})`, expected: CHECKOUT_CODE }]
  const foreign = comparison.immutables.filter((value) => !values.includes(value))
  const wrong = { subject, actual: wrongText(comparison.wrong), expected: CHECKOUT_CODE }
  return [
    ...(comparison.wrong.length > 0 ? [wrong] : []),
    ...foreign.map((value) => ({
      subject: `immutable of ${name}`,
      actual: value,
      expected: `one of ${values.join(', ')}`,
    })),
  ]
}

function listChecked({ terms, record, contracts }: CodeCheck): readonly CheckedContract[] {
  const named = byName(contracts)
  const spot = requireContract(named, 'spot')
  const values = immutableValues(terms, record, contracts)
  const deployed = contracts.map(({ name, address, initCode }) => ({
    name,
    address,
    creation: initCode,
    values: values[name] ?? [],
  }))
  const admin = { name: 'spotAdmin', address: spotAdmin(spot.address), creation: spot.initCode }
  return [...deployed, { ...admin, values: values.spot ?? [] }]
}

/** The first contract that `Spot` creates. */
const spotAdmin = (spot: Hex): Hex =>
  getContractAddress({ from: spot, nonce: 1n }).toLowerCase() as Hex

const word = (address: Hex): Hex => pad(address.toLowerCase() as Hex, { size: 32 })

/** Returns the values of immutables by contract. */
function immutableValues(
  terms: VenueTerms,
  record: DeploymentRecord,
  contracts: readonly Contract[],
): Readonly<Partial<Record<ContractName, readonly Hex[]>>> {
  const named = byName(contracts)
  const at = (name: ContractName) => word(named[name]?.address ?? NO_ADDRESS)
  const domain = keccak256(toHex(terms.domainName))
  const collateral = Object.values(terms.tokens).find(({ address }) => address === terms.collateral)
  const scale = toHex(10n ** BigInt(18 - (collateral?.decimals ?? 18)), { size: 32 })
  const engine = [at('accounts'), domain]
  const perps = [...engine, at('oracle'), word(terms.collateral), scale]
  return {
    governance: [at('governance'), word(record.deployer)],
    accounts: [domain],
    pythSource: [at('oracle'), word(terms.oracle.pyth ?? NO_ADDRESS)],
    chainlinkSource: [at('oracle'), word(terms.oracle.chainlink?.sequencer ?? NO_ADDRESS)],
    spot: [...engine, word(spotAdmin(requireContract(named, 'spot').address))],
    marks: perps,
    liquidation: [...perps, at('marks')],
    perpsAdmin: [...perps, at('liquidation')],
    perps: [...perps, at('perpsAdmin')],
  }
}
