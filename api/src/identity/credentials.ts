// Reads from the headers of a request how it proves who sends it. Interface 5.1.
import type { IncomingHttpHeaders } from 'node:http'

/** What proves the owner of a key: its secret, or a signature that the secret made. */
export type Credentials = SecretCredentials | SignedCredentials
type Named = Readonly<{ key: string; isLegacy: boolean }>
type SecretCredentials = Named & Readonly<{ secret: string }>
export type SignedCredentials = Named & Readonly<{ timestamp: string; signature: string }>

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
 * Returns what the first set of headers holds that is there as a whole. Where there is a signature
 * it counts, and a secret beside it is not looked at.
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
