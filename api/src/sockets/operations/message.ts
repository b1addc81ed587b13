// Reads what a client sends: a message, its id, and the channels that it names.
import { CHANNELS_PER_MESSAGE_MAX } from '@openvenue/wire/socket'
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
