// Reads what config.json says of the chain: whoever serves the page vouches for it, like for its
// code.

/** Where a venue stands. Addresses in lower case. */
export type VenueContracts = Readonly<{
  accounts: string
  spot: string
  perps: string
  /** Reads books in bulk; it is asked for nothing that is signed. */
  lens: string
  /** No log of the venue is in an earlier block. */
  fromBlock: number
}>

/** What the config says; undefined where it leaves that to the API. */
export type ChainConfig = Readonly<{
  rpcUrl: string | undefined
  chainId: number | undefined
  contracts: VenueContracts | undefined
}>

/** The config is not what it should be: nothing of it is used. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const ADDRESS = /^0x[0-9a-f]{40}$/
const NAMES = ['accounts', 'spot', 'perps', 'lens'] as const

/** Returns what `config` says of the chain. Throws a ConfigError where it is malformed. */
export function readChainConfig(config: unknown): ChainConfig {
  const { rpcUrl, chainId, contracts } = recordOf(config, 'config.json')
  if (contracts !== undefined && chainId === undefined)
    throw new ConfigError('chainId says on which chain the contracts are')
  return {
    rpcUrl: rpcUrl === undefined || rpcUrl === '' ? undefined : httpUrl(rpcUrl),
    chainId: chainId === undefined ? undefined : positive(chainId, 'chainId'),
    contracts: contracts === undefined ? undefined : readContracts(contracts),
  }
}

/** Returns the contracts that `value` names. Throws a ConfigError where one is missing. */
export function readContracts(value: unknown): VenueContracts {
  const fields = recordOf(value, 'contracts')
  const [accounts, spot, perps, lens] = NAMES.map((name) => address(fields[name], name))
  const fromBlock = fields.fromBlock === undefined ? 0 : positive(fields.fromBlock, 'fromBlock')
  return { accounts, spot, perps, lens, fromBlock } as VenueContracts
}

function recordOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new ConfigError(`${name} is an object`)
  return value as Readonly<Record<string, unknown>>
}

function address(value: unknown, name: string): string {
  const text = String(value).toLowerCase()
  if (!ADDRESS.test(text)) throw new ConfigError(`contracts.${name} is an address`)
  return text
}

function positive(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new ConfigError(`${name} is a whole number`)
  return value
}

/** A node is asked over HTTP: nothing else of a URL becomes a request. */
function httpUrl(value: unknown): string {
  const url = URL.parse(String(value))
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConfigError('rpcUrl is the URL of a node, http or https')
  return url.href
}
