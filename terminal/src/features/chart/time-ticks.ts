// Selects the time labels below the candles: rounder times first. The choice depends on the
// distance of candles, not on the visible range, so that labels do not jump while scrolling.

const TICK_KINDS = ['time', 'day', 'month', 'year'] as const
export type TickKind = (typeof TICK_KINDS)[number]
export type Tick = Readonly<{ index: number; kind: TickKind }>

/** Parts of a day, the least round first. Minutes. */
const PARTS = [5, 15, 30, 60, 180, 360, 720] as const
const [DAY, MONTH, YEAR] = [PARTS.length + 1, PARTS.length + 2, PARTS.length + 3]
const MS_PER_SECOND = 1_000
const MINUTES_PER_HOUR = 60

type LocalTime = readonly [year: number, month: number, day: number, minute: number]

/**
 * Returns the times to label, in order, at least `apart` candles from each other. `times`: opening
 * times of candles in Unix seconds. `isUtc`: days start at midnight UTC instead of local midnight.
 */
export function timeTicks(times: readonly number[], apart: number, isUtc: boolean): Tick[] {
  const ranks = ranksOf(times, isUtc)
  const indexes = [...ranks.keys()]
  let chosen: readonly number[] = []
  for (let rank = YEAR; rank >= 0; rank--)
    chosen = join(
      chosen,
      indexes.filter((index) => ranks[index] === rank),
      apart,
    )
  return chosen.map((index) => ({ index, kind: kindOf(ranks[index] ?? 0, isUtc) }))
}

/** Adds those of `some` that are far enough from all that were taken. */
function join(taken: readonly number[], some: readonly number[], apart: number): number[] {
  const all: number[] = []
  let next = 0
  const copyUntil = (index: number) => {
    for (let tick = taken[next]; tick !== undefined && tick < index; tick = taken[++next])
      all.push(tick)
  }
  for (const index of some) {
    copyUntil(index)
    const before = all.at(-1) ?? Number.NEGATIVE_INFINITY
    const behind = taken[next] ?? Number.POSITIVE_INFINITY
    if (index - before >= apart && behind - index >= apart) all.push(index)
  }
  copyUntil(Number.POSITIVE_INFINITY)
  return all
}

/** How round each time is, beside the one before. */
function ranksOf(times: readonly number[], isUtc: boolean): readonly number[] {
  let before: LocalTime | undefined
  return times.map((time) => {
    const now = momentOf(new Date(time * MS_PER_SECOND), isUtc)
    const rank = before === undefined ? 0 : rankOf(now, before)
    before = now
    return rank
  })
}

function rankOf(now: LocalTime, before: LocalTime): number {
  if (now[0] !== before[0]) return YEAR
  if (now[1] !== before[1]) return MONTH
  if (now[2] !== before[2]) return DAY
  return PARTS.findLastIndex((part) => floorTo(now[3], part) !== floorTo(before[3], part)) + 1
}

const floorTo = (minute: number, part: number): number => Math.floor(minute / part)

const momentOf = (date: Date, isUtc: boolean): LocalTime =>
  isUtc
    ? [
        ...([date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()] as const),
        date.getUTCHours() * MINUTES_PER_HOUR + date.getUTCMinutes(),
      ]
    : [
        ...([date.getFullYear(), date.getMonth(), date.getDate()] as const),
        date.getHours() * MINUTES_PER_HOUR + date.getMinutes(),
      ]

function kindOf(rank: number, isUtc: boolean): TickKind {
  if (rank >= DAY) return TICK_KINDS[rank - DAY + 1] ?? 'day'
  return isUtc ? 'day' : 'time'
}
