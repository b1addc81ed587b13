// Reads the credentials of a request from its headers. Interface 5.1.
import type { IncomingHttpHeaders } from 'node:http'

/** The proof of a key's owner: its secret, or a signature made with the secret. */
export type Credentials = SecretCredentials | SignedCredentials
type ApiKeyHeader = Readonly<{ key: string; isLegacy: boolean }>
type SecretCredentials = ApiKeyHeader & Readonly<{ secret: string }>
export type SignedCredentials = ApiKeyHeader & Readonly<{ timestamp: string; signature: string }>

type HeaderNames = Readonly<Record<'key' | 'secret' | 'timestamp' | 'signature', string>> &
  Readonly<{ isLegacy: boolean }>

/** Our own names first, then those of each brand. */
export const headerNames = (brands: readonly string[]): readonly HeaderNames[] =>
  ['api', ...brands.map((brand) => brand.toLowerCase())].map((prefix, at) => ({
    key: `${prefix}-key`,
    secret: `${prefix}-secret`,
    timestamp: `${prefix}-timestamp`,
    signature: `${prefix}-signature`,
    isLegacy: at > 0,
  }))

/**
 * Returns the credentials of the first complete set of headers. A signature takes precedence over a
 * secret beside it.
 */
export function readCredentials(
  headers: IncomingHttpHeaders,
  names: readonly HeaderNames[],
): Credentials | undefined {
  for (const name of names) {
    const key = textOf(headers[name.key])
    if (key === undefined) continue
    const { isLegacy } = name
    const [timestamp, signature] = [
      textOf(headers[name.timestamp]),
      textOf(headers[name.signature]),
    ]
    if (timestamp !== undefined && signature !== undefined)
      return { key, isLegacy, timestamp, signature }
    const secret = textOf(headers[name.secret])
    if (secret !== undefined && signature === undefined) return { key, isLegacy, secret }
  }
  return undefined
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
