// Signed messages and their signers.
import { CONTRACT_DOMAIN, DOMAIN, type Member } from '@openvenue/wire/signed-messages'
import { hashTypedData } from 'viem'
import { OpenvenueError } from '../errors.ts'
import { type Check, checkValue, withFunctions } from '../input.ts'
import { isHexAddress } from './checks.ts'

/** Hexadecimal text with the prefix 0x. */
export type Hex = `0x${string}`
/** Address of a wallet, sub-account or contract: 20 bytes, in any case. */
export type Address = Hex

/** Domain of an EIP-712 message. The API's has no contract. */
export type Domain = Readonly<{
  name: string
  version: string
  chainId: number
  verifyingContract?: Address
}>

type TypedValue = bigint | number | boolean | string | readonly Hex[]

/** An EIP-712 message in the form that viem's `signTypedData` takes. */
export type TypedData = Readonly<{
  domain: Domain
  types: Readonly<Record<string, readonly Member[]>>
  primaryType: string
  message: Readonly<Record<string, TypedValue>>
}>

/**
 * A signer: a viem account (`privateKeyToAccount`), or the {@link walletSigner} of a wallet client
 * or browser wallet.
 */
export type Signer = Readonly<{
  address: Address
  /** Returns the signature of a message. */
  signTypedData: (data: TypedData) => Promise<Hex>
}>

/** Subset of viem's wallet client that {@link walletSigner} uses. */
export type TypedDataWallet = Readonly<{
  /** Returns the signature of a message by one of the client's accounts. */
  signTypedData: (data: TypedData & Readonly<{ account: Address }>) => Promise<Hex>
}>

/** Subset of an EIP-1193 provider that {@link walletSigner} uses, such as `window.ethereum`. */
export type TypedDataProvider = {
  /** Sends one JSON-RPC request to the wallet and returns its result. */
  request(args: { method: never; params?: never }): Promise<unknown>
}

/**
 * Returns a signer for a wallet: a client of viem's `createWalletClient`, or the EIP-1193 provider
 * of a browser wallet, which signs with `eth_signTypedData_v4`.
 *
 * @example
 * const [address] = await window.ethereum.request({ method: 'eth_requestAccounts' })
 * const wallet = walletSigner(window.ethereum, address)
 */
export function walletSigner(
  wallet: TypedDataWallet | TypedDataProvider,
  address: Address,
): Signer {
  checkValue('address', address, isHexAddress)
  if ('signTypedData' in wallet)
    return { address, signTypedData: (data) => wallet.signTypedData({ ...data, account: address }) }
  checkValue('wallet', wallet, isProvider)
  const ask = async (data: TypedData) => {
    const args = { method: 'eth_signTypedData_v4', params: [address, jsonOf(data)] }
    return (await wallet.request(args as never)) as Hex
  }
  return { address, signTypedData: ask }
}
const isProvider = /* @__PURE__ */ withFunctions(
  'a viem wallet client or an EIP-1193 provider',
  'request',
)

/** JSON has no 256-bit integers: wallets take them as decimal text. */
const jsonOf = (data: TypedData): string =>
  JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))

const SIGNATURE = /^0x[0-9a-f]{130}$/i
const V_DIGITS = 2
const V_LEAST = 27

/**
 * Signs a message. Some hardware wallets return v as 0 or 1 where contracts expect 27 or 28: v is
 * converted.
 */
export async function signWith(signer: Signer, data: TypedData): Promise<Hex> {
  const signature = await signer.signTypedData(data)
  if (!SIGNATURE.test(signature))
    throw new OpenvenueError(
      `invalid answer of the wallet of ${signer.address}: expected a signature of 65 bytes`,
    )
  const v = Number.parseInt(signature.slice(-V_DIGITS), 16)
  if (v >= V_LEAST) return signature
  return `${signature.slice(0, -V_DIGITS)}${(v + V_LEAST).toString(16)}` as Hex
}

/** Returns a message with its types and those of its domain. */
export function typedData(
  domain: Domain,
  [primaryType, members]: readonly [string, readonly Member[]],
  message: TypedData['message'],
): TypedData {
  const EIP712Domain = domain.verifyingContract === undefined ? DOMAIN : CONTRACT_DOMAIN
  return { domain, types: { EIP712Domain, [primaryType]: members }, primaryType, message }
}

/** Returns the EIP-712 digest of a message: for an Order, its `order_id` before it is sent. */
export function digestOf(data: TypedData): Hex {
  checkValue('data', data, isTypedData)
  return hashTypedData(data as unknown as Parameters<typeof hashTypedData>[0])
}

const isTypedData: Check = (value) => {
  const { types, primaryType, message } = (value ?? {}) as Partial<TypedData>
  const isWhole = types?.[primaryType ?? ''] !== undefined && typeof message === 'object'
  return isWhole ? undefined : 'typed data, such as `data` of orderToSign'
}
