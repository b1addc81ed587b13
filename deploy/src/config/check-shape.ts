// Validates a value against a schema, and reports for each invalid member its path, the violated
// rule and the nearest valid value.
import type { TSchema } from 'typebox'

/** `path` as in the file: `perpetuals[0].maxLeverage`. */
export type ConfigFault = Readonly<{ path: string; rule: string; got?: string; nearest?: string }>

/** Supported keywords of JSON Schema, as the library writes it. */
type SchemaNode = Readonly<{
  type?: string
  const?: unknown
  enum?: readonly string[]
  anyOf?: readonly SchemaNode[]
  pattern?: string
  description?: string
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: SchemaNode
  properties?: Readonly<Record<string, SchemaNode>>
  patternProperties?: Readonly<Record<string, SchemaNode>>
  required?: readonly string[]
}>

const FAULTS_MAX = 20
const VALUE_LENGTH_MAX = 60

/** Returns up to twenty faults of `value`. */
export const checkShape = (schema: TSchema, value: unknown): readonly ConfigFault[] =>
  check(schema as SchemaNode, value, '').slice(0, FAULTS_MAX)

/** Describes a fault of `file`, with the value at its path unless that is missing or long. */
export function faultText({ path, rule, nearest, ...fault }: ConfigFault, file: unknown): string {
  const got = fault.got ?? JSON.stringify(valueAt(file, path)) ?? ''
  const value = got === '' || got.length > VALUE_LENGTH_MAX ? '' : `got ${got}, `
  const problem = /^(missing|unknown)\b/.test(rule) ? rule : `invalid: ${value}expected ${rule}`
  return `${path} is ${problem}${nearest === undefined ? '' : `; the nearest is ${nearest}`}`
}

const valueAt = (file: unknown, path: string): unknown =>
  (path.match(/[^.[\]]+/g) ?? []).reduce<unknown>(
    (inside, name) => (inside as Readonly<Record<string, unknown>> | undefined)?.[name],
    file,
  )

function check(node: SchemaNode, value: unknown, path: string): readonly ConfigFault[] {
  if (node.anyOf !== undefined) return checkUnion(node.anyOf, value, path)
  if (node.const !== undefined)
    return value === node.const ? [] : [{ path, rule: `"${String(node.const)}"` }]
  if (node.type === 'object') return checkObject(node, value, path)
  if (node.type === 'array') return checkList(node, value, path)
  if (node.type === 'integer') return checkInteger(node, value, path)
  return checkText(node, value, path)
}

function checkUnion(
  nodes: readonly SchemaNode[],
  value: unknown,
  path: string,
): readonly ConfigFault[] {
  const results = nodes.map((node) => check(node, value, path))
  if (results.some((faults) => faults.length === 0)) return []
  return [{ path, rule: results.map(([first]) => first?.rule ?? '').join(', or ') }]
}

function checkText(node: SchemaNode, value: unknown, path: string): readonly ConfigFault[] {
  if (node.enum !== undefined) {
    if (typeof value === 'string' && node.enum.includes(value)) return []
    const nearest = nearestWord(String(value), node.enum)
    return [{ path, rule: `one of ${node.enum.join(', ')}`, nearest: `"${nearest}"` }]
  }
  const isFit = typeof value === 'string' && new RegExp(node.pattern ?? '').test(value)
  if (isFit) return []
  const rule = node.description ?? 'text'
  // A number in place of decimal text is the most common mistake.
  return typeof value === 'number' ? [{ path, rule, nearest: `"${value}"` }] : [{ path, rule }]
}

function checkInteger(node: SchemaNode, value: unknown, path: string): readonly ConfigFault[] {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = node
  const isFit = Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum
  if (isFit) return []
  const rule = `a whole number from ${minimum} to ${maximum}`
  const number = Number(value)
  if (Number.isNaN(number)) return [{ path, rule }]
  return [{ path, rule, nearest: String(Math.min(maximum, Math.max(minimum, Math.round(number)))) }]
}

function checkList(node: SchemaNode, value: unknown, path: string): readonly ConfigFault[] {
  const { minItems = 0, maxItems = Number.MAX_SAFE_INTEGER, items } = node
  if (!Array.isArray(value) || value.length < minItems || value.length > maxItems)
    return [{ path, rule: `a list of ${minItems} to ${maxItems}` }]
  return items === undefined
    ? []
    : value.flatMap((item, index) => check(items, item, `${path}[${index}]`))
}

function checkObject(node: SchemaNode, value: unknown, path: string): readonly ConfigFault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ path: path || 'venue.json', rule: 'an object' }]
  const members = value as Readonly<Record<string, unknown>>
  const inside = (name: string) => (path === '' ? name : `${path}.${name}`)
  const [any] = Object.values(node.patternProperties ?? {})
  if (any !== undefined)
    return Object.entries(members).flatMap(([name, member]) => check(any, member, inside(name)))
  const properties = node.properties ?? {}
  const absent = (node.required ?? []).filter((name) => !(name in members))
  return [
    ...absent.map((name) => ({ path: inside(name), rule: ruleOf(properties[name]) })),
    ...Object.entries(members).flatMap(([name, member]) => {
      const schema = properties[name]
      if (schema !== undefined) return check(schema, member, inside(name))
      const nearest = nearestWord(name, Object.keys(properties))
      return [{ path: inside(name), rule: 'unknown', nearest: `"${nearest}"` }]
    }),
  ]
}

const ruleOf = (node: SchemaNode | undefined) =>
  `missing: expected ${node?.description ?? `of type ${node?.type ?? 'text'}`}`

/** Returns the word with the smallest edit distance; the first of equals. */
export function nearestWord(text: string, words: readonly string[]): string {
  const ranked = words.map((word) => [word, distance(text.toLowerCase(), word.toLowerCase())])
  ranked.sort(([, a], [, b]) => Number(a) - Number(b))
  return String(ranked[0]?.[0] ?? '')
}

/** Edit distance (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j += 1) {
      const changed = (row[j] ?? 0) + (letter === b[j] ? 0 : 1)
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
