// Reads what a client sends: a message, its id, and the channels that it names.
import { CHANNELS_PER_MESSAGE_MAX } from '@openvenue/wire/socket'
import { parseExactJson } from '../../identity/registration-body.ts'
import { CHANNEL_LENGTH_MAX, ID_LENGTH_MAX, NESTING_MAX } from '../session/socket-limits.ts'
import { type Id, SocketRefusal } from '../session/socket-refusal.ts'
import type { Beginning } from '../session/subscription.ts'

type Members = Readonly<Record<string, unknown>>

export const invalid = (message: string) => new SocketRefusal('INVALID_MESSAGE', { message })

/** Returns a message that came as text, or as a value that the transport has parsed. */
export function parseMessage(raw: unknown): Members {
  const value = typeof raw === 'string' ? parseJson(raw) : raw
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('a message is a JSON object: {"op": …, "data": …, "id": …}')
  if (isNestedDeeper(value, NESTING_MAX))
    throw invalid(`a message is nested at most ${NESTING_MAX} deep`)
  return value as Members
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('a message is JSON')
  }
}

export function parseId({ id }: Members): Id {
  if (id === undefined || Number.isSafeInteger(id)) return id as Id
  if (typeof id === 'string' && id.length <= ID_LENGTH_MAX) return id
  throw invalid(`id is an integer up to 2^53 - 1, or a text of at most ${ID_LENGTH_MAX} characters`)
}

/**
 * Returns the data of a message that came as `raw`: integers that a double would change are bigint,
 * so that a signed number stays what it was. What a transport has parsed is as it is.
 */
export function exactData(raw: unknown, { data }: Members): unknown {
  if (typeof raw !== 'string' || !hasRounded(data)) return data
  return (parseExactJson(raw) as Members).data
}

/** Returns the text of data that was signed: as `JSON.stringify` writes it, and every digit. */
export const signedText = (data: unknown): string =>
  JSON.stringify(data, (_name, value) =>
    typeof value === 'bigint' ? EXACT.rawJSON(value.toString()) : value,
  )

/** The types do not know it yet. */
const EXACT = JSON as unknown as { rawJSON: (text: string) => unknown }

/** Whether a number in it may not be the one that was sent. */
function hasRounded(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasRounded)
}

/** A channel that a client names, and what it asks to get first. */
type Named = Readonly<{ channel: string; beginning: Beginning }>

export function parseChannels(data: unknown): readonly Named[] {
  if (!Array.isArray(data) || data.length > CHANNELS_PER_MESSAGE_MAX)
    throw invalid(`data is an array of at most ${CHANNELS_PER_MESSAGE_MAX} channels`)
  return data.map((item) => parseChannel(typeof item === 'string' ? { channel: item } : item))
}

export function parseChannel(data: unknown): Named {
  const { channel, from_seq, snapshot } = (data ?? {}) as Members
  if (typeof channel !== 'string' || channel.length > CHANNEL_LENGTH_MAX)
    throw invalid(`channel is a name of at most ${CHANNEL_LENGTH_MAX} characters`)
  if (from_seq !== undefined && !(Number.isSafeInteger(from_seq) && (from_seq as number) >= 0))
    throw invalid('from_seq is an integer from 0 on')
  if (snapshot !== undefined && typeof snapshot !== 'boolean')
    throw invalid('snapshot is true or false')
  return { channel, beginning: { fromSeq: from_seq as number | undefined, snapshot } }
}

/** Returns where a page of names begins, and how each name of it does. */
export function parsePage(data: unknown): Readonly<{ prefix: string; after: string }> {
  const { prefix = '', after = '' } = (data ?? {}) as Members
  for (const [field, value] of Object.entries({ prefix, after }))
    if (typeof value !== 'string' || value.length > CHANNEL_LENGTH_MAX)
      throw invalid(`${field} is a text of at most ${CHANNEL_LENGTH_MAX} characters`)
  return { prefix: prefix as string, after: after as string }
}

/** Returns whether arrays and objects stand in each other more than `max` times; no recursion. */
function isNestedDeeper(value: unknown, max: number): boolean {
  let level = containers([value])
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > max) return true
    level = containers(level.flatMap((container) => Object.values(container)))
  }
  return false
}

const containers = (values: readonly unknown[]): readonly object[] =>
  values.filter((value) => typeof value === 'object' && value !== null)
