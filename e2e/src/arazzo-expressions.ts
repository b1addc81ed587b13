// Evaluates the expressions and simple conditions of Arazzo.

export type FlowValues = Readonly<Record<string, unknown>>

/** Values that an expression may refer to. */
export type Context = Readonly<{
  inputs: FlowValues
  steps: Record<string, Readonly<{ outputs: FlowValues }>>
  workflows: Readonly<Record<string, Readonly<{ outputs: FlowValues }>>>
  response?: Readonly<{ statusCode: number; headers: Headers; body: unknown }>
}>

const EXPRESSION =
  /^\$(?:(statusCode)|response\.(body|header)(?:\.([\w-]+))?|inputs\.(\w+)|(steps|workflows)\.([\w-]+)\.outputs\.(\w+))(?:#(\/.*))?$/

/** Returns the value of an expression; undefined when it is missing. */
export function evaluate(expression: string, context: Context): unknown {
  const match = EXPRESSION.exec(expression)
  if (match === null) throw new Error(`invalid expression: ${expression}`)
  const [, status, part, header = '', input, kind, id = '', output = '', pointer] = match
  const { response, inputs } = context
  if (status !== undefined) return response?.statusCode
  if (part === 'header') return response?.headers.get(header) ?? undefined
  const whole =
    part === 'body'
      ? response?.body
      : input === undefined
        ? context[kind as 'steps' | 'workflows'][id]?.outputs[output]
        : inputs[input]
  return pointer === undefined ? whole : pointed(whole, pointer)
}

/** Follows a JSON pointer. */
const pointed = (value: unknown, pointer: string): unknown =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((at, part) => (at as Record<string, unknown> | null | undefined)?.[part], value)

/** Returns a value with every expression in it replaced. */
export function resolve(value: unknown, context: Context): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? evaluate(value, context) : value
  if (Array.isArray(value)) return value.map((item) => resolve(item, context))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, resolve(member, context)]),
  )
}

/** Evaluates a simple condition: comparisons with == and !=, joined by && and ||. */
export function holds(condition: string, context: Context): boolean {
  return condition
    .split(' || ')
    .some((all) => all.split(' && ').every((comparison) => compares(comparison.trim(), context)))
}

function compares(comparison: string, context: Context): boolean {
  const [, left = '', operator, right = ''] = /^(\S+) (==|!=) (.+)$/.exec(comparison) ?? []
  if (operator === undefined) throw new Error(`invalid comparison: ${comparison}`)
  const isSame = plain(operand(left, context)) === plain(operand(right, context))
  return isSame === (operator === '==')
}

/** Texts are compared case-insensitively. */
const plain = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)

function operand(text: string, context: Context): unknown {
  if (text.startsWith('$')) return evaluate(text, context)
  return text.startsWith("'") ? text.slice(1, -1) : JSON.parse(text)
}
