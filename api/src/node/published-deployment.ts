// Reads the facts that /info publishes, from the deployment and the operator's settings.
import {
  type DeploymentFields,
  deploymentFields,
  isAddress,
  parseContracts,
  readDeploymentFile,
} from '@openvenue/runtime/deployment-file'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import {
  NOTHING_PUBLISHED,
  type PublishedContracts,
  type PublishedVenue,
} from '../rest/published.ts'
import type { NodeConfig } from './config.ts'

/** Contracts that a deployment may lack. */
const OPTIONAL = ['lens', 'governance', 'treasury'] as const

type PublishedSettings = Pick<
  NodeConfig,
  'deploymentFile' | 'publicRpcUrls' | 'explorerUrl' | 'gas' | 'settings'
>

/** The URLs of this node's own chain nodes stay private, since they may hold keys. */
export function readPublished(settings: PublishedSettings): PublishedVenue {
  const { deploymentFile, publicRpcUrls: rpcUrls, explorerUrl, gas } = settings
  const { chainId, domainName } = settings.settings
  const parse = (value: unknown) => {
    requireDomain(deploymentFields(value), domainName)
    return publishedDeployment(value)
  }
  const deployed =
    deploymentFile === undefined ? {} : readDeploymentFile(deploymentFile, parse, chainId)
  return { ...NOTHING_PUBLISHED, ...deployed, rpcUrls, explorerUrl, gas }
}

/** The chain's own domain is checked once a node answers. */
function requireDomain({ domainName }: DeploymentFields, expected: string): void {
  if (domainName === undefined || domainName === expected) return
  throw new ConfigInvalid(
    `domainName differs: got ${JSON.stringify(domainName)}, expected ${JSON.stringify(expected)} (TYPED_DATA_DOMAIN or NETWORK)`,
  )
}

type DeploymentFacts = Pick<PublishedVenue, 'contracts' | 'oracles' | 'startBlock'>

/** Returns the published facts of a deployment; throws `ConfigInvalid`, which names the field. */
export function publishedDeployment(value: unknown): DeploymentFacts {
  const fields = deploymentFields(value)
  const { accounts, spot, perps, oracles } = parseContracts(fields)
  const contracts = { accounts, spot, perps, ...optionalContracts(fields) }
  return {
    contracts: Object.fromEntries(
      Object.entries(contracts).map(([name, address]) => [name, address.toLowerCase()]),
    ),
    oracles: oracles.map((oracle) => oracle.toLowerCase()),
    startBlock: parseBlock(fields.startBlock),
  }
}

const optionalContracts = (fields: DeploymentFields): PublishedContracts =>
  Object.fromEntries(
    OPTIONAL.flatMap((name) => {
      const address = fields[name]
      if (address === undefined) return []
      if (isAddress(address)) return [[name, address]]
      throw new ConfigInvalid(`${name} is malformed: expected an address, 0x and 40 hex digits`)
    }),
  )

function parseBlock(value: unknown): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new ConfigInvalid('startBlock is invalid: expected a block number')
}
