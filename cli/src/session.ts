// Resources of a command: the venue, the account with its keys, and a chain node. Everything is
// read or requested on first use.
import { type Gap, MismatchError, Rest, VenueSocket } from 'openvenue'
import { type Address, loadVenue, type Pinned, type SigningVenue } from 'openvenue/signing'
import type { Abi } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { Chain } from './chain.ts'
import {
  type Credentials,
  credentialsPath,
  environmentCredentials,
  readCredentials,
} from './credentials.ts'
import { CredentialError, UsageError } from './exit-codes.ts'
import type { Host } from './host.ts'
import {
  apiUrl,
  isPlainRemote,
  NETWORKS,
  type NetworkSelection,
  type WhereOptions,
  wantedNetwork,
} from './networks.ts'
import { Output, type OutputOptions } from './output.ts'

/** Options of every command. */
export type SessionOptions = WhereOptions & OutputOptions & Readonly<{ dryRun?: boolean }>

/** Retries up to twice if the venue asks to wait for 5 s or less. */
const PATIENCE = { retries: 2, waitMsMax: 5_000 }

const ABI_FILES = ['accounts.json', 'spot.json', 'perps.json', 'erc20.json']

type ApiKey = Readonly<{ key: string; secret: string; signs: boolean }>
type VenueInfo = SigningVenue['info']

/** Address of the venue and the file of its network. */
type NetworkLocation = Readonly<{
  name: string
  url: string
  /** Path of the network's file, whether or not it exists. */
  path: string
  file: Credentials | undefined
}>

export class Session {
  readonly host: Host
  readonly output: Output
  readonly selection: NetworkSelection
  readonly isDryRun: boolean
  readonly #found = new Map<string, Promise<unknown>>()

  constructor(host: Host, options: SessionOptions) {
    this.host = host
    this.output = new Output(host, options)
    this.selection = wantedNetwork(options, host.env)
    this.isDryRun = options.dryRun === true
  }

  /** Returns the address of the venue without verifying its network. */
  place(): Promise<NetworkLocation> {
    return this.#once('place', async () => {
      const name =
        this.selection.name ?? (await this.#info(apiUrl(this.selection, undefined))).network.name
      const path = credentialsPath(this.host.env, this.host.homeDir, name)
      const file = await readCredentials(path)
      return { name, path, file, url: apiUrl(this.selection, file) }
    })
  }

  /** Returns the credentials: those of the environment first, then those of the file. */
  async credentials(): Promise<Credentials> {
    const given = environmentCredentials(this.host.env)
    const { file = {} } = await this.place()
    if (isOther(given.account, file.account)) {
      // The file belongs to another account: none of its secrets apply.
      const { chain_id, contracts } = file
      return { ...(chain_id && { chain_id }), ...(contracts && { contracts }), ...given }
    }
    const { api_key_signs: _, ...unsigned } = file
    // The environment does not specify whether its key signs requests.
    return { ...(given.api_key === undefined ? file : unsigned), ...given }
  }

  /** Returns a client for public data. */
  publicRest(): Promise<Rest> {
    return this.#once('publicRest', async () => {
      if (this.selection.isNamed) await this.checkNetwork()
      return this.#restAt((await this.place()).url)
    })
  }

  /** Returns a client for data of the account. */
  rest(): Promise<Rest> {
    return this.#once('rest', async () => {
      const apiKey = await this.apiKey()
      // Before the key is sent anywhere.
      await this.checkNetwork()
      const { url } = await this.place()
      if (isPlainRemote(url))
        this.output.note(`${url} is not https: keys can be read in transit`, 'yellow')
      return this.#restAt(url, apiKey)
    })
  }

  async apiKey(): Promise<ApiKey> {
    const { api_key: key, api_secret: secret, api_key_signs = false } = await this.credentials()
    if (key !== undefined && secret !== undefined) return { key, secret, signs: api_key_signs }
    const { path } = await this.place()
    throw new CredentialError(
      `API key missing: set OPENVENUE_API_KEY and OPENVENUE_API_SECRET, or run \`openvenue keys new\`, which writes ${path}`,
    )
  }

  /** Returns the venue for signing; throws if it differs from the pinned facts. */
  venue(): Promise<SigningVenue> {
    return this.#once('venue', async () => {
      await this.checkNetwork()
      const pinned = await this.#pinned()
      return loadVenue(this.#restAt((await this.place()).url), { pinned })
    })
  }

  /** Compares the network of the venue with the requested one and the pinned chain. */
  checkNetwork(): Promise<VenueInfo> {
    return this.#once('network', async () => {
      const { url, name, path } = await this.place()
      const info = await this.#info(url)
      const { network } = info
      if (network.name !== name)
        throw new MismatchError(`network of ${url}: got ${network.name}, expected ${name}`, [
          { path: 'network.name', venue: network.name, expected: name },
        ])
      const { chainId } = await this.#pinned()
      if (chainId !== undefined && chainId !== network.chain_id)
        throw new MismatchError(
          `chain id of ${url}: got ${network.chain_id}, expected ${chainId} as in ${path}`,
          [{ path: 'network.chain_id', venue: `${network.chain_id}`, expected: `${chainId}` }],
        )
      return info
    })
  }

  /** Returns the account that the command acts for. */
  async account(): Promise<Address> {
    const { account, wallet_key } = await this.credentials()
    if (account !== undefined) return account
    if (wallet_key !== undefined) return privateKeyToAccount(wallet_key).address
    throw new CredentialError('account missing: set OPENVENUE_ACCOUNT, or run `openvenue keys new`')
  }

  /** Returns the signer of orders: the signing key, or the wallet if there is none. */
  async signer(): Promise<PrivateKeyAccount> {
    const { signing_key, wallet_key } = await this.credentials()
    const key = signing_key ?? wallet_key
    if (key !== undefined) return privateKeyToAccount(key)
    throw new CredentialError(
      'signing key missing: set OPENVENUE_SIGNING_KEY, or run `openvenue keys new`',
    )
  }

  /** Returns the wallet, which moves funds and creates keys. */
  async wallet(): Promise<PrivateKeyAccount> {
    const { wallet_key } = await this.credentials()
    if (wallet_key !== undefined) return privateKeyToAccount(wallet_key)
    throw new CredentialError(
      'wallet key missing: set OPENVENUE_WALLET_KEY (for testing, `openvenue keys new --create-wallet` creates one)',
    )
  }

  /** Returns the address of a chain node; undefined if none is known. */
  async rpcUrl(): Promise<string | undefined> {
    const { name, file } = await this.place()
    const rpc = this.selection.rpc ?? file?.rpc
    if (rpc !== undefined) return rpc
    const [published] = (await this.checkNetwork()).network.rpc_urls
    return published ?? NETWORKS[name]?.rpc
  }

  /** Returns a chain node after verifying its chain id. */
  chain(): Promise<Chain> {
    return this.#once('chain', async () => {
      const rpc = await this.rpcUrl()
      if (rpc === undefined) throw new UsageError('chain node missing: pass one with --rpc')
      const { network } = await this.checkNetwork()
      return Chain.at(rpc, network, () => this.#errorAbi())
    })
  }

  /** Returns a connection for live data, which closes when the program ends. */
  async socket({ isPrivate }: Readonly<{ isPrivate: boolean }>): Promise<VenueSocket> {
    if (isPrivate || this.selection.isNamed) await this.checkNetwork()
    return new VenueSocket({
      url: (await this.place()).url,
      WebSocket: this.host.WebSocket,
      signal: this.host.signal,
      onGap: (gap) => this.output.note(gapText(gap), 'yellow'),
      ...(isPrivate && { apiKey: await this.apiKey() }),
    })
  }

  /** Returns the errors of all contracts that a wallet calls. */
  async #errorAbi(): Promise<Abi> {
    const rest = await this.publicRest()
    const files = ABI_FILES.map((file) => rest.call('GET /abi/{file}', { path: { file } }))
    return (await Promise.all(files))
      .flat()
      .filter(({ type }) => type === 'error') as unknown as Abi
  }

  async #pinned(): Promise<Pinned> {
    const { chain_id: chainId, contracts } = await this.credentials()
    return { ...(chainId !== undefined && { chainId }), ...contracts }
  }

  #info(url: string): Promise<VenueInfo> {
    return this.#once(`info of ${url}`, () => this.#restAt(url).call('GET /info'))
  }

  #restAt(url: string, apiKey?: ApiKey): Rest {
    const { signal } = this.host
    return new Rest({ url, signal, patience: PATIENCE, ...(apiKey && { apiKey }) })
  }

  /** Makes a resource once, however often it is used. */
  #once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const promise = this.#found.get(name) ?? make()
    this.#found.set(name, promise)
    return promise as Promise<T>
  }
}

/** Describes a gap of a stream. */
const gapText = ({ channel, fromSeq, toSeq, blockNumber }: Gap): string =>
  `${channel}: messages missed after block ${blockNumber ?? '?'} (seq ${fromSeq} to ${toSeq}): read the history`

const isOther = (url: string | undefined, other: string | undefined): boolean =>
  url !== undefined && other !== undefined && url.toLowerCase() !== other.toLowerCase()
