// What an account leaves to the venue while it is silent: cancel-after, cancel-on-disconnect and
// market-maker protection.
import Type, { type Static } from 'typebox'
import { named, ns, nullable } from './field.ts'

/** Bounds of a timer. */
export const TIMEOUT_MS_MIN = 5_000
export const TIMEOUT_MS_MAX = 86_400_000
/** Longest interval, and longest time frozen, of protection. */
export const MMP_SECONDS_MAX = 86_400

/** Markets that a timer can be signed for. */
export const CANCEL_ALLS_MAX = 64
/** A signature is good for so long after the timer has ended, at least: it has to be sent. */
export const CANCEL_ALL_SLACK_SECONDS = 60

const whole = (description: string) =>
  Type.Unsafe<string | number>({ type: ['integer', 'string'], description })

const SignedCancelAll = Type.Object({
  instrument: Type.String({ description: 'Name or id of the market.' }),
  salt: whole("Of the message: spent at the market's engine when it is used."),
  deadline: whole(
    `Unix seconds, ${CANCEL_ALL_SLACK_SECONDS} or more after the timer ends: it has to be sent.`,
  ),
  signature: Type.String({ description: 'Of `CancelAll`, by the wallet or a live signing key.' }),
})

export const CancelAfterRequest = Type.Object({
  timeout_ms: whole(
    `Milliseconds: ${TIMEOUT_MS_MIN} to ${TIMEOUT_MS_MAX}, or 0 to disarm. Each call begins anew.`,
  ),
  include_triggers: Type.Optional(
    Type.Boolean({
      description: 'True: protective orders (reduce-only with a trigger) go as well.',
    }),
  ),
  cancel_alls: Type.Optional(
    Type.Array(SignedCancelAll, {
      maxItems: CANCEL_ALLS_MAX,
      description:
        'Signed beforehand, where the account has not allowed the venue to cancel until then: one ' +
        'for each market of its live orders. Used once.',
    }),
  ),
})

export const CancelAfterAnswer = named(
  'CancelAfterAnswer',
  {
    success: Type.Literal(true),
    trigger_time: nullable(ns('When the orders are cancelled unless it is called before.')),
  },
  'An armed timer, or null where it was disarmed.',
)
export type CancelAfterAnswer = Static<typeof CancelAfterAnswer>

export const DisconnectRequest = Type.Object({
  enabled: Type.Boolean({
    description: 'Orders made over a connection of a socket from now on end with it.',
  }),
})

export const DisconnectAnswer = named(
  'CancelOnDisconnect',
  { enabled: Type.Boolean() },
  'Whether orders end with the connection of a socket over which they were made.',
)
export type DisconnectAnswer = Static<typeof DisconnectAnswer>

export const MmpRequest = Type.Object({
  asset: Type.String({ description: 'Symbol of the underlying: all markets on it.' }),
  interval: whole('Seconds whose fills count; 0: protection is off.'),
  frozen: whole('Seconds for which it is frozen then; 0: until POST /reset-mmp.'),
  amount_limit: whole('Bought and sold together, in millionths of a whole base unit.'),
  delta_limit: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['number', 'string'],
      description: 'Bought less sold, either way, in whole base units.',
    }),
  ),
})

export const MmpQuery = Type.Object({
  asset: Type.Optional(Type.String({ description: 'The first by name that is set unless given.' })),
})

export const MmpAnswer = named(
  'Mmp',
  {
    enabled: Type.Boolean(),
    triggered: Type.Boolean({ description: 'Frozen: new orders with `mmp` are refused.' }),
    asset: Type.Optional(Type.String()),
    interval: Type.Optional(Type.String({ description: 'Seconds.' })),
    frozen: Type.Optional(Type.String({ description: 'Seconds; 0: until it is reset.' })),
    frozen_end_time: Type.Optional(ns('When it thaws by itself.')),
    amount_limit: Type.Optional(Type.String({ description: 'Millionths of a whole base unit.' })),
    delta_limit: Type.Optional(Type.String({ description: 'Whole base units.' })),
    assets: Type.Array(Type.String(), { description: 'Assets with a rule.' }),
  },
  'Market-maker protection of an account on an asset.',
)
export type MmpAnswer = Static<typeof MmpAnswer>

export const MmpReset = Type.Object({ asset: Type.String() })
export const SafeguardDone = named('SafeguardDone', { success: Type.Literal(true) }, 'It is done.')
