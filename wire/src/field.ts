// Kinds of fields that many shapes use, with what the interface says about each.
import Type, { type Static, type TSchema } from 'typebox'

export const decimal = (description: string) =>
  Type.String({ pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$', description })

export const rawInteger = (description: string) =>
  Type.String({ pattern: '^(0|[1-9][0-9]*)$', description })

export const ns = (description: string) =>
  Type.String({ pattern: '^[0-9]{1,20}$', description: `${description} Nanoseconds.` })

export const milliseconds = (description: string) =>
  Type.Integer({ description: `${description} Unix milliseconds.` })

export const seconds = (description: string) =>
  Type.Integer({ description: `${description} Unix seconds.` })

export const Address = (description: string) =>
  Type.String({ pattern: '^0x[0-9a-f]{40}$', description: `${description} Lower case.` })

/** A known field whose value may be unreadable now. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const InstrumentType = Type.Union([Type.Literal('SPOT'), Type.Literal('PERPETUAL')])
export const Side = Type.Union([Type.Literal('buy'), Type.Literal('sell')])

/** An object without other members than those listed. */
export const strict = <T extends Record<string, TSchema>>(members: T, description?: string) =>
  Type.Object(members, {
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
      'x-digits': true,
      description: `${description} Unix seconds, milliseconds or nanoseconds, known by its size.`,
    }),
  )

const FieldProblem = strict({
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
  recovered: Type.Optional(
    Type.String({ description: 'The address that made the signature, lower case.' }),
  ),
  typed_data: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'What should have been signed, as eth_signTypedData_v4 takes it.',
    }),
  ),
  digest: Type.Optional(Type.String({ description: 'Its EIP-712 hash.' })),
  call: Type.Optional(
    strict(
      {
        to: Address('The contract.'),
        data: Type.String({ description: 'Bytes of the call, hex.' }),
        value: Type.Literal('0'),
        chain_id: Type.Integer(),
      },
      'A transaction that only the wallet can send.',
    ),
  ),
})

/** The error body of every refusal. */
export const Problem = strict(
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
