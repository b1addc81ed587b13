// Makes tool results of what the venue answers: bounded, structured, and with nothing hidden in it.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { InputError, MismatchError, OpenvenueError, RefusedError, StepError } from 'openvenue'
import { ToolError } from './tool-error.ts'

/** Some 10,000 tokens: more would push out what a model was asked to do. */
export const ANSWER_CHARACTERS_MAX = 40_000

/** What a list was cut to, and how to see the rest. */
type Cut = Readonly<{ list: string; kept: number; of: number; how: string }>

/** Returns the result of `body`, of which at most {@link ANSWER_CHARACTERS_MAX} is shown. */
export function answerOf(
  body: unknown,
  {
    blockNumber,
    inputs,
  }: Readonly<{ blockNumber?: number | undefined; inputs: readonly string[] }>,
): CallToolResult {
  const visible = showHidden(body)
  const { value, cut } = fit(visible, inputs)
  return resultOf({
    answer: value,
    ...(blockNumber === undefined ? {} : { block_number: blockNumber }),
    ...(cut === undefined ? {} : { cut }),
  })
}

/** Structured, and the same as text for clients that know nothing else. */
export const resultOf = (content: Readonly<Record<string, unknown>>): CallToolResult => ({
  structuredContent: { ...content },
  content: [{ type: 'text', text: JSON.stringify(content) }],
})

/** Returns the result of what was thrown; anything but a refusal is a mistake of this program. */
export function errorOf(error: unknown): CallToolResult {
  const content = showHidden(factsOf(error)) as Readonly<Record<string, unknown>>
  const { error: code, message } = content
  const isBounded = sizeOf(content) <= ANSWER_CHARACTERS_MAX
  const shown = isBounded ? content : { error: code, message: String(message).slice(0, 1000) }
  return { ...resultOf(shown), isError: true }
}

function factsOf(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof RefusedError) {
    const { code, message, details, requestId, retryAfterMs } = error
    return {
      error: code,
      message: message.replace(`${code}: `, ''),
      ...(details.length === 0 ? {} : { details }),
      ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
      ...(requestId === undefined ? {} : { request_id: requestId }),
    }
  }
  if (error instanceof ToolError) return error.facts
  if (error instanceof StepError)
    return { error: 'OFF_STEP', message: error.message, nearest: error.nearest }
  if (error instanceof InputError) return inputFacts(error)
  if (error instanceof MismatchError)
    return { error: 'MISMATCH', message: error.message, differences: error.differences }
  if (error instanceof OpenvenueError) return { error: 'NO_ANSWER', message: error.message }
  if (error instanceof Error && error.name === 'TimeoutError')
    return { error: 'NO_ANSWER', message: 'the venue did not answer in time' }
  throw error
}

function inputFacts({ member: field, message, nearest }: InputError) {
  const details = [{ field, message, ...(nearest === undefined ? {} : { nearest }) }]
  return { error: 'INVALID_INPUT', message, details }
}

/** Characters that a person does not see and a model reads: controls, tags, directions. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}]|[\u{FE00}-\u{FE0F}]|[\u{E0100}-\u{E01EF}]/gu

/** Returns `value` with each character that is not seen written as its number. */
export function showHidden(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll(HIDDEN, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`)
  if (Array.isArray(value)) return value.map(showHidden)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [showHidden(name), showHidden(member)]),
  )
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0

/** Returns `value` itself where it fits, or with its longest list cut to what does. */
function fit(value: unknown, inputs: readonly string[]): { value: unknown; cut?: Cut } {
  const size = sizeOf(value)
  if (size <= ANSWER_CHARACTERS_MAX) return { value }
  const { path, list } = longestList(value, [])
  const room = ANSWER_CHARACTERS_MAX - (size - sizeOf(list))
  const kept = countWithin(list, room)
  if (kept === 0)
    throw new ToolError('ANSWER_TOO_LARGE', 'the answer is larger than a tool may give', {
      characters: size,
      characters_max: ANSWER_CHARACTERS_MAX,
      how: howToPage(inputs, 1),
    })
  const how = howToPage(inputs, kept)
  const cut = { list: path.join('.') || 'answer', kept, of: list.length, how }
  return { value: replaceAt(value, path, list.slice(0, kept)), cut }
}

type Found = Readonly<{ path: readonly string[]; list: readonly unknown[] }>

/** Looks no deeper than into objects: the lists of the venue's answers lie there. */
function longestList(value: unknown, path: readonly string[]): Found {
  if (Array.isArray(value)) return { path, list: value }
  if (typeof value !== 'object' || value === null) return { path, list: [] }
  return Object.entries(value)
    .map(([name, member]) => longestList(member, [...path, name]))
    .reduce((longest, one) => (sizeOf(one.list) > sizeOf(longest.list) ? one : longest), {
      path,
      list: [],
    })
}

/** Returns how many items from the first on take no more than `room`. */
function countWithin(list: readonly unknown[], room: number): number {
  let left = room - '[]'.length
  const end = list.findIndex((item) => {
    left -= sizeOf(item) + ','.length
    return left < 0
  })
  return Math.max(0, end)
}

function replaceAt(value: unknown, path: readonly string[], list: readonly unknown[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return list
  const object = value as Readonly<Record<string, unknown>>
  return { ...object, [name]: replaceAt(object[name], rest, list) }
}

/** What narrows an answer, in the order in which it is proposed. */
const NARROWING: readonly (readonly [input: string, how: (kept: number) => string])[] = [
  [
    'cursor',
    (kept) =>
      `ask again with limit at most ${kept}; then pagination.next_cursor as cursor leads on`,
  ],
  ['from_seq', (kept) => `ask again with limit at most ${kept}; then from_seq leads on`],
  ['countback', (kept) => `ask again with countback at most ${kept}, or nearer from and to`],
  ['offset', (kept) => `ask again with limit at most ${kept}; then offset leads on`],
  [
    'start_time',
    (kept) => `ask again with limit at most ${kept}, or nearer start_time and end_time`,
  ],
  ['limit', (kept) => `ask again with limit at most ${kept}`],
  ['depth', (kept) => `ask again with depth at most ${Math.max(1, Math.floor(kept / 2))}`],
  ['asset', () => 'ask for one asset'],
  ['instrument_type', () => 'ask for one instrument_type'],
]

function howToPage(inputs: readonly string[], kept: number): string {
  const [, how] = NARROWING.find(([input]) => inputs.includes(input)) ?? []
  return how?.(kept) ?? 'the rest is to be had over REST only'
}
