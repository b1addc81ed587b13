// Reads the deployment file, which says where the venue's contracts stand. Every process that needs
// it reads it here, and takes the fields that it works with.
import { readFileSync } from 'node:fs'
import { ConfigInvalid } from './environment.ts'

/** The contracts that every reader of the file knows. Addresses are as the file has them. */
export type VenueContracts = Readonly<{
  accounts: string
  spot: string
  perps: string
  oracles: readonly string[]
}>

/** The fields of the file, before anything of it is looked at. */
export type DeploymentFields = Readonly<Record<string, unknown>>

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && ADDRESS.test(value)

/**
 * Returns what `parse` makes of the file; throws `ConfigInvalid`, which names file and field. A
 * file of another chain than `chainId`, where both are given, is refused: the same addresses may
 * have other contracts there, or nobody's.
 */
export function readDeploymentFile<T>(
  path: string,
  parse: (value: unknown) => T,
  chainId?: number,
): T {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    requireChain(deploymentFields(value), chainId)
    return parse(value)
  } catch (error) {
    if (error instanceof ConfigInvalid) throw new ConfigInvalid(`${path}: ${error.message}`)
    throw new ConfigInvalid(`DEPLOYMENT_FILE (${path}) is a readable JSON file`, { cause: error })
  }
}

/** Returns the fields of `value`, none where it is no object. */
export const deploymentFields = (value: unknown): DeploymentFields =>
  (typeof value === 'object' && value !== null ? value : {}) as DeploymentFields

function requireChain({ chainId }: DeploymentFields, wanted: number | undefined): void {
  if (chainId === undefined || wanted === undefined || chainId === wanted) return
  throw new ConfigInvalid(
    `chainId is ${String(chainId)}, and the chain of NETWORK or CHAIN_ID is ${wanted}`,
  )
}

/** Returns the contracts of the venue among `fields`, and passes over all others. */
export const parseContracts = (fields: DeploymentFields): VenueContracts => ({
  accounts: parseAddress(fields, 'accounts'),
  spot: parseAddress(fields, 'spot'),
  perps: parseAddress(fields, 'perps'),
  oracles: parseAddresses(fields, 'oracles'),
})

export function parseAddresses(fields: DeploymentFields, name: string): readonly string[] {
  const value = fields[name]
  if (!Array.isArray(value)) throw new ConfigInvalid(`${name} is a list of addresses`)
  return value.map((one) => checkedAddress(one, name))
}

const parseAddress = (fields: DeploymentFields, name: string): string =>
  checkedAddress(fields[name], name)

function checkedAddress(value: unknown, name: string): string {
  if (isAddress(value)) return value
  throw new ConfigInvalid(`${name} is an address: 0x and 40 hex digits`)
}
