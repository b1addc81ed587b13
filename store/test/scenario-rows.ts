// Collects the rows of a scenario as accounts read them: their order, whose they are, their times.
import type { BlockChanges } from '@openvenue/core/changes'
import { rowsOfKind } from './replay.ts'

export function collectRows<T>(
  blocks: readonly BlockChanges[],
  kind: Parameters<typeof rowsOfKind>[1],
): T[] {
  const changes = blocks.flatMap((block) => block.changes)
  return rowsOfKind(changes, kind) as unknown as T[]
}

export type Key = readonly [seconds: number, id: string]

export const compare = ([seconds, id]: Key, [otherSeconds, otherId]: Key) =>
  seconds - otherSeconds || (id < otherId ? -1 : Number(id > otherId))

/** Returns the account that most rows are of, among some. */
export function busiest(
  rows: readonly Readonly<{ account: number }>[],
  among?: Set<number>,
): number {
  const groups = [...Map.groupBy(rows, ({ account }) => account)]
  const [[account] = [0]] = groups
    .filter(([number]) => among?.has(number) ?? true)
    .sort(([, a], [, b]) => b.length - a.length)
  return account
}

/** The seconds of `rows`, those right after, and two that no row has. */
export const edgeSeconds = (rows: readonly Readonly<{ seconds: number }>[]) => [
  0,
  2 ** 40,
  ...rows.flatMap(({ seconds }) => [seconds, seconds + 1]),
]
