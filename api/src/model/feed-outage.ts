// Logs an outage of the database that the feed is read from: its beginning and its end.
import { DATABASE_TEXTS, Outage, type OutageLog } from '@openvenue/runtime/outage'
import type { Clock } from './clock.ts'
import type { FollowDeps } from './follow.ts'

/** Returns the log and the callback of a follower. `feedRead` is called after each feed read. */
export function feedOutage(
  { logger, clock }: Readonly<{ logger: OutageLog; clock: Clock }>,
  feedRead: () => void,
): Required<Pick<FollowDeps, 'log' | 'feedRead'>> {
  const database = new Outage({ log: logger, ...DATABASE_TEXTS, nowMs: clock.monotonicMs })
  return {
    log: database.asLog(),
    feedRead: () => {
      database.recovered()
      feedRead()
    },
  }
}
