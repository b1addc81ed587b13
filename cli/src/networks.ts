// Knows the networks by their names, and where each is found.
import { NETWORK_NAMES, NETWORKS as PRESETS } from '@openvenue/core/networks'
import type { Credentials } from './credentials.ts'
import { UsageError } from './exit-codes.ts'
import type { Environment } from './host.ts'

/** `url`: its API, where the venue there is everybody's. */
export type Network = Readonly<{ url?: string; rpc?: string }>

const presets = NETWORK_NAMES.map((name): [string, Network] => {
  const [rpc] = PRESETS[name].rpcUrls
  return [name, rpc === undefined ? {} : { rpc }]
})

/** Any other venue is named by `--url`, or by the file that `keys new` wrote for it. */
export const NETWORKS: Readonly<Record<string, Network>> = {
  ...Object.fromEntries(presets),
  devnet: { url: 'http://127.0.0.1:3000', rpc: 'http://127.0.0.1:8545' },
}
export const DEFAULT_NETWORK = 'devnet'

export type WhereOptions = Readonly<{ network?: string; url?: string; rpc?: string }>

/** What was asked for, before any file is read. */
export type Wanted = Readonly<{
  /** Undefined: the venue at `url` says what it is. */
  name: string | undefined
  url: string | undefined
  rpc: string | undefined
  /** Somebody named the network: it has to be this one. */
  isNamed: boolean
}>

/** Returns where to go by the options, then by the environment. */
export function wantedNetwork(options: WhereOptions, env: Environment): Wanted {
  const name = options.network ?? (env.OPENVENUE_NETWORK || undefined)
  const url = checkedUrl('--url', options.url ?? (env.OPENVENUE_URL || undefined))
  const rpc = checkedUrl('--rpc', options.rpc ?? (env.OPENVENUE_RPC_URL || undefined))
  const isNamed = name !== undefined
  return { name: name ?? (url === undefined ? DEFAULT_NETWORK : undefined), url, rpc, isNamed }
}

/** Returns the address of the API: as given, of the file, or of a network that is known. */
export function apiUrl({ name = '', url }: Wanted, file: Credentials | undefined): string {
  const found = url ?? file?.url ?? NETWORKS[name]?.url
  if (found === undefined)
    throw new UsageError(
      `the network ${name} is not known here: name its API with --url (known: ${namesWithUrl()})`,
    )
  return found
}

const namesWithUrl = () =>
  Object.keys(NETWORKS)
    .filter((name) => NETWORKS[name]?.url !== undefined)
    .join(', ')

/** Whether what is sent there can be read on its way. */
export function isPlainRemote(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

function checkedUrl(option: string, url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new UsageError(`${option} is an address that begins with http:// or https://`)
  return url.replace(/\/+$/, '')
}
