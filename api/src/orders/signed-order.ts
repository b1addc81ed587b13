// The order as a key signs it, and its EIP-712 digest. Encoded by hand: the encoder of a library
// takes fifty times as long, and every order of a storm is hashed before anything is known of it.
import { marketEngine } from '@openvenue/core/ids'
import type { Market } from '@openvenue/core/records'
import type { OrderMembers } from '@openvenue/store/intents'
import { ENGINE_MESSAGES } from '@openvenue/wire/signed-messages'
import { type ContractDomain, messageTypes, type TypedData } from '../identity/typed-data.ts'
import { keccak256, keccak256OfText } from './keccak.ts'

/** The members of a signed order. Addresses and bytes are lower-case hex. */
export type SignedOrder = Readonly<{
  account: string
  /** Its engine's number of the market. */
  market: number
  isBuy: boolean
  limitPrice: bigint
  amount: bigint
  /** 0 GTC, 1 IOC, 2 FOK, 3 POST_ONLY. */
  timeInForce: number
  reduceOnly: boolean
  /** 0 none, 1 at or above, 2 at or below the trigger price. */
  triggerKind: number
  triggerPrice: bigint
  goodTil: bigint
  maxFills: number
  replaces: string
  replacesAmount: bigint
  salt: bigint
  deadline: bigint
}>

/** What the domain of an engine takes beside the engine. */
export type DomainSettings = Readonly<{ chainId: number; domainName: string }>

const WORD_DIGITS = 64
export const NOTHING_REPLACED = `0x${'0'.repeat(WORD_DIGITS)}`

const text = (value: string) => keccak256OfText(value).slice(2)
/** Returns an unsigned integer or a flag as 64 hex digits. */
export const word = (value: bigint | number | boolean) =>
  BigInt(value).toString(16).padStart(WORD_DIGITS, '0')
/** Returns an address or bytes as 64 hex digits. */
export const bytes = (hex: string) => hex.slice(2).padStart(WORD_DIGITS, '0')
const hash = (digits: string) => keccak256(`0x${digits}`).slice(2)

/** Returns the hash of a message's type: 64 hex digits. */
export const typeHash = (name: keyof typeof ENGINE_MESSAGES): string =>
  text(`${name}(${ENGINE_MESSAGES[name].map(({ type, name: of }) => `${type} ${of}`).join(',')})`)

const ORDER_TYPE = typeHash('Order')
const DOMAIN_TYPE = text(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)
const VERSION = '1'

/** Separators kept; there is one for each engine. */
const SEPARATORS_MAX = 16
const separators = new Map<string, string>()

/** Returns the domain separator of a contract: 64 hex digits. */
export function domainSeparator(settings: DomainSettings, contract: string): string {
  const { chainId, domainName } = settings
  const key = `${contract} ${chainId} ${domainName}`
  const known = separators.get(key)
  if (known !== undefined) return known
  const members = [DOMAIN_TYPE, text(domainName), text(VERSION), word(chainId), bytes(contract)]
  const separator = hash(members.join(''))
  if (separators.size >= SEPARATORS_MAX) separators.clear()
  separators.set(key, separator)
  return separator
}

/**
 * Returns the members of an order as hex digits, a word each: what EIP-712 hashes behind the type,
 * and what a call of a contract holds.
 */
export const orderWords = (order: SignedOrder): string =>
  bytes(order.account) +
  word(order.market) +
  word(order.isBuy) +
  word(order.limitPrice) +
  word(order.amount) +
  word(order.timeInForce) +
  word(order.reduceOnly) +
  word(order.triggerKind) +
  word(order.triggerPrice) +
  word(order.goodTil) +
  word(order.maxFills) +
  bytes(order.replaces) +
  word(order.replacesAmount) +
  word(order.salt) +
  word(order.deadline)

/** Returns the EIP-712 digest of an order at `engine`, which is its public id. */
export function orderDigest(settings: DomainSettings, engine: string, order: SignedOrder): string {
  return engineDigest(settings, engine, ORDER_TYPE + orderWords(order))
}

/** Returns the EIP-712 digest of a message at `engine`: the hash of its type and its members. */
export const engineDigest = (settings: DomainSettings, engine: string, words: string): string =>
  `0x${hash(`1901${domainSeparator(settings, engine)}${hash(words)}`)}`

/** Returns the domain of a market's engine. */
export const engineDomain = (
  { chainId, domainName: name }: DomainSettings,
  market: string,
): ContractDomain => ({ name, version: VERSION, chainId, verifyingContract: marketEngine(market) })

/** Returns an order with its integers as text, as it is stored and shown. */
export const orderMembers = (order: SignedOrder): OrderMembers => ({
  ...order,
  limitPrice: order.limitPrice.toString(),
  amount: order.amount.toString(),
  triggerPrice: order.triggerPrice.toString(),
  goodTil: order.goodTil.toString(),
  replacesAmount: order.replacesAmount.toString(),
  salt: order.salt.toString(),
  deadline: order.deadline.toString(),
})

/** Returns the order that such members are of. */
export const signedOrder = (members: OrderMembers): SignedOrder => ({
  ...members,
  limitPrice: BigInt(members.limitPrice),
  amount: BigInt(members.amount),
  triggerPrice: BigInt(members.triggerPrice),
  goodTil: BigInt(members.goodTil),
  replacesAmount: BigInt(members.replacesAmount),
  salt: BigInt(members.salt),
  deadline: BigInt(members.deadline),
})

/** What is signed, as eth_signTypedData_v4 takes it. */
export type OrderTypedData = Omit<TypedData, 'domain' | 'message'> &
  Readonly<{ domain: ContractDomain; message: OrderMembers }>

/** Returns what is signed, as eth_signTypedData_v4 takes it. Integers are decimal text. */
export function orderTypedData(
  settings: DomainSettings,
  market: Market,
  order: SignedOrder,
): OrderTypedData {
  const domain = engineDomain(settings, market.id)
  const types = messageTypes(domain, 'Order', ENGINE_MESSAGES.Order)
  return { domain, types, primaryType: 'Order', message: orderMembers(order) }
}
