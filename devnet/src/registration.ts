// Registers a signing key for an account of the mnemonic, like a wallet. Interface 5.2.
import { type ApiKey, Rest } from 'openvenue'
import { type Address, type Hex, loadVenue, signRegistration } from 'openvenue/signing'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { MNEMONIC } from './anvil.ts'

/** Account and venue of a registration. */
export type RegistrationRequest = Readonly<{
  apiUrl: string
  /** Index of the account in the mnemonic. */
  index: number
  /** Expiry of the key, Unix seconds, unless the venue caps it. */
  expirySeconds: number
  /** Address of a sub-account of the wallet to register for; absent: the wallet itself. */
  subAccount?: string
  /** Private signing key; absent: a new one. */
  signingPrivateKey?: Hex
  /** The venue also registers the key on chain, so that it can sign orders. */
  isOnChain?: boolean
}>

/** The issued API key, and its signing key. */
export type Registration = Readonly<{
  account: string
  apiKey: ApiKey
  signingKey: string
  signingPrivateKey: Hex
}>

/** Signs and posts the registration. Throws a `RefusedError` when the venue refuses. */
export async function registerWallet(request: RegistrationRequest): Promise<Registration> {
  const { apiUrl, index, expirySeconds, subAccount, isOnChain: onChain = false } = request
  const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: index })
  const { signingPrivateKey = generatePrivateKey() } = request
  const key = privateKeyToAccount(signingPrivateKey)
  const rest = new Rest({ url: apiUrl })
  const account = (subAccount ?? wallet.address) as Address
  const registration = { wallet, key, account, expirySeconds, onChain }
  const body = await signRegistration(await loadVenue(rest), registration)
  const answer = await rest.call('POST /register', { body })
  const { api_key = '', api_secret = '' } = answer
  const apiKey = { key: api_key, secret: api_secret }
  return { account: answer.account, apiKey, signingKey: key.address, signingPrivateKey }
}
