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
        'One of timeout, unreachable, no_head, lagging, feed_stale, starting, or http_ and the status.',
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
        strict(check, "Only while this node's data from the indexer is too old."),
      ),
    }),
    timestamp: milliseconds('Time of the answer.'),
    environment: Type.String({ description: 'Name of the network.' }),
    version: Type.String(),
    withdrawals_stopped: Type.Optional(
      Type.Boolean({ description: `${WITHDRAWALS_STOPPED} Absent while the node is starting.` }),
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
            description: 'Blocks behind the head; unknown if the indexer was only reached.',
          }),
        ),
      }),
    }),
    keeper: Type.Optional(
      strict(
        {
          asset: Type.String({ description: 'Asset with the oldest index price.' }),
          index_price_time: nullable(seconds('Time of that price; null if there is none yet.')),
          index_price_age_ms: nullable(Type.Integer({ minimum: 0 })),
        },
        'Effect of its work: the oldest index price of a perpetual market. The ' +
          'keeper pushes them every second. Does not affect the status. Absent without such ' +
          'a market.',
      ),
    ),
    awaiting: Type.Optional(
      Type.String({ description: 'Only while the venue is starting: missing parts, in words.' }),
    ),
    timestamp: milliseconds('Time of the checks.'),
  },
  'Results of the dependency checks.',
)
export type Readiness = Static<typeof Readiness>

export const ReadyQuery = Type.Object({
  for: Type.Optional(
    choice(['traffic'], {
      description:
        'For load balancers: 503 only while the node stops, or lags behind its indexers.',
    }),
  ),
})
export type ReadyQuery = Static<typeof ReadyQuery>

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
