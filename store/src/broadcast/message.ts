// Messages that carry new entries of a stream between the processes of a venue. Each names the
// database that its numbers belong to, and is authenticated with a key from that database.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type StreamName = 'feed' | 'intents'

/** The database, its server and timeline, and the key of its messages. */
export type Origin = Readonly<{ incarnation: string; key: string }>

export type Message = Readonly<{
  stream: StreamName
  /** Numbers of the first and the last entry. */
  first: number
  last: number
  /** Undefined: the entries are only in the table. */
  body: string | undefined
}>

/** Returns the part of subject and stream names that separates databases on one server. */
export const venueName = ({ key }: Origin) =>
  createHash('sha256').update(key).digest('hex').slice(0, 16)

/** Returns the text of `message`, sent under `origin`. */
export function sealMessage(origin: Origin, { stream, first, last, body }: Message): string {
  const text = `${[origin.incarnation, stream, first, last].join(' ')}\n${body ?? ''}`
  return `${macOf(origin, text)}\n${text}`
}

/**
 * Returns the id by which the server drops repeats of a sealed message: its numbers, and a part
 * that cannot be guessed, so that no other message takes its place.
 */
export function messageId(text: string): string {
  const [mac = '', head = ''] = text.split('\n', 2)
  return `${head.replaceAll(' ', ':')}:${mac.slice(0, ID_MAC_LENGTH)}`
}

const ID_MAC_LENGTH = 16

/**
 * Returns the message in `text`. `wrong`: not made with the key, or of another stream. `foreign`:
 * from another incarnation, whose numbers may belong to other entries.
 */
export function openMessage(
  origin: Origin,
  stream: StreamName,
  text: string,
): Message | 'wrong' | 'foreign' {
  const macEnd = text.indexOf('\n')
  const headEnd = text.indexOf('\n', macEnd + 1)
  if (macEnd < 0 || headEnd < 0) return 'wrong'
  const given = Buffer.from(text.slice(0, macEnd))
  const expected = Buffer.from(macOf(origin, text.slice(macEnd + 1)))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'wrong'
  const [incarnation, of, first, last] = text.slice(macEnd + 1, headEnd).split(' ')
  if (of !== stream) return 'wrong'
  if (incarnation !== origin.incarnation) return 'foreign'
  const body = text.slice(headEnd + 1) || undefined
  return { stream, first: Number(first), last: Number(last), body }
}

const macOf = ({ key }: Origin, text: string) =>
  createHmac('sha256', key).update(text).digest('hex')
