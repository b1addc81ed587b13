// Gives a command what it asks for: the venue, the account and its keys, a node of the chain.
// Nothing is read or asked before it is needed.
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
  type Wanted,
  type WhereOptions,
  wantedNetwork,
} from './networks.ts'
import { Output, type OutputOptions } from './output.ts'

/** Options of every command. */
export type SessionOptions = WhereOptions & OutputOptions & Readonly<{ dryRun?: boolean }>

/** Whoever asks to wait longer than this is not waited for. */
const PATIENCE = { retries: 2, waitMsMax: 5_000 }

const ABI_FILES = ['accounts.json', 'spot.json', 'perps.json', 'erc20.json']

type ApiKey = Readonly<{ key: string; secret: string; signs: boolean }>
type Info = SigningVenue['info']

/** Where the venue is, and what is kept for it. */
export type Place = Readonly<{
  name: string
  url: string
  /** The file of the network, whether or not there is one. */
  path: string
  file: Credentials | undefined
}>

export class Session {
  readonly host: Host
  readonly output: Output
  readonly wanted: Wanted
  readonly isDryRun: boolean
  readonly #found = new Map<string, Promise<unknown>>()

  constructor(host: Host, options: SessionOptions) {
    this.host = host
    this.output = new Output(host, options)
    this.wanted = wantedNetwork(options, host.env)
    this.isDryRun = options.dryRun === true
  }

  /** Returns where the venue is, without asking whether it is what it was named. */
  place(): Promise<Place> {
    return this.#once('place', async () => {
      const name =
        this.wanted.name ?? (await this.#info(apiUrl(this.wanted, undefined))).network.name
      const path = credentialsPath(this.host.env, this.host.homeDir, name)
      const file = await readCredentials(path)
      return { name, path, file, url: apiUrl(this.wanted, file) }
    })
  }

  /** Returns what is kept of the account: of the environment first, then of the file. */
  async credentials(): Promise<Credentials> {
    const given = environmentCredentials(this.host.env)
    const { file = {} } = await this.place()
    if (isOther(given.account, file.account)) {
      // The file is of another account: nothing of it is secret or of use here.
      const { chain_id, contracts } = file
      return { ...(chain_id && { chain_id }), ...(contracts && { contracts }), ...given }
    }
    const { api_key_signs: _, ...unsigned } = file
    // A key of the environment is not known to sign.
    return { ...(given.api_key === undefined ? file : unsigned), ...given }
  }

  /** Returns the API for what is public. */
  publicRest(): Promise<Rest> {
    return this.#once('publicRest', async () => {
      if (this.wanted.isNamed) await this.checkNetwork()
      return this.#restAt((await this.place()).url)
    })
  }

  /** Returns the API for what is of the account. */
  rest(): Promise<Rest> {
    return this.#once('rest', async () => {
      const apiKey = await this.apiKey()
      // Before the key is sent anywhere.
      await this.checkNetwork()
      const { url } = await this.place()
      if (isPlainRemote(url))
        this.output.note(`${url} is no https: others can read what goes there`, 'yellow')
      return this.#restAt(url, apiKey)
    })
  }

  async apiKey(): Promise<ApiKey> {
    const { api_key: key, api_secret: secret, api_key_signs = false } = await this.credentials()
    if (key !== undefined && secret !== undefined) return { key, secret, signs: api_key_signs }
    const { path } = await this.place()
    throw new CredentialError(
      `an API key is needed: set OPENVENUE_API_KEY and OPENVENUE_API_SECRET, or have one made by \`openvenue keys new\` (${path})`,
    )
  }

  /** Returns what signing needs; throws where it is not what was pinned. */
  venue(): Promise<SigningVenue> {
    return this.#once('venue', async () => {
      await this.checkNetwork()
      const pinned = await this.#pinned()
      return loadVenue(this.#restAt((await this.place()).url), { pinned })
    })
  }

  /** Holds what the venue says of its network against what was asked for, and what is pinned. */
  checkNetwork(): Promise<Info> {
    return this.#once('network', async () => {
      const { url, name, path } = await this.place()
      const info = await this.#info(url)
      const { network } = info
      if (network.name !== name)
        throw new MismatchError(`${url} is the network ${network.name}, and not ${name}`, [
          { path: 'network.name', venue: network.name, expected: name },
        ])
      const { chainId } = await this.#pinned()
      if (chainId !== undefined && chainId !== network.chain_id)
        throw new MismatchError(
          `${url} is of chain ${network.chain_id}, and ${path} was made for ${chainId}`,
          [{ path: 'network.chain_id', venue: `${network.chain_id}`, expected: `${chainId}` }],
        )
      return info
    })
  }

  /** Returns the account that everything is done for. */
  async account(): Promise<Address> {
    const { account, wallet_key } = await this.credentials()
    if (account !== undefined) return account
    if (wallet_key !== undefined) return privateKeyToAccount(wallet_key).address
    throw new CredentialError('which account? Set OPENVENUE_ACCOUNT, or run `openvenue keys new`')
  }

  /** Returns who signs orders: the signing key, or the wallet where there is none. */
  async signer(): Promise<PrivateKeyAccount> {
    const { signing_key, wallet_key } = await this.credentials()
    const key = signing_key ?? wallet_key
    if (key !== undefined) return privateKeyToAccount(key)
    throw new CredentialError(
      'a key to sign with is needed: set OPENVENUE_SIGNING_KEY, or run `openvenue keys new`',
    )
  }

  /** Returns the wallet, which moves money and makes keys. */
  async wallet(): Promise<PrivateKeyAccount> {
    const { wallet_key } = await this.credentials()
    if (wallet_key !== undefined) return privateKeyToAccount(wallet_key)
    throw new CredentialError(
      "the wallet's key is needed: set OPENVENUE_WALLET_KEY (to try things out, `openvenue keys new --create-wallet` makes a wallet)",
    )
  }

  /** Returns the address of a node of the chain; undefined where none is known. */
  async rpcUrl(): Promise<string | undefined> {
    const { name, file } = await this.place()
    const known = this.wanted.rpc ?? file?.rpc
    if (known !== undefined) return known
    const [published] = (await this.checkNetwork()).network.rpc_urls
    return published ?? NETWORKS[name]?.rpc
  }

  /** Returns a node of the chain, once it has said that it is of the venue's. */
  chain(): Promise<Chain> {
    return this.#once('chain', async () => {
      const rpc = await this.rpcUrl()
      if (rpc === undefined)
        throw new UsageError('a node of the chain is needed: name one with --rpc')
      const { network } = await this.checkNetwork()
      return Chain.at(rpc, network, () => this.#errorAbi())
    })
  }

  /** Returns a connection for live data, closed when the program is ended. */
  async socket({ isPrivate }: Readonly<{ isPrivate: boolean }>): Promise<VenueSocket> {
    if (isPrivate || this.wanted.isNamed) await this.checkNetwork()
    return new VenueSocket({
      url: (await this.place()).url,
      WebSocket: this.host.WebSocket,
      signal: this.host.signal,
      onGap: (gap) => this.output.note(gapText(gap), 'yellow'),
      ...(isPrivate && { apiKey: await this.apiKey() }),
    })
  }

  /** Returns the errors of all contracts whose calls a wallet sends. */
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

  #info(url: string): Promise<Info> {
    return this.#once(`info of ${url}`, () => this.#restAt(url).call('GET /info'))
  }

  #restAt(url: string, apiKey?: ApiKey): Rest {
    const { signal } = this.host
    return new Rest({ url, signal, patience: PATIENCE, ...(apiKey && { apiKey }) })
  }

  /** Asks for a thing once, however many need it. */
  #once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const found = this.#found.get(name) ?? make()
    this.#found.set(name, found)
    return found as Promise<T>
  }
}

/** The note of what a stream lacks. */
const gapText = ({ channel, fromSeq, toSeq, blockNumber }: Gap): string =>
  `${channel}: messages were missed after block ${blockNumber ?? '?'} (seq ${fromSeq} to ${toSeq}): read the history`

const isOther = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one.toLowerCase() !== other.toLowerCase()
