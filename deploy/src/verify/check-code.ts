// Compares the code of every contract with the code of this checkout.
import { getContractAddress, type Hex, keccak256, pad, toHex } from 'viem'
import type { DeploymentRecord } from '../apply/deployment-record.ts'
import { type Chain, inTurns } from '../chain/chain.ts'
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
  const found = await inTurns(listCoded(verified), (coded) => checkOne(chain, coded))
  return [...placed, ...found.flat()]
}

async function checkOne(chain: Chain, coded: CheckedContract): Promise<readonly Difference[]> {
  const { name, address, creation, values } = coded
  const what = `code of ${name}`
  const code = await chain.code(address)
  if (code === undefined) return [{ what, stands: 'none', wanted: `code at ${address}` }]
  const found = compareRuntime(code, creation)
  if (found === undefined)
    return [
      { what, stands: `other code (${keccak256(code)})`, wanted: 'what this checkout builds' },
    ]
  const foreign = found.immutables.filter((value) => !values.includes(value))
  const wrong = { what, stands: wrongText(found.wrong), wanted: 'what this checkout builds' }
  return [
    ...(found.wrong.length > 0 ? [wrong] : []),
    ...foreign.map((value) => ({
      what: `immutable of ${name}`,
      stands: value,
      wanted: `one of ${values.join(', ')}`,
    })),
  ]
}

function listCoded({ terms, record, contracts }: CodeCheck): readonly CheckedContract[] {
  const known = byName(contracts)
  const spot = requireContract(known, 'spot')
  const values = immutableValues(terms, record, contracts)
  const own = contracts.map(({ name, address, initCode }) => ({
    name,
    address,
    creation: initCode,
    values: values[name] ?? [],
  }))
  const admin = { name: 'spotAdmin', address: spotAdmin(spot.address), creation: spot.initCode }
  return [...own, { ...admin, values: values.spot ?? [] }]
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
  const known = byName(contracts)
  const at = (name: ContractName) => word(known[name]?.address ?? NO_ADDRESS)
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
    spot: [...engine, word(spotAdmin(requireContract(known, 'spot').address))],
    marks: perps,
    liquidation: [...perps, at('marks')],
    perpsAdmin: [...perps, at('liquidation')],
    perps: [...perps, at('perpsAdmin')],
  }
}
