// Liveness, readiness, version and time (interface 2.12).
import Type, { type Static } from 'typebox'
import { WITHDRAWALS_STOPPED } from './account.ts'
import { choice, milliseconds, named, ns, nullable, seconds, strict } from './field.ts'
import { TradingField } from './trading.ts'

const check = {
  ok: Type.Boolean(),
  error: Type.Optional(
    Type.String({
      description:
        'A fixed word: timeout, unreachable, no_head, lagging, feed_stale, starting, or http_ and the status.',
    }),
  ),
}
const Check = named('Check', check)

export const Health = named(
  'Health',
  {
    status: Type.Literal('ok'),
    degraded: Type.Boolean(),
    degradedDependencies: Type.Array(Type.String()),
    dependencies: strict({
      redis: Check,
      indexer: Type.Optional(
        strict(check, 'Only while what this node has from the indexer is too old.'),
      ),
    }),
    timestamp: milliseconds('When the answer was made.'),
    environment: Type.String({ description: 'Name of the network.' }),
    version: Type.String(),
    withdrawals_stopped: Type.Optional(
      Type.Boolean({ description: `${WITHDRAWALS_STOPPED} Absent while the node starts.` }),
    ),
    trading: TradingField,
  },
  'Always 200.',
)
export type Health = Static<typeof Health>

export const Readiness = named(
  'Readiness',
  {
    status: choice(['ready', 'not_ready']),
    checks: strict({
      redis: Check,
      rpc: named('RpcCheck', {
        ...check,
        head: Type.Optional(Type.Integer({ description: 'Its newest block.' })),
      }),
      indexer: named('IndexerCheck', {
        ...check,
        lag: Type.Optional(
          Type.Union([Type.Integer(), Type.Literal('unknown')], {
            description: 'Blocks behind the head; unknown when the indexer was only reached.',
          }),
        ),
      }),
    }),
    keeper: Type.Optional(
      strict(
        {
          asset: Type.String({ description: 'Whose index price is the oldest.' }),
          index_price_time: nullable(seconds('Of that price; null: there is none yet.')),
          index_price_age_ms: nullable(Type.Integer({ minimum: 0 })),
        },
        'What its work shows of it: the oldest index price that a perpetual market trades by. The ' +
          'keeper pushes them every second. It does not count for the status. Absent without such ' +
          'a market.',
      ),
    ),
    awaiting: Type.Optional(
      Type.String({ description: 'Only while the venue starts: what is not there yet, in words.' }),
    ),
    timestamp: milliseconds('When the dependencies were asked.'),
  },
  'What the dependencies said.',
)
export type Readiness = Static<typeof Readiness>

export const Version = named(
  'Version',
  {
    version: Type.String(),
    node: Type.String(),
    environment: Type.String(),
    trading: TradingField,
  },
  'The build, the runtime and the network.',
)
export type Version = Static<typeof Version>

export const Time = named('Time', { time: ns('Server time.') }, 'Server time.')
export type Time = Static<typeof Time>
