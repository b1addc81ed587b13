// Reads what is typed for a new API key, and writes the keys that there are.
import type { shapes } from 'openvenue'
import type { CancellerRow, KeyForm, KeyRow } from './page-protocol.ts'

const SECONDS_PER_HOUR = 3_600
const NS_PER_MS = 1_000_000n
const MS_PER_SECOND = 1_000
const WORDS: Readonly<Record<shapes.Scope, string>> = {
  read: 'read',
  trade: 'place and replace',
  cancel: 'cancel',
}

/** Returns the body that makes the key. Throws where it has no name or may do nothing. */
export function readKeyForm(
  { name, scopes, networks, hours }: KeyForm,
  nowMs: number,
): shapes.KeyRequest {
  if (name.trim() === '') throw new Error('a key has a name: by it you know later which to revoke')
  if (scopes.length === 0) throw new Error('a key may do something: choose what')
  const listed = networks.split(/[\s,;]+/).filter((part) => part !== '')
  return {
    name: name.trim(),
    scopes: [...scopes],
    ...(listed.length > 0 && { ip_addresses: listed }),
    ...(hours !== '' && {
      expiry: Math.floor(nowMs / MS_PER_SECOND) + Number(hours) * SECONDS_PER_HOUR,
    }),
  }
}

/** Returns the row of a key. */
export const viewKey = (key: shapes.ApiKey): KeyRow => ({
  prefix: key.prefix,
  name: key.name ?? 'of a sign-in',
  scopes: key.scopes.map((scope) => WORDS[scope]).join(', '),
  networks: key.ip_addresses.length === 0 ? 'anywhere' : key.ip_addresses.join(', '),
  created: timeText(key.created_timestamp),
  expires: timeText(key.expires_timestamp),
  lastUsed: key.last_used_timestamp === null ? 'never' : timeText(key.last_used_timestamp),
  isCurrent: key.is_current,
})

/** Returns the row of somebody who may cancel. */
export const viewCanceller = (one: shapes.Canceller): CancellerRow => ({
  address: one.canceller,
  who: one.is_venue ? 'the venue' : 'somebody of yours',
  until: timeText(one.expires_timestamp),
})

/** Returns Unix nanoseconds as local time. */
export function timeText(ns: string): string {
  const date = new Date(Number(BigInt(ns) / NS_PER_MS))
  return `${date.toLocaleDateString('sv-SE')} ${date.toLocaleTimeString('en-GB')}`
}

/** Returns Unix seconds as local time. */
export const secondsText = (seconds: number): string => timeText(`${seconds}000000000`)
