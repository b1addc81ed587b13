// Kinds of fields that many shapes use, with what the interface says about each.
import Type, { type Static, type TSchema } from 'typebox'

export const decimal = (description: string) =>
  Type.String({ pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$', description })

export const rawInteger = (description: string) =>
  Type.String({ pattern: '^(0|[1-9][0-9]*)$', description })

export const ns = (description: string) =>
  Type.String({ pattern: '^[0-9]{1,20}$', description: `${description} Nanoseconds.` })

export const milliseconds = (description: string) =>
  Type.Integer({ format: 'int64', description: `${description} Unix milliseconds.` })

export const seconds = (description: string) =>
  Type.Integer({ format: 'int64', description: `${description} Unix seconds.` })

export const Address = (description: string) =>
  Type.String({ pattern: '^0x[0-9a-f]{40}$', description: `${description} Lower case.` })

/** One of several words. */
export const choice = <const W extends readonly string[]>(
  words: W,
  options: Readonly<Record<string, unknown>> = {},
) => Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options })

/**
 * A known field whose value may be unreadable now. What has a name keeps it, so that the
 * description can refer to it.
 */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: words, title } = schema as Readonly<Record<string, unknown>>
  if (typeof type !== 'string' || title !== undefined)
    return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })
  const choices = Array.isArray(words) ? { enum: [...words, null] } : {}
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'], ...choices })
}

export const INSTRUMENT_TYPES = ['SPOT', 'PERPETUAL'] as const
export const InstrumentType = choice(INSTRUMENT_TYPES, { title: 'InstrumentType' })
export const Side = choice(['buy', 'sell'], { title: 'Side' })

/** An object without other members than those listed. */
export const strict = <T extends Record<string, TSchema>>(members: T, description?: string) =>
  Type.Object(members, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  })

/** The same with the name that it has in the description of the interface. */
export const named = <T extends Record<string, TSchema>>(
  title: string,
  members: T,
  description?: string,
) =>
  Type.Object(members, {
    title,
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  })

/**
 * A query parameter `limit`. Above `maximum` it is clamped; below 1, or not an integer, it is
 * refused (`clamp: 'max'`), or clamped as well (`clamp: 'both'`).
 */
export const limit = (maximum: number, fallback: number, clamp: 'max' | 'both' = 'max') =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      default: fallback,
      'x-clamp': clamp,
      description: `At most this many. Above ${maximum} it is taken as ${maximum}.`,
    }),
  )

/**
 * A query parameter that is a time: at most 10 digits are seconds, at most 13 milliseconds, more
 * nanoseconds. It arrives as digits.
 */
export const anyTime = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'integer',
      format: 'int64',
      minimum: 0,
      'x-digits': true,
      description: `${description} Unix seconds, milliseconds or nanoseconds, known by its size.`,
    }),
  )

const fact = (description: string) => Type.Optional(Type.String({ description }))

/** What an order is held against. What the body has raw is raw, all else decimal text. */
const ProblemFacts = named(
  'ProblemFacts',
  {
    step: fact('Of the field: it is a multiple of it. Raw.'),
    lower: fact('The nearest legal value below, or the least. Raw.'),
    upper: fact('The nearest legal value above, or the largest. Raw.'),
    minimum: fact('Least legal value or price.'),
    maximum: fact('Largest legal value or price.'),
    room: fact('How much of the market may still be ordered.'),
    equity: fact('Of the account.'),
    required: fact('Margin that the order asks for.'),
    shortfall: fact('required - equity.'),
    free: fact('Balance that no order holds.'),
    needed: fact('Balance that the order takes.'),
    best_price: fact('Best opposite price.'),
    fillable: fact('Amount that would be filled.'),
    position: fact('Position of the account, negative when short.'),
    mark_price: fact('The mark.'),
    order_id: fact('The other order.'),
    order_status: fact('Its last known status.'),
    block_time: fact('Time of the newest block, Unix seconds.'),
    contract_error: fact('Name of the error of the contract.'),
  },
  'What is behind the refusal of an order: raw where the body is, all else decimal text.',
)
export type ProblemFacts = Static<typeof ProblemFacts>

/** A rule that a request breaks. */
export const FieldProblem = named('FieldProblem', {
  field: Type.String({ description: 'The parameter.' }),
  code: Type.String(),
  message: Type.String({ description: 'The rule that should hold.' }),
  nearest: Type.Optional(
    Type.Union([Type.String(), Type.Integer()], {
      description: 'The legal value nearest to the one given, where there is one.',
    }),
  ),
  allowed: Type.Optional(
    Type.Array(Type.String(), { description: 'Every legal value, where they are few.' }),
  ),
  value: Type.Optional(
    Type.String({ description: 'The value that breaks the rule, where it was computed.' }),
  ),
  facts: Type.Optional(ProblemFacts),
  queue: Type.Optional(
    strict(
      { gas: Type.Integer(), blocks: Type.Number() },
      'What waits for the chain: its gas, and the blocks of the venue that it takes.',
    ),
  ),
  recovered: Type.Optional(
    Type.String({ description: 'The address that made the signature, lower case.' }),
  ),
  // Written as OpenAPI has it, since it stands in answers as well as in refusals.
  typed_data: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'What should have been signed, as eth_signTypedData_v4 takes it.',
    }),
  ),
  digest: Type.Optional(Type.String({ description: 'Its EIP-712 hash.' })),
  call: Type.Optional(
    strict(
      {
        to: Address('The contract.'),
        data: Type.String({ description: 'Bytes of the call, hex.' }),
        value: choice(['0']),
        chain_id: Type.Integer(),
      },
      'A transaction that only the wallet can send.',
    ),
  ),
})

/** The error body of every refusal. */
export const Problem = named(
  'Problem',
  {
    error: Type.String({ description: 'The code of the refusal.' }),
    message: Type.String(),
    details: Type.Optional(
      Type.Array(FieldProblem, { description: 'What was wrong, field by field.' }),
    ),
    request_id: Type.String({ description: 'Also the header X-Request-Id.' }),
    retry_after: Type.Optional(ns('How long to wait. Only with 429 and 503.')),
    s: Type.Optional(Type.Literal('error', { description: 'Charting endpoints only.' })),
    errmsg: Type.Optional(Type.String({ description: 'Charting endpoints only.' })),
  },
  'A refused request.',
)
export type Problem = Static<typeof Problem>

// The types that a handler needs of a schema, so that only this package knows the library.
export type { Static, TSchema } from 'typebox'
