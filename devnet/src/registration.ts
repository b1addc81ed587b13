// Registers a signing key for an account of the mnemonic, as a wallet would. Interface 5.2.
import type { Hex } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { MNEMONIC } from './anvil.ts'

const KEY_UNTIL = [
  { name: 'key', type: 'address' },
  { name: 'expiry', type: 'uint256' },
] as const
const ACCOUNT = { name: 'account', type: 'address' } as const
/** What a wallet signs for itself, an owner for a sub-account, and a key for either. */
const TYPES = {
  Register: KEY_UNTIL,
  RegisterFor: [ACCOUNT, ...KEY_UNTIL],
  SignKey: [ACCOUNT],
} as const

/** Where and for whom. */
export type RegistrationPlace = Readonly<{
  apiUrl: string
  chainId: number
  domainName: string
  /** Index of the account in the mnemonic. */
  index: number
  /** Unix seconds until which the key lives, unless the venue caps it. */
  expirySeconds: number
  /** Address of a sub-account of the wallet to register for; absent: the wallet itself. */
  subAccount?: string
  /** The signing key's; absent: a new one. */
  signingPrivateKey?: Hex
  /** True: the key shall also stand on the chain, to sign orders. */
  isOnChain?: boolean
}>

/** What the venue issued, and the signing key that goes with it. */
export type Registered = Readonly<{
  account: string
  apiKey: string
  apiSecret: string
  signingKey: string
  signingPrivateKey: Hex
}>

/** Signs both messages and posts them. Throws with the venue's message when it refuses. */
export async function registerWallet(place: RegistrationPlace): Promise<Registered> {
  const { apiUrl, chainId, domainName, index, expirySeconds, subAccount, isOnChain } = place
  const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: index })
  const { signingPrivateKey = generatePrivateKey() } = place
  const signer = privateKeyToAccount(signingPrivateKey)
  const domain = { name: domainName, version: '1', chainId }
  const address = (subAccount ?? wallet.address) as Hex
  const expiry = BigInt(expirySeconds)
  const accountSignature =
    subAccount === undefined
      ? await wallet.signTypedData({
          ...{ domain, types: TYPES, primaryType: 'Register' },
          message: { key: signer.address, expiry },
        })
      : await wallet.signTypedData({
          ...{ domain, types: TYPES, primaryType: 'RegisterFor' },
          message: { account: address, key: signer.address, expiry },
        })
  const signingKeySignature = await signer.signTypedData({
    ...{ domain, types: TYPES, primaryType: 'SignKey' },
    message: { account: address },
  })
  const response = await fetch(`${apiUrl}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      account: address,
      signing_key: signer.address,
      expiry: expirySeconds,
      account_signature: accountSignature,
      signing_key_signature: signingKeySignature,
      ...(isOnChain ? { on_chain: true } : {}),
    }),
  })
  const answer = (await response.json()) as Record<string, string>
  if (response.status !== 201)
    throw new Error(`${response.status} ${answer.error}: ${answer.message}`)
  const { account = '', api_key: apiKey = '', api_secret: apiSecret = '' } = answer
  return { account, apiKey, apiSecret, signingKey: signer.address, signingPrivateKey }
}
