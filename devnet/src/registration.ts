// Registers a signing key for an account of the mnemonic, as a wallet would. Interface 5.2.
import type { Hex } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { MNEMONIC } from './anvil.ts'

/** Where and for whom. */
export type RegistrationPlace = Readonly<{
  apiUrl: string
  chainId: number
  domainName: string
  /** Index of the account in the mnemonic. */
  index: number
  /** Unix seconds until which the key lives, unless the venue caps it. */
  expirySeconds: number
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
  const { apiUrl, chainId, domainName, index, expirySeconds } = place
  const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: index })
  const signingPrivateKey = generatePrivateKey()
  const signer = privateKeyToAccount(signingPrivateKey)
  const domain = { name: domainName, version: '1', chainId }
  const accountSignature = await wallet.signTypedData({
    domain,
    types: {
      Register: [
        { name: 'key', type: 'address' },
        { name: 'expiry', type: 'uint256' },
      ],
    },
    primaryType: 'Register',
    message: { key: signer.address, expiry: BigInt(expirySeconds) },
  })
  const signingKeySignature = await signer.signTypedData({
    domain,
    types: { SignKey: [{ name: 'account', type: 'address' }] },
    primaryType: 'SignKey',
    message: { account: wallet.address },
  })
  const response = await fetch(`${apiUrl}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      account: wallet.address,
      signing_key: signer.address,
      expiry: expirySeconds,
      account_signature: accountSignature,
      signing_key_signature: signingKeySignature,
    }),
  })
  const answer = (await response.json()) as Record<string, string>
  if (response.status !== 201) throw new Error(`${response.status}: ${answer.message}`)
  const { account = '', api_key: apiKey = '', api_secret: apiSecret = '' } = answer
  return { account, apiKey, apiSecret, signingKey: signer.address, signingPrivateKey }
}
