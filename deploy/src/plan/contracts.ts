// Lists a venue's contracts with their constructor arguments and addresses.
import { accountsAbi, accountsBytecode } from '@openvenue/contracts/abi/accounts'
import {
  chainlinkSourceAbi,
  chainlinkSourceBytecode,
} from '@openvenue/contracts/abi/chainlink-source'
import { governanceAbi, governanceBytecode } from '@openvenue/contracts/abi/governance'
import { lensAbi, lensBytecode } from '@openvenue/contracts/abi/lens'
import { liquidationAbi, liquidationBytecode } from '@openvenue/contracts/abi/liquidation'
import { marksAbi, marksBytecode } from '@openvenue/contracts/abi/marks'
import { perpsAbi, perpsBytecode } from '@openvenue/contracts/abi/perps'
import { perpsAdminAbi, perpsAdminBytecode } from '@openvenue/contracts/abi/perps-admin'
import { pushOracleAbi, pushOracleBytecode } from '@openvenue/contracts/abi/push-oracle'
import { pythSourceAbi, pythSourceBytecode } from '@openvenue/contracts/abi/pyth-source'
import { spotAbi, spotBytecode } from '@openvenue/contracts/abi/spot'
import { treasuryAbi, treasuryBytecode } from '@openvenue/contracts/abi/treasury'
import {
  type Abi,
  concat,
  encodeDeployData,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  toHex,
} from 'viem'
import type { VenueTerms } from '../config/venue-terms.ts'
import type { CREATION_GAS } from './gas.ts'

/** Creates contracts at addresses that depend only on code and salt. It has no owner. */
export const FACTORY: Hex = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

export type ContractName = keyof typeof CREATION_GAS

/** Address scheme: with `create`, where there is no factory, from the deployer's nonces. */
export type Placement = Readonly<{
  deployer: Hex
  factory: 'create2' | 'create'
  /** The nonce that creates Governance. */
  nonce: number
}>

export type Contract = Readonly<{
  name: ContractName
  /** Name in the source: `Perps`. */
  source: string
  address: Hex
  abi: Abi
  args: readonly unknown[]
  bytecode: Hex
  /** The code, then the arguments. */
  initCode: Hex
  /** Recipient of the creating transaction; undefined for a plain creation. */
  to: Hex | undefined
  data: Hex
  /** Set when the address depends on it. */
  nonce: number | undefined
}>

export type Contracts = Readonly<Record<ContractName, Contract | undefined>>

type Code = Readonly<{ source: string; abi: Abi; bytecode: Hex }>

const CODES: Readonly<Record<ContractName, Code>> = {
  governance: { source: 'Governance', abi: governanceAbi, bytecode: governanceBytecode },
  insurance: { source: 'Treasury', abi: treasuryAbi, bytecode: treasuryBytecode },
  fees: { source: 'Treasury', abi: treasuryAbi, bytecode: treasuryBytecode },
  accounts: { source: 'Accounts', abi: accountsAbi, bytecode: accountsBytecode },
  oracle: { source: 'PushOracle', abi: pushOracleAbi, bytecode: pushOracleBytecode },
  pythSource: { source: 'PythSource', abi: pythSourceAbi, bytecode: pythSourceBytecode },
  chainlinkSource: {
    source: 'ChainlinkSource',
    abi: chainlinkSourceAbi,
    bytecode: chainlinkSourceBytecode,
  },
  spot: { source: 'Spot', abi: spotAbi, bytecode: spotBytecode },
  marks: { source: 'Marks', abi: marksAbi, bytecode: marksBytecode },
  liquidation: { source: 'Liquidation', abi: liquidationAbi, bytecode: liquidationBytecode },
  perpsAdmin: { source: 'PerpsAdmin', abi: perpsAdminAbi, bytecode: perpsAdminBytecode },
  perps: { source: 'Perps', abi: perpsAbi, bytecode: perpsBytecode },
  lens: { source: 'Lens', abi: lensAbi, bytecode: lensBytecode },
}

/** Returns the contracts of `terms` in order of creation. */
export function placeContracts(terms: VenueTerms, placement: Placement): readonly Contract[] {
  const { deployer } = placement
  const { pyth, chainlink, pusher } = terms.oracle
  const placed = new Map<ContractName, Contract>()
  const at = (name: ContractName) => (placed.get(name) as Contract).address
  const add = (name: ContractName, args: readonly unknown[]) => {
    const order = placed.size
    placed.set(name, placeContract({ name, args, salt: terms.salt, order }, placement))
  }
  add('governance', [])
  // They need no settings, so the timelock owns them from the start.
  add('insurance', [at('governance')])
  add('fees', [at('governance')])
  add('accounts', [at('insurance'), at('fees'), terms.domainName])
  add('oracle', [deployer, pusher])
  if (pyth !== undefined) add('pythSource', [at('oracle'), pyth, deployer])
  if (chainlink !== undefined) add('chainlinkSource', [at('oracle'), deployer, chainlink.sequencer])
  add('spot', [at('accounts'), deployer])
  add('marks', [at('accounts'), at('oracle'), terms.collateral])
  add('liquidation', [at('marks')])
  add('perpsAdmin', [at('liquidation')])
  add('perps', [at('perpsAdmin'), deployer])
  add('lens', [])
  return [...placed.values()]
}

type ContractPlan = Readonly<{
  name: ContractName
  args: readonly unknown[]
  salt: string
  order: number
}>

function placeContract({ name, args, salt, order }: ContractPlan, placement: Placement): Contract {
  const { source, abi, bytecode } = CODES[name]
  const initCode = encodeDeployData({ abi, bytecode, args } as never)
  const contract = { name, source, abi, args, bytecode, initCode }
  // Only the creator of a timelock can set it up, so its address must depend on the deployer.
  if (placement.factory === 'create' || name === 'governance') {
    const nonce = placement.nonce + order
    const address = getContractAddress({ from: placement.deployer, nonce: BigInt(nonce) })
    return { ...contract, address: lower(address), to: undefined, data: initCode, nonce }
  }
  const saltHash = keccak256(toHex(`${salt}/${name}`))
  const address = getCreate2Address({ from: FACTORY, salt: saltHash, bytecode: initCode })
  const data = concat([saltHash, initCode])
  return { ...contract, address: lower(address), to: FACTORY, data, nonce: undefined }
}

const lower = (address: string): Hex => address.toLowerCase() as Hex

/** Returns the contracts by name. */
export const byName = (contracts: readonly Contract[]): Contracts =>
  Object.fromEntries(contracts.map((contract) => [contract.name, contract])) as Contracts

/** Returns the contract `name`, which every venue has. */
export function requireContract(contracts: Contracts, name: ContractName): Contract {
  const contract = contracts[name]
  if (contract === undefined) throw new Error(`contract ${name} is missing`)
  return contract
}
