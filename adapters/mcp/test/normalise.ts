// Formats a conversation as lines that are identical in each run, for tests.
import type { ConversationMessage } from './conversation.ts'

/** Members with random or time-dependent values. */
const CHANGING: readonly string[] = ['order_id', 'salt', 'signature', 'request_id']

/** Returns one line of JSON per message. */
export const normalise = (lines: readonly ConversationMessage[]): string =>
  lines
    .map(({ from, message }) => `${JSON.stringify({ [from]: withoutNoise(message) })}\n`)
    .join('')

function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    // The text repeats structuredContent, and _meta of a request repeats the names of both sides.
    if (name === '_meta') return []
    if (name === 'content' && 'structuredContent' in value) return []
    if (name === 'tools' && Array.isArray(member)) return [[name, namesOf(member)]]
    const isChanging = CHANGING.includes(name) && typeof member === 'string'
    return [[name, isChanging ? `<${name}>` : withoutNoise(member)]]
  })
  return Object.fromEntries(members)
}

/** Reading tools are left out: generated/tools.json lists them and grows with the API. */
const namesOf = (tools: readonly { name: string }[]): readonly string[] => [
  '<get_…>',
  ...tools.map(({ name }) => name).filter((name) => !name.startsWith('get_')),
]
