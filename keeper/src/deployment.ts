// Reads the contracts that the keeper calls from the deployment file.
import {
  deploymentFields,
  parseContracts,
  readDeploymentFile,
  type VenueContracts,
} from '@openvenue/runtime/deployment-file'
import { ConfigInvalid } from '@openvenue/runtime/environment'

/** Addresses are lower case. The first oracle is the one that prices are pushed to. */
export type KeeperDeployment = VenueContracts

/** Reads the file of a deployment on `chainId`; throws `ConfigInvalid`, which names the field. */
export const readDeployment = (path: string, chainId: number): KeeperDeployment =>
  readDeploymentFile(path, parseDeployment, chainId)

/** Returns the deployment that `value` describes: extra fields are ignored. */
export function parseDeployment(value: unknown): KeeperDeployment {
  const fields = deploymentFields(value)
  if (!Array.isArray(fields.oracles) || fields.oracles.length === 0)
    throw new ConfigInvalid('oracles is invalid: expected at least one address')
  const { accounts, spot, perps, oracles } = parseContracts(fields)
  return {
    accounts: accounts.toLowerCase(),
    spot: spot.toLowerCase(),
    perps: perps.toLowerCase(),
    oracles: oracles.map((oracle) => oracle.toLowerCase()),
  }
}
