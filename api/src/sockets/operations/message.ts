// Parses a client's message, its id and the channels that it names.
import { CHANNELS_PER_MESSAGE_MAX } from '@openvenue/wire/socket'
import { mismatchText } from '../../http/validation.ts'
import { type Members, parseExactJson } from '../../identity/registration-body.ts'
import { CHANNEL_LENGTH_MAX, ID_LENGTH_MAX, NESTING_MAX } from '../session/socket-limits.ts'
import { type Id, SocketRefusal } from '../session/socket-refusal.ts'
import type { SubscriptionStart } from '../session/subscription.ts'

/** Returns the refusal of a message for one of its members: the given value and the rule. */
export const invalid = (field: string, expected: string, given?: unknown) =>
  new SocketRefusal('INVALID_MESSAGE', {
    message: `${field} is invalid: ${mismatchText(expected, given)}`,
  })

/** Returns a message that arrived as text, or as a value that the transport has parsed. */
export function parseMessage(raw: unknown): Members {
  const value = typeof raw === 'string' ? parseJson(raw) : raw
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('message', 'a JSON object {"op": …, "data": …, "id": …}', value)
  if (isNestedDeeper(value, NESTING_MAX))
    throw invalid('message', `at most ${NESTING_MAX} levels of nesting`)
  return value as Members
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The text is not echoed, because it may hold a secret.
    throw invalid('message', 'JSON')
  }
}

export function parseId({ id }: Members): Id {
  if (id === undefined || Number.isSafeInteger(id)) return id as Id
  if (typeof id === 'string' && id.length <= ID_LENGTH_MAX) return id
  throw invalid(
    'id',
    `an integer up to 2^53 - 1, or text of at most ${ID_LENGTH_MAX} characters`,
    id,
  )
}

/**
 * Returns the data of a message that arrived as `raw`. Integers that a double would round become
 * bigint, so that signed numbers keep every digit. Values parsed by the transport are unchanged.
 */
export function exactData(raw: unknown, { data }: Members): unknown {
  if (typeof raw !== 'string' || !hasRounded(data)) return data
  return (parseExactJson(raw) as Members).data
}

/** Returns the signed text of data: the output of `JSON.stringify`, with every digit. */
export const signedText = (data: unknown): string =>
  JSON.stringify(data, (_name, value) =>
    typeof value === 'bigint' ? EXACT.rawJSON(value.toString()) : value,
  )

/** TypeScript's types do not have rawJSON yet. */
const EXACT = JSON as unknown as { rawJSON: (text: string) => unknown }

/** Returns whether `value` contains a number that may differ from the one sent. */
function hasRounded(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasRounded)
}

/** A channel that a client names, and how its messages should begin. */
type ChannelRequest = Readonly<{ channel: string; beginning: SubscriptionStart }>

export function parseChannels(data: unknown): readonly ChannelRequest[] {
  if (!Array.isArray(data) || data.length > CHANNELS_PER_MESSAGE_MAX)
    throw invalid('data', `an array of at most ${CHANNELS_PER_MESSAGE_MAX} channels`, data)
  return data.map((item) => parseChannel(Object(item) === item ? item : { channel: item }))
}

export function parseChannel(data: unknown): ChannelRequest {
  const { channel, from_seq, snapshot } = (data ?? {}) as Members
  if (typeof channel !== 'string' || channel.length > CHANNEL_LENGTH_MAX)
    throw invalid('channel', `a name of at most ${CHANNEL_LENGTH_MAX} characters`, channel)
  if (from_seq !== undefined && !(Number.isSafeInteger(from_seq) && (from_seq as number) >= 0))
    throw invalid('from_seq', 'an integer of at least 0', from_seq)
  if (snapshot !== undefined && typeof snapshot !== 'boolean')
    throw invalid('snapshot', 'true or false', snapshot)
  return { channel, beginning: { fromSeq: from_seq as number | undefined, snapshot } }
}

/** Returns the start and the prefix of a page of channel names. */
export function parsePage(data: unknown): Readonly<{ prefix: string; after: string }> {
  const { prefix = '', after = '' } = (data ?? {}) as Members
  for (const [field, value] of Object.entries({ prefix, after }))
    if (typeof value !== 'string' || value.length > CHANNEL_LENGTH_MAX)
      throw invalid(field, `text of at most ${CHANNEL_LENGTH_MAX} characters`, value)
  return { prefix: prefix as string, after: after as string }
}

/** Returns whether arrays and objects are nested more than `max` levels deep, without recursion. */
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
