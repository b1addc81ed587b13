// What is signed, and who signs it.
import { CONTRACT_DOMAIN, DOMAIN, type Member } from '@openvenue/wire/signed-messages'

/** Hexadecimal text that begins with 0x. */
export type Hex = `0x${string}`
/** Of a wallet, sub-account or contract: 20 bytes, in any case. */
export type Address = Hex

/** The domain of an EIP-712 message. The API's has no contract. */
export type Domain = Readonly<{
  name: string
  version: string
  chainId: number
  verifyingContract?: Address
}>

type Value = bigint | number | boolean | string | readonly Hex[]

/** An EIP-712 message as `signTypedData` of viem takes it. */
export type TypedData = Readonly<{
  domain: Domain
  types: Readonly<Record<string, readonly Member[]>>
  primaryType: string
  message: Readonly<Record<string, Value>>
}>

/**
 * Whoever signs: an account of viem (`privateKeyToAccount`), or {@link walletSigner} of a wallet
 * client.
 */
export type Signer = Readonly<{
  address: Address
  /** Returns the signature of a message. */
  signTypedData: (data: TypedData) => Promise<Hex>
}>

/** The part of viem's wallet client that {@link walletSigner} uses. */
export type TypedDataWallet = Readonly<{
  /** Returns the signature of a message by one of its accounts. */
  signTypedData: (data: TypedData & Readonly<{ account: Address }>) => Promise<Hex>
}>

/** Returns a signer that asks a wallet, as `createWalletClient` of viem makes them. */
export const walletSigner = (wallet: TypedDataWallet, address: Address): Signer => ({
  address,
  signTypedData: (data) => wallet.signTypedData({ ...data, account: address }),
})

/** Returns a message with its types and those of its domain. */
export function typedData(
  domain: Domain,
  [primaryType, members]: readonly [string, readonly Member[]],
  message: TypedData['message'],
): TypedData {
  const EIP712Domain = domain.verifyingContract === undefined ? DOMAIN : CONTRACT_DOMAIN
  return { domain, types: { EIP712Domain, [primaryType]: members }, primaryType, message }
}
