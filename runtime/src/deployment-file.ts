// Reads the deployment file, which lists the addresses of the venue's contracts. Each process takes
// the fields that it needs.
import { readFileSync } from 'node:fs'
import { ConfigInvalid, invalid } from './environment.ts'

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
 * Returns the file as parsed by `parse`. Throws `ConfigInvalid` naming file and field. A file for
 * another chain than `chainId` is refused: the same addresses may hold other contracts there.
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
    throw new ConfigInvalid(`DEPLOYMENT_FILE is unreadable: got ${path}`, { cause: error })
  }
}

/** Returns the fields of `value`; none when it is not an object. */
export const deploymentFields = (value: unknown): DeploymentFields =>
  (typeof value === 'object' && value !== null ? value : {}) as DeploymentFields

function requireChain({ chainId }: DeploymentFields, expected: number | undefined): void {
  if (chainId === undefined || expected === undefined || chainId === expected) return
  throw new ConfigInvalid(
    `chainId is wrong: got ${String(chainId)}, expected ${expected}, the chain of NETWORK or CHAIN_ID`,
  )
}

/** Returns the venue's contracts in `fields` and ignores other fields. */
export const parseContracts = (fields: DeploymentFields): VenueContracts => ({
  accounts: parseAddress(fields, 'accounts'),
  spot: parseAddress(fields, 'spot'),
  perps: parseAddress(fields, 'perps'),
  oracles: parseAddresses(fields, 'oracles'),
})

export function parseAddresses(fields: DeploymentFields, name: string): readonly string[] {
  const value = fields[name]
  if (!Array.isArray(value)) throw invalid(name, 'a list of addresses', value)
  return value.map((address) => checkedAddress(address, name))
}

const parseAddress = (fields: DeploymentFields, name: string): string =>
  checkedAddress(fields[name], name)

function checkedAddress(value: unknown, name: string): string {
  if (isAddress(value)) return value
  throw invalid(name, 'an address: 0x and 40 hex digits', value)
}
