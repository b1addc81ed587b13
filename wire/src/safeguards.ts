// Safeguards for silent clients: cancel-after, cancel-on-disconnect and market-maker protection.
import Type, { type Static } from 'typebox'
import { named, ns, nullable } from './field.ts'

/** Bounds of a timer. */
export const TIMEOUT_MS_MIN = 5_000
export const TIMEOUT_MS_MAX = 86_400_000
/** Maximum interval and maximum freeze of market-maker protection. */
export const MMP_SECONDS_MAX = 86_400

/** Maximum number of markets with signed cancels for a timer. */
export const CANCEL_ALLS_MAX = 64
/** Minimum validity of a signature after the end of the timer, since it has to be submitted. */
export const CANCEL_ALL_SLACK_SECONDS = 60

const whole = (description: string) =>
  Type.Unsafe<string | number>({ type: ['integer', 'string'], description })

const SignedCancelAll = Type.Object({
  instrument: Type.String({ description: 'Name or id of the market.' }),
  salt: whole("Salt of the message, used up at the market's engine when it is submitted."),
  deadline: whole(
    `Unix seconds, at least ${CANCEL_ALL_SLACK_SECONDS} after the end of the timer, to leave time for submission.`,
  ),
  signature: Type.String({ description: '`CancelAll` signed by the wallet or a signing key.' }),
})

export const CancelAfterRequest = Type.Object({
  timeout_ms: whole(
    `Milliseconds: ${TIMEOUT_MS_MIN} to ${TIMEOUT_MS_MAX}, or 0 to disarm. Each call restarts the timer.`,
  ),
  include_triggers: Type.Optional(
    Type.Boolean({
      description: 'True: protective orders (reduce-only with a trigger) are cancelled as well.',
    }),
  ),
  cancel_alls: Type.Optional(
    Type.Array(SignedCancelAll, {
      maxItems: CANCEL_ALLS_MAX,
      description:
        'Signed in advance, if the account has not allowed the venue to cancel until then: one ' +
        'for each market of its live orders. Used once.',
    }),
  ),
})

export const CancelAfterAnswer = named(
  'CancelAfterAnswer',
  {
    success: Type.Literal(true),
    trigger_time: nullable(ns('Time of the cancels unless the timer is restarted.')),
  },
  'An armed timer, or null after it was disarmed.',
)
export type CancelAfterAnswer = Static<typeof CancelAfterAnswer>

export const DisconnectRequest = Type.Object({
  enabled: Type.Boolean({
    description: 'Cancel orders placed over a socket connection from now on when it ends.',
  }),
})

export const DisconnectAnswer = named(
  'CancelOnDisconnect',
  { enabled: Type.Boolean() },
  'Cancel-on-disconnect setting of the account.',
)
export type DisconnectAnswer = Static<typeof DisconnectAnswer>

export const MmpRequest = Type.Object({
  asset: Type.String({ description: 'Symbol of the underlying; applies to all of its markets.' }),
  interval: whole('Window of fills in seconds; 0 disables protection.'),
  frozen: whole('Seconds of the freeze; 0: until POST /reset-mmp.'),
  amount_limit: whole('Total bought and sold, in millionths of a whole base unit.'),
  delta_limit: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['number', 'string'],
      description: 'Absolute difference of bought and sold, in whole base units.',
    }),
  ),
})

export const MmpQuery = Type.Object({
  asset: Type.Optional(Type.String({ description: 'The first one with a rule by default.' })),
})

export const MmpAnswer = named(
  'Mmp',
  {
    enabled: Type.Boolean(),
    triggered: Type.Boolean({ description: 'Frozen: new orders with `mmp` are rejected.' }),
    asset: Type.Optional(Type.String()),
    interval: Type.Optional(Type.String({ description: 'Seconds.' })),
    frozen: Type.Optional(Type.String({ description: 'Seconds; 0: until reset.' })),
    frozen_end_time: Type.Optional(ns('End of the freeze.')),
    amount_limit: Type.Optional(Type.String({ description: 'Millionths of a whole base unit.' })),
    delta_limit: Type.Optional(Type.String({ description: 'Whole base units.' })),
    assets: Type.Array(Type.String(), { description: 'Assets with a rule.' }),
  },
  'Market-maker protection of an account on an asset.',
)
export type MmpAnswer = Static<typeof MmpAnswer>

export const MmpReset = Type.Object({ asset: Type.String() })
export const SafeguardDone = named('SafeguardDone', { success: Type.Literal(true) }, 'Done.')
