// Requests of an account to change its leverage and its margin.
import Type from 'typebox'
import { choice, named } from './field.ts'

const instrument = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  description: 'A perpetual: name, 0x id or decimal id.',
})

export const LeverageRequest = Type.Object({
  instrument,
  leverage: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    description: "A whole number from 1 to the market's max_leverage.",
  }),
})

export const MarginTypeRequest = Type.Object({
  instrument,
  margin_type: choice(['CROSS', 'ISOLATED'], {
    description: 'Only CROSS. ISOLATED is rejected with the call for a sub-account.',
  }),
})

export const MarginRequest = Type.Object({
  instrument,
  isolated_margin: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'number'],
      description: 'Zero or absent; any other value is rejected with the call for a sub-account.',
    }),
  ),
  margin_type: Type.Optional(choice(['CROSS', 'ISOLATED'], { description: 'CROSS by default.' })),
})

export const MarginAnswer = named(
  'MarginAnswer',
  { success: Type.Literal(true) },
  'Already in effect.',
)
