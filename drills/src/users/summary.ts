// Summarises the users' observations in a time span.
import type { BlockTimes } from '../venue/block-times.ts'
import type { ReadinessPoller } from './readiness-poller.ts'
import type { ObservedAnswer, RestUser } from './rest-user.ts'
import type { Users } from './users.ts'

/** Monotonic milliseconds. */
export type Span = Readonly<{ fromMs: number; toMs: number }>

export type Summary = Readonly<{
  requests: number
  /** Number of requests by result. */
  outcomes: ReadonlyMap<string, number>
  /** The longest time of any node. */
  withoutSuccessMs: number
  /** Age of the oldest data in an answer with 200, and in one of a ready node. */
  oldestMs: number
  oldestReadyMs: number
  /** For each node the start of the first time when it was not ready, and the end of the last. */
  notReady: readonly (Span | undefined)[]
  silenceMs: number
  reconnects: number
  /** Number of snapshots after gaps reported by the server. */
  snapshots: number
  /** Number of gaps that the client found. */
  gaps: number
}>

/** Summarises `users` in `span`; the counters of sockets were reset at its start. */
export function summarize({ rest, pollers, blocks, followers }: Users, span: Span): Summary {
  const seen = rest.map((user) => within(user, span))
  const ages = seen.flatMap((answers, node) =>
    answers.flatMap((answer) => dataAge(answer, blocks, pollers[node])),
  )
  const channels = followers.flatMap(({ user }) => user.channels)
  return {
    requests: seen.flat().length,
    outcomes: countOutcomes(seen.flat()),
    withoutSuccessMs: Math.max(...seen.map((answers) => longestWithout200(answers, span))),
    oldestMs: Math.max(0, ...ages.map(({ ageMs }) => ageMs)),
    oldestReadyMs: Math.max(0, ...ages.map(({ ageMs, isReady }) => (isReady ? ageMs : 0))),
    notReady: pollers.map((poller) => notReadySpan(poller, span)),
    silenceMs: Math.max(...followers.map(({ user }) => user.silenceMs())),
    reconnects: followers.reduce((sum, { user }) => sum + user.reconnects, 0),
    snapshots: channels.reduce((sum, { counted }) => sum + counted.snapshots, 0),
    gaps: channels.reduce((sum, { counted }) => sum + counted.gaps, 0),
  }
}

const within = ({ seen }: RestUser, { fromMs, toMs }: Span) =>
  seen.filter(({ askedMs }) => askedMs >= fromMs && askedMs <= toMs)

function countOutcomes(answers: readonly ObservedAnswer[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { status } of answers)
    counts.set(String(status), (counts.get(String(status)) ?? 0) + 1)
  return counts
}

function longestWithout200(answers: readonly ObservedAnswer[], { fromMs, toMs }: Span): number {
  const goodMs = answers.filter(({ status }) => status === 200).map(({ atMs }) => atMs)
  const momentsMs = [fromMs, ...goodMs.sort((a, b) => a - b), toMs]
  return Math.max(...momentsMs.map((atMs, index) => atMs - (momentsMs[index - 1] ?? atMs)))
}

/** The age of an answer's data when it was requested. */
function dataAge(
  { status, block, askedMs }: ObservedAnswer,
  blocks: BlockTimes,
  poller: ReadinessPoller | undefined,
) {
  if (status !== 200 || block === undefined) return []
  return { ageMs: blocks.ageMs(block, askedMs), isReady: poller?.isReadyAt(askedMs) ?? false }
}

function notReadySpan({ polls }: ReadinessPoller, { fromMs, toMs }: Span): Span | undefined {
  const bad = polls.filter(({ atMs, isReady }) => !isReady && atMs >= fromMs && atMs <= toMs)
  const [first, last] = [bad[0], bad.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return { fromMs: first.atMs - fromMs, toMs: last.atMs - fromMs }
}
