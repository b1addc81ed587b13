// Registers a signing key for an account of the mnemonic, as a wallet would. Interface 5.2.
import type { Hex } from 'viem'
import {
  generatePrivateKey,
  type HDAccount,
  mnemonicToAccount,
  type PrivateKeyAccount,
  privateKeyToAccount,
} from 'viem/accounts'
import { MNEMONIC } from './anvil.ts'

const KEY_UNTIL = [
  { name: 'key', type: 'address' },
  { name: 'expiry', type: 'uint256' },
] as const
const ACCOUNT = { name: 'account', type: 'address' } as const
const GRANT = [ACCOUNT, ...KEY_UNTIL] as const
/** Messages that a wallet signs for itself, an owner for a sub-account, and a key for either. */
const TYPES = { Register: KEY_UNTIL, RegisterFor: GRANT, SignKey: [ACCOUNT] } as const
/** Messages that the wallet or the owner, and the key, sign for the chain. */
const CHAIN_TYPES = { RegisterKey: GRANT, AcceptKey: GRANT } as const

/** Where and for whom. */
export type RegistrationRequest = Readonly<{
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
  /** The contract of accounts, where the key shall also stand to sign orders; absent: nowhere. */
  accountsContract?: string
}>

/** The API key that the venue issued, and the signing key that goes with it. */
export type Registered = Readonly<{
  account: string
  apiKey: string
  apiSecret: string
  signingKey: string
  signingPrivateKey: Hex
}>

/** Signs what it takes and posts it. Throws with the venue's message when it refuses. */
export async function registerWallet(request: RegistrationRequest): Promise<Registered> {
  const { apiUrl, index, expirySeconds, subAccount, accountsContract } = request
  const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: index })
  const { signingPrivateKey = generatePrivateKey() } = request
  const signer = privateKeyToAccount(signingPrivateKey)
  const account = (subAccount ?? wallet.address) as Hex
  const signing: Signing = { request, wallet, signer, account, isSub: subAccount !== undefined }
  const response = await fetch(`${apiUrl}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      account,
      signing_key: signer.address,
      expiry: expirySeconds,
      ...(await signRegistration(signing)),
      ...(accountsContract === undefined
        ? {}
        : await signForChain(signing, accountsContract as Hex)),
    }),
  })
  const answer = (await response.json()) as Record<string, string>
  if (response.status !== 201)
    throw new Error(`${response.status} ${answer.error}: ${answer.message}`)
  const { api_key: apiKey = '', api_secret: apiSecret = '' } = answer
  return {
    account: answer.account ?? '',
    apiKey,
    apiSecret,
    signingKey: signer.address,
    signingPrivateKey,
  }
}

type Signing = Readonly<{
  request: RegistrationRequest
  wallet: HDAccount
  signer: PrivateKeyAccount
  account: Hex
  isSub: boolean
}>

async function signRegistration({ request, wallet, signer, account, isSub }: Signing) {
  const { chainId, domainName } = request
  const data = { domain: { name: domainName, version: '1', chainId }, types: TYPES } as const
  const until = { key: signer.address, expiry: BigInt(request.expirySeconds) }
  return {
    account_signature: isSub
      ? await wallet.signTypedData({
          ...data,
          primaryType: 'RegisterFor',
          message: { account, ...until },
        })
      : await wallet.signTypedData({ ...data, primaryType: 'Register', message: until }),
    signing_key_signature: await signer.signTypedData({
      ...data,
      primaryType: 'SignKey',
      message: { account },
    }),
  }
}

async function signForChain({ request, wallet, signer, account }: Signing, verifyingContract: Hex) {
  const { chainId, domainName: name } = request
  const data = {
    domain: { name, version: '1', chainId, verifyingContract },
    types: CHAIN_TYPES,
    message: { account, key: signer.address, expiry: BigInt(request.expirySeconds) },
  } as const
  return {
    on_chain: true,
    chain_account_signature: await wallet.signTypedData({ ...data, primaryType: 'RegisterKey' }),
    chain_signing_key_signature: await signer.signTypedData({ ...data, primaryType: 'AcceptKey' }),
  }
}
