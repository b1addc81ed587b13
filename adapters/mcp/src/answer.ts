// Converts answers of the venue to tool results: bounded, structured and without hidden characters.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { InputError, MismatchError, OpenvenueError, RefusedError, StepError } from 'openvenue'
import { ToolError } from './tool-error.ts'

/** About 10,000 tokens: more would crowd out the context of a model. */
export const ANSWER_CHARACTERS_MAX = 40_000

/** The list that was cut, and how to get the rest. */
type CutList = Readonly<{ list: string; kept: number; of: number; how: string }>

/** Returns the tool result of `body`, cut to {@link ANSWER_CHARACTERS_MAX} characters. */
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

/** Returns structured content, repeated as text for clients that support only text. */
const resultOf = (content: Readonly<Record<string, unknown>>): CallToolResult => ({
  structuredContent: { ...content },
  content: [{ type: 'text', text: JSON.stringify(content) }],
})

/** Returns the tool result of an error; rethrows errors of this program itself. */
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
    return { error: 'NO_ANSWER', message: 'no answer from the venue within the time limit' }
  throw error
}

function inputFacts({ member: field, message, nearest }: InputError) {
  const details = [{ field, message, ...(nearest === undefined ? {} : { nearest }) }]
  return { error: 'INVALID_INPUT', message, details }
}

/** Characters that are invisible to people but not to models: controls, tags, directions. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}]|[\u{FE00}-\u{FE0F}]|[\u{E0100}-\u{E01EF}]/gu

/** Replaces invisible characters in `value` by their escapes. */
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

/** Returns `value` if it fits, otherwise with its longest list cut to size. */
function fit(value: unknown, inputs: readonly string[]): { value: unknown; cut?: CutList } {
  const size = sizeOf(value)
  if (size <= ANSWER_CHARACTERS_MAX) return { value }
  const { path, list } = longestList(value, [])
  const room = ANSWER_CHARACTERS_MAX - (size - sizeOf(list))
  const count = countWithin(list, room)
  if (count === 0)
    throw new ToolError('ANSWER_TOO_LARGE', 'the answer exceeds the size limit of a tool result', {
      characters: size,
      characters_max: ANSWER_CHARACTERS_MAX,
      how: howToPage(inputs, 1),
    })
  const how = howToPage(inputs, count)
  const cut = { list: path.join('.') || 'answer', kept: count, of: list.length, how }
  return { value: replaceAt(value, path, list.slice(0, count)), cut }
}

type AnswerList = Readonly<{ path: readonly string[]; list: readonly unknown[] }>

/** Searches nested objects but not lists: the lists of the venue's answers are not nested. */
function longestList(value: unknown, path: readonly string[]): AnswerList {
  if (Array.isArray(value)) return { path, list: value }
  if (typeof value !== 'object' || value === null) return { path, list: [] }
  return Object.entries(value)
    .map(([name, member]) => longestList(member, [...path, name]))
    .reduce((longest, next) => (sizeOf(next.list) > sizeOf(longest.list) ? next : longest), {
      path,
      list: [],
    })
}

/** Returns how many leading items fit in `room`. */
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

/** Inputs that narrow an answer, in order of preference. */
const NARROWING: readonly (readonly [input: string, how: (count: number) => string])[] = [
  [
    'cursor',
    (count) => `repeat with limit at most ${count}; then pass pagination.next_cursor as cursor`,
  ],
  ['from_seq', (count) => `repeat with limit at most ${count}; then continue with from_seq`],
  ['countback', (count) => `repeat with countback at most ${count}, or a shorter range`],
  ['offset', (count) => `repeat with limit at most ${count}; then continue with offset`],
  ['start_time', (count) => `repeat with limit at most ${count}, or a shorter range`],
  ['limit', (count) => `repeat with limit at most ${count}`],
  ['depth', (count) => `repeat with depth at most ${Math.max(1, Math.floor(count / 2))}`],
  ['asset', () => 'request a single asset'],
  ['instrument_type', () => 'request a single instrument_type'],
]

function howToPage(inputs: readonly string[], count: number): string {
  const [, how] = NARROWING.find(([input]) => inputs.includes(input)) ?? []
  return how?.(count) ?? 'the rest is available over REST only'
}
