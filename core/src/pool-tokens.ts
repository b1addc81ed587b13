// Tokens of pools. Anyone can create one, so all reported metadata is sanitised.
import type { TokenFacts } from './pool-events.ts'
import type { PoolToken } from './records.ts'
import { DECIMALS_MAX } from './units.ts'

/** Maximum characters of a token's symbol and name; longer ones are truncated. */
export const TOKEN_SYMBOL_MAX = 32
export const TOKEN_NAME_MAX = 64

/** Returns the record of a token with its metadata sanitised for storage and display. */
export function toPoolToken({
  address,
  symbol,
  name,
  decimals,
  totalSupply,
}: TokenFacts): PoolToken {
  const shownSymbol = cleanText(symbol, TOKEN_SYMBOL_MAX) || shortAddress(address)
  return {
    address,
    symbol: shownSymbol,
    name: cleanText(name, TOKEN_NAME_MAX) || shownSymbol,
    decimals: isDecimals(decimals) ? decimals : null,
    totalSupply,
  }
}

const isDecimals = (decimals: number | null) =>
  decimals !== null && Number.isInteger(decimals) && decimals >= 0 && decimals <= DECIMALS_MAX

/** Removes control characters (a database rejects NUL), invisible ones and lone surrogates. */
const cleanText = (text: string, max: number) =>
  [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, max).join('').trim()

const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`
