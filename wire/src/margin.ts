// What an account asks of its leverage and of how its margin is held.
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
    description: 'CROSS: there is no other. ISOLATED is refused with the call of a sub-account.',
  }),
})

export const MarginRequest = Type.Object({
  instrument,
  isolated_margin: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'number'],
      description: 'Zero or absent; more is refused with the call of a sub-account.',
    }),
  ),
  margin_type: Type.Optional(choice(['CROSS', 'ISOLATED'], { description: 'CROSS unless given.' })),
})

export const MarginAnswer = named(
  'MarginAnswer',
  { success: Type.Literal(true) },
  'It is so already.',
)
