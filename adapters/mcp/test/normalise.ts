// Writes a conversation as lines that are the same in each run: for tests.
import type { Line } from './conversation.ts'

/** What is chosen at random or made of the clock, each by the member that has it. */
const CHANGING: readonly string[] = ['order_id', 'salt', 'signature', 'request_id']

/** Returns one line of JSON for each message. */
export const normalise = (lines: readonly Line[]): string =>
  lines
    .map(({ from, message }) => `${JSON.stringify({ [from]: withoutNoise(message) })}\n`)
    .join('')

function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    // The text repeats structuredContent, and _meta of a request the names of both sides.
    if (name === '_meta') return []
    if (name === 'content' && 'structuredContent' in value) return []
    if (name === 'tools' && Array.isArray(member)) return [[name, namesOf(member)]]
    const isChanging = CHANGING.includes(name) && typeof member === 'string'
    return [[name, isChanging ? `<${name}>` : withoutNoise(member)]]
  })
  return Object.fromEntries(members)
}

/** Those that only read are in generated/tools.json, which grows with the interface. */
const namesOf = (tools: readonly { name: string }[]): readonly string[] => [
  '<get_…>',
  ...tools.map(({ name }) => name).filter((name) => !name.startsWith('get_')),
]
