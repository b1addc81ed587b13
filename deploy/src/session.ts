// Shared parts of the commands: the network, the chain, the venue's terms and its folder.
import { join } from 'node:path'
import { NETWORK_NAMES, type Network, type NetworkName } from '@openvenue/core/networks'
import { parseDecimal } from '@openvenue/core/units'
import {
  ConfigInvalid,
  type Environment,
  readHttpUrl,
  readInteger,
  readNetwork,
  readRpcUrls,
} from '@openvenue/runtime/environment'
import { withSecretFiles } from '@openvenue/runtime/secret-files'
import { Chain } from './chain/chain.ts'
import { readVenueFile } from './config/read-venue.ts'
import type { VenueTerms } from './config/venue-terms.ts'
import type { FeeTerms } from './plan/fees.ts'

/** Options of every command. */
type Options = Readonly<{
  network?: string | undefined
  config?: string | undefined
  dir?: string | undefined
  rpc?: string | undefined
  'tip-gwei'?: string | undefined
  'fee-floor-gwei'?: string | undefined
  'fee-cap-gwei'?: string | undefined
}>

export type DeploySession = Readonly<{
  networkName: NetworkName
  network: Network
  chain: Chain
  terms: VenueTerms
  fees: FeeTerms
  folder: string
  journalPath: string
  deploymentPath: string
}>

const GWEI_DECIMALS = 9
const FEE_CAP_GWEI = '500'

/** Throws `ConfigInvalid` or `VenueFileInvalid`, which name the invalid member. */
export async function openSession(options: Options, env: Environment): Promise<DeploySession> {
  const networkName = parseNetworkName(options.network ?? env.NETWORK)
  const network = parseNetwork({ ...env, NETWORK: networkName })
  // A single node, since others may lag and cause transactions to be sent again.
  const [url = ''] = readRpcUrls(rpcOf(options, { ...env, NETWORK: networkName }))
  const chain = new Chain(url)
  const chainId = await chain.chainId()
  if (chainId !== network.chainId)
    throw new ConfigInvalid(
      `chain of the node is wrong: got ${chainId}, expected ${network.chainId}, the chain of ${networkName}`,
    )
  const folder = options.dir ?? join('deployments', networkName)
  return {
    networkName,
    network,
    chain,
    terms: readVenueFile(options.config ?? 'venue.json', network),
    fees: parseFees(options, network),
    folder,
    journalPath: join(folder, 'journal.json'),
    deploymentPath: join(folder, 'deployment.json'),
  }
}

/** Returns the network, read like the services' network. */
function parseNetwork(env: Environment): Network {
  const { name: _, ...network } = readNetwork(env)
  return {
    ...network,
    chainId: readInteger(env, 'CHAIN_ID', { absent: network.chainId, min: 1 }),
    finalityBlocks: readInteger(env, 'FINALITY_BLOCKS', { absent: network.finalityBlocks }),
    explorerUrl: readHttpUrl(env, 'EXPLORER_URL') ?? network.explorerUrl,
  }
}

const rpcOf = ({ rpc }: Options, env: Environment): Environment =>
  rpc === undefined ? withSecretFiles(env, ['RPC_URL']) : { ...env, RPC_URL: rpc }

function parseNetworkName(name: string | undefined): NetworkName {
  const networkName = NETWORK_NAMES.find((candidate) => candidate === name)
  if (networkName === undefined)
    throw new ConfigInvalid(
      `--network is invalid: got "${name ?? ''}", expected one of ${NETWORK_NAMES.join(', ')}`,
    )
  return networkName
}

function parseFees(options: Options, network: Network): FeeTerms {
  return {
    feeFloorWei: parseGwei('fee-floor-gwei', options, network.feeFloorWei),
    tipWei: parseGwei('tip-gwei', options, network.tipWei),
    capWei: parseGwei('fee-cap-gwei', { 'fee-cap-gwei': FEE_CAP_GWEI, ...options }, 0n),
  }
}

function parseGwei(
  name: 'tip-gwei' | 'fee-floor-gwei' | 'fee-cap-gwei',
  options: Options,
  absent: bigint,
): bigint {
  const text = options[name]
  if (text === undefined) return absent
  const wei = parseDecimal(text, GWEI_DECIMALS)
  if (wei === undefined || wei < 0n)
    throw new ConfigInvalid(`--${name} is invalid: got "${text}", expected an amount of gwei`)
  return wei
}
