// Sums up what users saw in a stretch of time.
import type { BlockTimes } from '../venue/block-times.ts'
import type { ReadyWatch } from './ready-watch.ts'
import type { RestUser, Seen } from './rest-user.ts'
import type { Users } from './users.ts'

/** Monotonic milliseconds. */
export type Span = Readonly<{ fromMs: number; toMs: number }>

export type Summary = Readonly<{
  asked: number
  /** Questions by what came of them. */
  outcomes: ReadonlyMap<string, number>
  /** Of the node where it was longest. */
  withoutAnswerMs: number
  /** The oldest data that was said with 200, and the oldest of a node that called itself ready. */
  oldestMs: number
  oldestReadyMs: number
  /** For each node when it first said that it is not ready, and when it was ready for good. */
  notReady: readonly (Span | undefined)[]
  silenceMs: number
  reconnects: number
  /** Snapshots in place of what was missed: a gap that the server named. */
  snapshots: number
  /** Gaps that the client found by the numbers. */
  gaps: number
}>

/** Returns what `users` saw in `span`; its sockets were recounted when it began. */
export function summarize({ rest, watches, blocks, followers }: Users, span: Span): Summary {
  const seen = rest.map((user) => within(user, span))
  const ages = seen.flatMap((answers, node) =>
    answers.flatMap((answer) => dataAge(answer, blocks, watches[node])),
  )
  const channels = followers.flatMap(({ user }) => user.channels)
  return {
    asked: seen.flat().length,
    outcomes: countOutcomes(seen.flat()),
    withoutAnswerMs: Math.max(...seen.map((answers) => longestWithout200(answers, span))),
    oldestMs: Math.max(0, ...ages.map(({ ageMs }) => ageMs)),
    oldestReadyMs: Math.max(0, ...ages.map(({ ageMs, isReady }) => (isReady ? ageMs : 0))),
    notReady: watches.map((watch) => notReadySpan(watch, span)),
    silenceMs: Math.max(...followers.map(({ user }) => user.silenceMs())),
    reconnects: followers.reduce((sum, { user }) => sum + user.reconnects, 0),
    snapshots: channels.reduce((sum, { counted }) => sum + counted.snapshots, 0),
    gaps: channels.reduce((sum, { counted }) => sum + counted.gaps, 0),
  }
}

const within = ({ seen }: RestUser, { fromMs, toMs }: Span) =>
  seen.filter(({ askedMs }) => askedMs >= fromMs && askedMs <= toMs)

function countOutcomes(answers: readonly Seen[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { status } of answers)
    counts.set(String(status), (counts.get(String(status)) ?? 0) + 1)
  return counts
}

function longestWithout200(answers: readonly Seen[], { fromMs, toMs }: Span): number {
  const goodMs = answers.filter(({ status }) => status === 200).map(({ atMs }) => atMs)
  const momentsMs = [fromMs, ...goodMs.sort((a, b) => a - b), toMs]
  return Math.max(...momentsMs.map((atMs, index) => atMs - (momentsMs[index - 1] ?? atMs)))
}

/** An answer is as old as its data were when it was asked for. */
function dataAge(
  { status, block, askedMs }: Seen,
  blocks: BlockTimes,
  watch: ReadyWatch | undefined,
) {
  if (status !== 200 || block === undefined) return []
  return { ageMs: blocks.ageMs(block, askedMs), isReady: watch?.isReadyAt(askedMs) ?? false }
}

function notReadySpan({ looks }: ReadyWatch, { fromMs, toMs }: Span): Span | undefined {
  const bad = looks.filter(({ atMs, isReady }) => !isReady && atMs >= fromMs && atMs <= toMs)
  const [first, last] = [bad[0], bad.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return { fromMs: first.atMs - fromMs, toMs: last.atMs - fromMs }
}
