// Known networks and their addresses.
import { NETWORK_NAMES, NETWORKS as PRESETS } from '@openvenue/core/networks'
import type { Credentials } from './credentials.ts'
import { UsageError } from './exit-codes.ts'
import type { Environment } from './host.ts'

/** `url`: API of a network with a single well-known venue. */
type NetworkUrls = Readonly<{ url?: string; rpc?: string }>

const presets = NETWORK_NAMES.map((name): [string, NetworkUrls] => {
  const [rpc] = PRESETS[name].rpcUrls
  return [name, rpc === undefined ? {} : { rpc }]
})

/** Other venues need `--url`, or the file that `keys new` wrote. */
export const NETWORKS: Readonly<Record<string, NetworkUrls>> = {
  ...Object.fromEntries(presets),
  devnet: { url: 'http://127.0.0.1:3000', rpc: 'http://127.0.0.1:8545' },
}
export const DEFAULT_NETWORK = 'devnet'

export type WhereOptions = Readonly<{ network?: string; url?: string; rpc?: string }>

/** The requested network, before any file is read. */
export type NetworkSelection = Readonly<{
  /** Undefined: taken from the venue at `url`. */
  name: string | undefined
  url: string | undefined
  rpc: string | undefined
  /** True if the user named the network, which the venue must then match. */
  isNamed: boolean
}>

/** Returns the requested network from the options, then from the environment. */
export function wantedNetwork(options: WhereOptions, env: Environment): NetworkSelection {
  const name = options.network ?? (env.OPENVENUE_NETWORK || undefined)
  const url = checkedUrl('--url', options.url ?? (env.OPENVENUE_URL || undefined))
  const rpc = checkedUrl('--rpc', options.rpc ?? (env.OPENVENUE_RPC_URL || undefined))
  const isNamed = name !== undefined
  return { name: name ?? (url === undefined ? DEFAULT_NETWORK : undefined), url, rpc, isNamed }
}

/** Returns the address of the API: as given, from the file, or of a known network. */
export function apiUrl(
  { name = '', url }: NetworkSelection,
  file: Credentials | undefined,
): string {
  const address = url ?? file?.url ?? NETWORKS[name]?.url
  if (address === undefined)
    throw new UsageError(
      `network: got ${name}, expected ${namesWithUrl()}; pass --url for any other network`,
    )
  return address
}

const namesWithUrl = () =>
  Object.keys(NETWORKS)
    .filter((name) => NETWORKS[name]?.url !== undefined)
    .join(', ')

/** Returns whether traffic to the address can be read in transit. */
export function isPlainRemote(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

function checkedUrl(option: string, url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new UsageError(`${option}: expected an address that begins with http:// or https://`)
  return url.replace(/\/+$/, '')
}
