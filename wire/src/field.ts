// Field kinds shared by many schemas, with their descriptions in the interface.
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

/** One of a set of words. */
export const choice = <const W extends readonly string[]>(
  words: W,
  options: Readonly<Record<string, unknown>> = {},
) => Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options })

/**
 * A field whose value may be unknown. Named schemas keep their name, so that the API description
 * can refer to them.
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

/** An object with exactly these members. */
export const strict = <T extends Record<string, TSchema>>(members: T, description?: string) =>
  Type.Object(members, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  })

/** The same, with its name in the API description. */
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
 * A query parameter `limit`. Above `maximum` it is clamped; below 1, or if not an integer, it is
 * rejected (`clamp: 'max'`) or clamped (`clamp: 'both'`).
 */
export const limit = (maximum: number, fallback: number, clamp: 'max' | 'both' = 'max') =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      default: fallback,
      'x-clamp': clamp,
      description: `Maximum number of items, clamped to ${maximum}.`,
    }),
  )

/**
 * A query parameter for a time: up to 10 digits are seconds, up to 13 milliseconds, more
 * nanoseconds. It arrives as digits.
 */
export const anyTime = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'integer',
      format: 'int64',
      minimum: 0,
      'x-digits': true,
      description: `${description} Unix seconds, milliseconds or nanoseconds, by magnitude.`,
    }),
  )

const fact = (description: string) => Type.Optional(Type.String({ description }))

/** Values that an order was checked against: raw where the body is raw, else decimal text. */
const ProblemFacts = named(
  'ProblemFacts',
  {
    step: fact('Step of the field: it must be a multiple of it. Raw.'),
    lower: fact('The nearest valid value below, or the minimum. Raw.'),
    upper: fact('The nearest valid value above, or the maximum. Raw.'),
    minimum: fact('Minimum valid value or price.'),
    maximum: fact('Maximum valid value or price.'),
    room: fact('Amount of the market that can still be ordered.'),
    equity: fact('Equity of the account.'),
    required: fact('Margin that the order requires.'),
    shortfall: fact('required - equity.'),
    free: fact('Balance not held by orders.'),
    needed: fact('Balance that the order requires.'),
    best_price: fact('Best opposite price.'),
    fillable: fact('Amount that would be filled.'),
    position: fact('Position of the account, negative when short.'),
    mark_price: fact('The mark.'),
    order_id: fact('The other order.'),
    order_status: fact('Its last known status.'),
    block_time: fact('Time of the newest block, Unix seconds.'),
    contract_error: fact("Name of the contract's error."),
  },
  'Values behind the rejection of an order: raw where the body is raw, else decimal text.',
)
export type ProblemFacts = Static<typeof ProblemFacts>

/** A rule violated by a request. */
export const FieldProblem = named('FieldProblem', {
  field: Type.String({ description: 'The parameter.' }),
  code: Type.String(),
  message: Type.String({ description: 'The violated rule.' }),
  nearest: Type.Optional(
    Type.Union([Type.String(), Type.Integer()], {
      description: 'The nearest valid value, if there is one.',
    }),
  ),
  allowed: Type.Optional(
    Type.Array(Type.String(), { description: 'All valid values, if there are few.' }),
  ),
  value: Type.Optional(Type.String({ description: 'The violating value, if it was computed.' })),
  facts: Type.Optional(ProblemFacts),
  queue: Type.Optional(
    strict(
      { gas: Type.Integer(), blocks: Type.Number() },
      "The queue for the chain: its gas, and the number of the venue's blocks that it fills.",
    ),
  ),
  recovered: Type.Optional(
    Type.String({ description: 'The address recovered from the signature, lower case.' }),
  ),
  // Written as in OpenAPI, since it is used in both answers and rejections.
  typed_data: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The message to sign, for eth_signTypedData_v4.',
    }),
  ),
  digest: Type.Optional(Type.String({ description: 'Its EIP-712 hash.' })),
  call: Type.Optional(
    strict(
      {
        to: Address('The contract.'),
        data: Type.String({ description: 'Call data, hex.' }),
        value: choice(['0']),
        chain_id: Type.Integer(),
      },
      'A transaction that only the wallet can send.',
    ),
  ),
})

/** The error body of every rejection. */
export const Problem = named(
  'Problem',
  {
    error: Type.String({ description: 'The error code.' }),
    message: Type.String(),
    details: Type.Optional(Type.Array(FieldProblem, { description: 'Violated rules, by field.' })),
    request_id: Type.String({ description: 'Also the header X-Request-Id.' }),
    retry_after: Type.Optional(ns('When to retry. Only with 429 and 503.')),
    s: Type.Optional(Type.Literal('error', { description: 'Charting endpoints only.' })),
    errmsg: Type.Optional(Type.String({ description: 'Charting endpoints only.' })),
  },
  'A refused request.',
)
export type Problem = Static<typeof Problem>

// Types that handlers need of a schema, so that only this package depends on the library.
export type { Static, TSchema } from 'typebox'
