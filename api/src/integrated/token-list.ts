// Names and logos of tokens from a file or a URL in the Token Lists format: an object with `name`
// and `tokens`, each with chainId, address, name, symbol, decimals and an optional logoURI.
import { readFile } from 'node:fs/promises'

/** The largest lists in use have some 10,000 tokens in 5 MB. */
const LIST_BYTES_MAX = 16 * 1024 * 1024
const TOKENS_MAX = 50_000
/** Download timeout, ms. */
const LIST_MS_MAX = 10_000
/** Source: the schema of the format. */
const NAME_MAX = 60
const SYMBOL_MAX = 20
const DECIMALS_MAX = 255
const LOGO_MAX = 2_000
/** URLs that a page can show and that cannot run code there. */
const LOGO = /^(https?|ipfs|ipns|ar):\/\/\S+$/i

/** A token as a list describes it. `logoUri` is '' without one. */
export type ListedToken = Readonly<{ name: string; symbol: string; logoUri: string }>

/** Tokens of one chain by their address in lower case. */
export type TokenList = ReadonlyMap<string, ListedToken>

export const NO_TOKENS: TokenList = new Map()

/** Thrown for a list that is not in the format; the message names the place. */
export class TokenListInvalid extends Error {
  override name = 'TokenListInvalid'
}

export type ListSource = Readonly<{
  /** A path, or an https URL. */
  source: string
  chainId: number
  fetch?: typeof globalThis.fetch
  timeoutMs?: number
  bytesMax?: number
  /** Aborts a download that is no longer needed. */
  signal?: AbortSignal
}>

export const isUrl = (source: string): boolean => /^https:\/\//i.test(source)

/**
 * Returns the tokens of `chainId` in a list. Throws when the source cannot be read within its time
 * and size, and `TokenListInvalid` when it is not a token list.
 */
export async function readTokenList(options: ListSource): Promise<TokenList> {
  const { source, chainId } = options
  const text = isUrl(source) ? await download(options) : await fileText(options)
  return parseTokenList(text, chainId)
}

async function fileText({ source, bytesMax = LIST_BYTES_MAX }: ListSource): Promise<string> {
  const bytes = await readFile(source)
  if (bytes.length > bytesMax) throw tooLarge(bytesMax)
  return bytes.toString()
}

async function download(options: ListSource): Promise<string> {
  const { source, bytesMax = LIST_BYTES_MAX, timeoutMs = LIST_MS_MAX } = options
  const ask = options.fetch ?? fetch
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal])
  const response = await ask(source, { signal })
  if (!response.ok) throw new Error(`token list: got status ${response.status}, expected 200`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const tooLarge = (bytesMax: number) =>
  new TokenListInvalid(`token list is too large: expected at most ${bytesMax} bytes`)

/** Returns the tokens of `chainId` in `text`. The last of several with one address counts. */
export function parseTokenList(text: string, chainId: number): TokenList {
  const list = asFields(parseJson(text))
  if (list === undefined)
    throw new TokenListInvalid('token list is invalid: expected a JSON object')
  const { tokens } = list
  if (!Array.isArray(tokens)) throw new TokenListInvalid('tokens is invalid: expected an array')
  if (tokens.length > TOKENS_MAX)
    throw new TokenListInvalid(
      `tokens has too many items: got ${tokens.length}, expected at most ${TOKENS_MAX}`,
    )
  const byAddress = new Map<string, ListedToken>()
  for (const [at, value] of tokens.entries()) {
    const token = parseToken(asFields(value) ?? {}, `tokens[${at}]`)
    if (token.chainId === chainId) byAddress.set(token.address, token.listed)
  }
  return byAddress
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TokenListInvalid('token list is invalid: expected JSON', { cause })
  }
}

type TokenFields = Readonly<Record<string, unknown>>

const asFields = (value: unknown): TokenFields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as TokenFields)
    : undefined

function parseToken(
  { chainId, address, name, symbol, decimals, logoURI }: TokenFields,
  at: string,
) {
  const require = (isValid: boolean, field: string, expected: string) => {
    if (!isValid) throw new TokenListInvalid(`${at}.${field} is invalid: expected ${expected}`)
  }
  require(isWhole(chainId) && chainId >= 1, 'chainId', 'a whole number from 1')
  require(isAddress(address), 'address', '0x and 40 hex digits')
  require(isText(name, NAME_MAX), 'name', `text of 1 to ${NAME_MAX} characters`)
  require(isText(symbol, SYMBOL_MAX), 'symbol', `text of 1 to ${SYMBOL_MAX} characters`)
  require(isWhole(decimals) &&
    decimals <= DECIMALS_MAX, 'decimals', `a whole number up to ${DECIMALS_MAX}`)
  require(logoURI === undefined || isLogo(logoURI), 'logoURI', 'a URL of https, http, ipfs or ar')
  const listed = { name, symbol, logoUri: logoURI ?? '' } as ListedToken
  return { chainId, address: String(address).toLowerCase(), listed }
}

const isWhole = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
const isAddress = (value: unknown) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
const isText = (value: unknown, max: number) =>
  typeof value === 'string' && value.length > 0 && [...value].length <= max
const isLogo = (value: unknown) =>
  typeof value === 'string' && value.length <= LOGO_MAX && LOGO.test(value)
