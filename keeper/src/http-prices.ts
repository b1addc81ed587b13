// Reads prices from a URL that answers a GET with JSON: `{"ETH": "3200.5", "BTC": "96000"}`.
import { parseDecimal } from '@openvenue/core/units'
import type { PriceSource, Quotes } from './price-source.ts'

/** Thrown when no answer came or the answer is invalid. */
export class PricesUnusable extends Error {
  override name = 'PricesUnusable'
}

/** Prices of a slower source are no longer current. */
const TIMEOUT_MS = 3_000
/** The engine has at most 64 markets, each with one asset. */
export const ASSETS_MAX = 64
/** Ample for that many names and prices. */
const ANSWER_BYTES_MAX = 64 * 1024
/** Asset names that the engine accepts: ASCII without spaces. */
const ASSET = /^[!-~]{1,12}$/
const DECIMALS = 18
/** Maximum price of the oracle: below 2^96. */
export const PRICE_MAX = 2n ** 96n - 1n

/** Returns the source of the prices at `url`, each observed at the time of the answer. */
export const pricesAt = (url: string, nowMs: () => number): PriceSource => ({
  prices: async () => {
    const text = await textAt(url)
    return parsePrices(text, Math.floor(nowMs() / 1000))
  },
})

/** Returns the prices in `text`; throws `PricesUnusable`, which names the asset and the rule. */
export function parsePrices(text: string, seconds: number): Quotes {
  const entries = Object.entries(objectIn(text))
  if (entries.length > ASSETS_MAX)
    throw new PricesUnusable(`prices: got ${entries.length}, expected at most ${ASSETS_MAX}`)
  const prices = new Map(
    entries.map(([asset, price]) => [parseAsset(asset), parsePrice(asset, price)]),
  )
  return { prices, seconds }
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (cause) {
    throw new PricesUnusable('prices are invalid: expected a JSON object', { cause })
  }
  throw new PricesUnusable('prices are invalid: expected a JSON object')
}

function parseAsset(asset: string): string {
  if (ASSET.test(asset)) return asset
  throw new PricesUnusable(`asset is invalid: got "${asset}", expected 1 to 12 ASCII characters`)
}

function parsePrice(asset: string, price: unknown): bigint {
  // A JSON number may have lost digits, so only text is taken.
  const raw = typeof price === 'string' ? parseDecimal(price, DECIMALS) : undefined
  if (raw !== undefined && raw > 0n && raw <= PRICE_MAX) return raw
  throw new PricesUnusable(
    `price of ${asset} is invalid: got ${JSON.stringify(price).slice(0, 40)}, expected decimal text above 0 and up to 79228162514 with at most 18 decimals`,
  )
}

async function textAt(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) throw new PricesUnusable(`the price source answered ${response.status}`)
    return await bounded(response)
  } catch (cause) {
    if (cause instanceof PricesUnusable) throw cause
    throw new PricesUnusable('the price source does not answer', { cause })
  }
}

async function bounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX)
      throw new PricesUnusable(`answer is too long: expected at most ${ANSWER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
