// Builds the messages to sign for registering a key: the API's, and the contract's. No signature of
// one is valid for the other, since types and domains differ.
import {
  ACCOUNT_MESSAGES,
  API_MESSAGES,
  CONTRACT_DOMAIN,
  DOMAIN,
  type Member,
} from '@openvenue/wire/signed-messages'

/** A message to sign, in the form of eth_signTypedData_v4. Numbers are decimal text. */
export type TypedData = Readonly<{
  domain: Domain
  types: Readonly<Record<string, readonly Member[]>>
  primaryType: string
  message: Readonly<Record<string, string>>
}>

/** Domain of the API's messages, without a contract (interface 5.2). */
export type Domain = Readonly<{ name: string; version: string; chainId: number }>
/** Domain of the contract's messages. */
export type ContractDomain = Domain & Readonly<{ verifyingContract: string }>
/** A key of an account until an expiry (Unix seconds). Addresses are lower case. */
type Grant = Readonly<{ account: string; key: string; expiry: bigint }>

type AnyDomain = Domain | ContractDomain

/** Returns the members of a domain. */
export const domainMembers = (domain: AnyDomain): readonly Member[] =>
  'verifyingContract' in domain ? CONTRACT_DOMAIN : DOMAIN

/** Returns the types of a message with those of its domain, as eth_signTypedData_v4 takes them. */
export const messageTypes = (
  domain: AnyDomain,
  name: string,
  members: readonly Member[],
): TypedData['types'] => ({
  EIP712Domain: domainMembers(domain),
  [name]: members,
})

const typedData = (
  domain: AnyDomain,
  [primaryType, members]: readonly [string, readonly Member[]],
  message: TypedData['message'],
): TypedData => ({
  domain,
  types: messageTypes(domain, primaryType, members),
  primaryType,
  message,
})

/** Returns the wallet's message to the API. */
export const registerData = (domain: Domain, key: string, expiry: bigint): TypedData =>
  typedData(domain, ['Register', API_MESSAGES.Register], { key, expiry: expiry.toString() })

/**
 * Returns the message of a sub-account's owner to the API. It names the account: with a Register,
 * the key's holder could choose the owner's own.
 */
export const registerForData = (domain: Domain, grant: Grant): TypedData =>
  typedData(domain, ['RegisterFor', API_MESSAGES.RegisterFor], grantText(grant))

/** Returns the signing key's message to the API. */
export const signKeyData = (domain: Domain, account: string): TypedData =>
  typedData(domain, ['SignKey', API_MESSAGES.SignKey], { account })

/** Returns the message of the wallet, or of the sub-account's owner, to the contract. */
export const registerKeyData = (domain: ContractDomain, grant: Grant): TypedData =>
  typedData(domain, ['RegisterKey', ACCOUNT_MESSAGES.RegisterKey], grantText(grant))

/** Returns the signing key's message to the contract. */
export const acceptKeyData = (domain: ContractDomain, grant: Grant): TypedData =>
  typedData(domain, ['AcceptKey', ACCOUNT_MESSAGES.AcceptKey], grantText(grant))

/** Returns the message with which the wallet, the owner or a signing key allows `canceller`. */
export const allowCancellerData = (
  domain: ContractDomain,
  { account, canceller, expiry }: Readonly<{ account: string; canceller: string; expiry: bigint }>,
): TypedData =>
  typedData(domain, ['AllowCanceller', ACCOUNT_MESSAGES.AllowCanceller], {
    account,
    canceller,
    expiry: expiry.toString(),
  })

const grantText = ({ account, key, expiry }: Grant) => ({ account, key, expiry: expiry.toString() })
