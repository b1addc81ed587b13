// Reads what /info publishes: of the deployment, and of the operator's settings.
import {
  type DeploymentFields,
  deploymentFields,
  isAddress,
  parseContracts,
  readDeploymentFile,
} from '@openvenue/store/deployment-file'
import { ConfigInvalid } from '@openvenue/store/environment'
import { NOTHING_PUBLISHED, type Published, type PublishedContracts } from '../rest/published.ts'
import type { Config } from './config.ts'

/** Contracts that a deployment may go without. */
const OPTIONAL = ['lens', 'governance', 'treasury'] as const

type Settings = Pick<
  Config,
  'deploymentFile' | 'publicRpcUrls' | 'explorerUrl' | 'gas' | 'settings'
>

/** The nodes that this one asks are nobody else's affair: their URLs may hold keys. */
export function readPublished(settings: Settings): Published {
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

/** What the chain itself says is looked at once a node answers. */
function requireDomain({ domainName }: DeploymentFields, wanted: string): void {
  if (domainName === undefined || domainName === wanted) return
  throw new ConfigInvalid(
    `domainName is ${JSON.stringify(domainName)}, and that of TYPED_DATA_DOMAIN or NETWORK is ${JSON.stringify(wanted)}`,
  )
}

type Deployed = Pick<Published, 'contracts' | 'oracles' | 'startBlock'>

/** Returns what is published of a deployment; throws `ConfigInvalid`, which names the field. */
export function publishedDeployment(value: unknown): Deployed {
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
      throw new ConfigInvalid(`${name} is an address: 0x and 40 hex digits`)
    }),
  )

function parseBlock(value: unknown): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new ConfigInvalid('startBlock is the number of a block')
}
