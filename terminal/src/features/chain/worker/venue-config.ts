// Reads the chain settings of config.json. They are as trustworthy as the page's code: both come
// from the same host.

/** Contract addresses of a venue, in lower case. */
export type VenueContracts = Readonly<{
  accounts: string
  spot: string
  perps: string
  /** Reads books in bulk; never used for anything that is signed. */
  lens: string
  /** The first block that can contain logs of the venue. */
  fromBlock: number
}>

/** Settings of the config; undefined where the config leaves the choice to the API. */
export type ChainConfig = Readonly<{
  rpcUrl: string | undefined
  chainId: number | undefined
  contracts: VenueContracts | undefined
}>

/** The config is malformed, and none of it is used. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const ADDRESS = /^0x[0-9a-f]{40}$/
const NAMES = ['accounts', 'spot', 'perps', 'lens'] as const

/** Returns the chain settings of `config`. Throws a ConfigError if it is malformed. */
export function readChainConfig(config: unknown): ChainConfig {
  const { rpcUrl, chainId, contracts } = recordOf(config, 'config.json')
  if (contracts !== undefined && chainId === undefined)
    throw new ConfigError('chainId is required with contracts')
  return {
    rpcUrl: rpcUrl === undefined || rpcUrl === '' ? undefined : httpUrl(rpcUrl),
    chainId: chainId === undefined ? undefined : positive(chainId, 'chainId'),
    contracts: contracts === undefined ? undefined : readContracts(contracts),
  }
}

/** Returns the contracts in `value`. Throws a ConfigError if one is missing. */
export function readContracts(value: unknown): VenueContracts {
  const fields = recordOf(value, 'contracts')
  const [accounts, spot, perps, lens] = NAMES.map((name) => address(fields[name], name))
  const fromBlock = fields.fromBlock === undefined ? 0 : positive(fields.fromBlock, 'fromBlock')
  return { accounts, spot, perps, lens, fromBlock } as VenueContracts
}

function recordOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null)
    throw new ConfigError(`${name} must be an object`)
  return value as Readonly<Record<string, unknown>>
}

function address(value: unknown, name: string): string {
  const text = String(value).toLowerCase()
  if (!ADDRESS.test(text)) throw new ConfigError(`contracts.${name} must be an address`)
  return text
}

function positive(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new ConfigError(`${name} must be a whole number`)
  return value
}

/** Requires HTTP, so that no other URL scheme is ever requested. */
function httpUrl(value: unknown): string {
  const url = URL.parse(String(value))
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConfigError('rpcUrl must be an http or https URL')
  return url.href
}
