// The contracts that the keeper calls.
import { readFileSync } from 'node:fs'
import { ConfigInvalid } from '@openvenue/store/environment'

/** Addresses are lower case. */
export type Deployment = Readonly<{
  accounts: string
  spot: string
  perps: string
  /** The first is the one that prices are pushed to. */
  oracles: readonly string[]
}>

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Reads the deployment file; throws `ConfigInvalid`, which names the file and the field. */
export function readDeployment(path: string): Deployment {
  try {
    return parseDeployment(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    if (error instanceof ConfigInvalid) throw new ConfigInvalid(`${path}: ${error.message}`)
    throw new ConfigInvalid(`DEPLOYMENT_FILE (${path}) is a readable JSON file`, { cause: error })
  }
}

/** Returns the deployment that `value` describes: extra fields are ignored. */
export function parseDeployment(value: unknown): Deployment {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >
  const { oracles } = fields
  if (!Array.isArray(oracles) || oracles.length === 0)
    throw new ConfigInvalid('oracles is a list of at least one address')
  return {
    accounts: address(fields.accounts, 'accounts'),
    spot: address(fields.spot, 'spot'),
    perps: address(fields.perps, 'perps'),
    oracles: oracles.map((one) => address(one, 'oracles')),
  }
}

function address(value: unknown, name: string): string {
  if (typeof value === 'string' && ADDRESS.test(value)) return value.toLowerCase()
  throw new ConfigInvalid(`${name} is an address: 0x and 40 hex digits`)
}
