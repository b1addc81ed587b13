// Tokens of pools: anybody can make one, so nothing that it says is taken as it is.
import type { TokenFacts } from './pool-events.ts'
import type { PoolToken } from './records.ts'
import { DECIMALS_MAX } from './units.ts'

/** Characters of a token's symbol and name; longer ones are cut. */
export const TOKEN_SYMBOL_MAX = 32
export const TOKEN_NAME_MAX = 64

/** Returns the record of a token: what it says about itself, made fit to keep and to show. */
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

/** Control characters (a database refuses NUL), invisible ones and halves of pairs go. */
const cleanText = (text: string, max: number) =>
  [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, max).join('').trim()

const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`
