// Encodes calls of the engines by hand: what is sent is sent by the thousand, and has few shapes.
import { keccak256OfText } from './keccak.ts'
import { orderWords, type SignedOrder, word } from './signed-order.ts'

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
