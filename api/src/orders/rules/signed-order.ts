// The order as a key signs it, its EIP-712 digest, and the calls of an engine that carry it.
// Encoded by hand: a library takes fifty times as long, and every order of a storm is hashed before
// anything is known of it.
import { hash } from 'node:crypto'
import { marketEngine } from '@openvenue/core/ids'
import type { Market } from '@openvenue/core/records'
import type { OrderMembers } from '@openvenue/store/intents/intents'
import { ENGINE_MESSAGES } from '@openvenue/wire/signed-messages'
import type { Hex } from '../../http/signature-hex.ts'
import { type ContractDomain, messageTypes, type TypedData } from '../../identity/typed-data.ts'

const ALGORITHM = 'keccak-256'

/** Returns the hash of pieces, one after the other; each is hex with its 0x. */
export const keccak256 = (...pieces: readonly Hex[]): Hex => {
  const digits = pieces.map((piece) => piece.slice(2)).join('')
  return `0x${hash(ALGORITHM, Buffer.from(digits, 'hex'), 'hex')}`
}

/** Returns the hash of a text's UTF-8. */
export const keccak256OfText = (text: string): Hex => `0x${hash(ALGORITHM, text, 'hex')}`

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

/** The domain of an engine, without the engine. */
export type DomainSettings = Readonly<{ chainId: number; domainName: string }>

const WORD_DIGITS = 64
export const NOTHING_REPLACED = `0x${'0'.repeat(WORD_DIGITS)}`

const text = (value: string) => keccak256OfText(value).slice(2)
/** Returns an unsigned integer or a flag as 64 hex digits. */
export const word = (value: bigint | number | boolean) =>
  BigInt(value).toString(16).padStart(WORD_DIGITS, '0')
/** Returns an address or bytes as 64 hex digits. */
export const bytes = (hex: string) => hex.slice(2).padStart(WORD_DIGITS, '0')
const hashOf = (digits: string) => keccak256(`0x${digits}`).slice(2)

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
  const cached = separators.get(key)
  if (cached !== undefined) return cached
  const members = [DOMAIN_TYPE, text(domainName), text(VERSION), word(chainId), bytes(contract)]
  const separator = hashOf(members.join(''))
  if (separators.size >= SEPARATORS_MAX) separators.clear()
  separators.set(key, separator)
  return separator
}

/**
 * Returns the members of an order as hex digits, a word each: what EIP-712 hashes behind the type,
 * and what a call of a contract holds.
 */
const orderWords = (order: SignedOrder): string =>
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
  `0x${hashOf(`1901${domainSeparator(settings, engine)}${hashOf(words)}`)}`

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

/** The signed message, for eth_signTypedData_v4. */
type OrderTypedData = Omit<TypedData, 'domain' | 'message'> &
  Readonly<{ domain: ContractDomain; message: OrderMembers }>

/** Returns the signed message, for eth_signTypedData_v4. Integers are decimal text. */
export function orderTypedData(
  settings: DomainSettings,
  market: Market,
  order: SignedOrder,
): OrderTypedData {
  const domain = engineDomain(settings, market.id)
  const types = messageTypes(domain, 'Order', ENGINE_MESSAGES.Order)
  return { domain, types, primaryType: 'Order', message: orderMembers(order) }
}

const SELECTOR_DIGITS = 2 + 8
/** Words before the bytes of a signature: fifteen members and the offset. */
const SIGNATURE_AT = 16 * 32

/** Returns `0x` and the selector of a function or an error. */
export const selectorOf = (signature: string): string =>
  keccak256OfText(signature).slice(0, SELECTOR_DIGITS)

const SIGNED_ORDER =
  '(address,uint32,bool,uint256,uint256,uint8,bool,uint8,uint256,uint256,uint8,bytes32,uint256,uint256,uint256)'
const REQUEST = '(uint32,bool,uint24,uint64,uint8,bool,uint40,uint16)'

const PLACE_SIGNED = selectorOf(`placeSigned(${SIGNED_ORDER},bytes)`)
const PLACE = selectorOf(`place(${REQUEST})`)
const CANCEL = selectorOf('cancel(uint32,uint40)')
const MULTICALL = selectorOf('multicall(bytes[])')
const HEALTH_OF = selectorOf('healthOf(uint40)')
const POSITION_OF = selectorOf('positionOf(uint32,uint40)')
const QUOTE_OF = selectorOf('quoteOf(uint32)')
const SALTS_OF = selectorOf('saltsOf(uint40,uint256)')
const BALANCE_OF = selectorOf('balanceOf(uint40,address)')

/** Returns the call that places a signed order, whoever sends it. `signature` has 65 bytes. */
export function encodePlaceSigned(order: SignedOrder, signature: string): string {
  const digits = signature.slice(2)
  const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
  return PLACE_SIGNED + orderWords(order) + word(SIGNATURE_AT) + word(digits.length / 2) + padded
}

/** Returns the call by which the wallet itself places an order, in ticks and lots. */
export const encodePlace = (
  order: SignedOrder,
  { tick, lots }: Readonly<{ tick: bigint; lots: bigint }>,
): string =>
  PLACE +
  word(order.market) +
  word(order.isBuy) +
  word(tick) +
  word(lots) +
  word(order.timeInForce) +
  word(order.reduceOnly) +
  word(order.goodTil) +
  word(order.maxFills)

export const encodeCancel = (market: number, order: number): string =>
  CANCEL + word(market) + word(order)

/** Returns calls of one engine as one: all of them happen, or none does. */
export function encodeMulticall(calls: readonly string[]): string {
  const items = calls.map((call) => {
    const digits = call.slice(2)
    return word(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
  })
  let next = calls.length * 32
  const offsets = items.map((item) => {
    const offset = word(next)
    next += item.length / 2
    return offset
  })
  return MULTICALL + word(32) + word(calls.length) + offsets.join('') + items.join('')
}

export const encodeHealthOf = (account: number): string => HEALTH_OF + word(account)
export const encodePositionOf = (market: number, account: number): string =>
  POSITION_OF + word(market) + word(account)
export const encodeQuoteOf = (market: number): string => QUOTE_OF + word(market)
export const encodeSaltsOf = (account: number, word256: bigint): string =>
  SALTS_OF + word(account) + word(word256)
export const encodeBalanceOf = (account: number, token: string): string =>
  BALANCE_OF + word(account) + token.slice(2).padStart(64, '0')

/** Returns the words of an answer as unsigned integers; undefined where it is none. */
export function wordsOf(hex: unknown): bigint[] | undefined {
  if (typeof hex !== 'string' || !/^0x([0-9a-f]{64})*$/i.test(hex)) return undefined
  return (hex.slice(2).match(/.{64}/g) ?? []).map((digits) => BigInt(`0x${digits}`))
}

/** Returns a word as a signed integer. */
export const signedWord = (value: bigint): bigint => BigInt.asIntN(256, value)
