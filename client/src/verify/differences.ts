// Compares what the venue says with what the chain says, member by member.
import { type Difference, MismatchError } from '../errors.ts'

/** A member: its path, what the venue says, and what the chain says. */
export type Compared = readonly [path: string, venue: unknown, chain: unknown]

/** Differences that an error lists: the first of them. */
const LISTED_MAX = 20

/** Throws a {@link MismatchError} with all of `members` that differ. */
export function expectSame(subject: string, members: readonly Compared[]): void {
  const differences: Difference[] = members
    .filter(([, venue, chain]) => venue !== chain)
    .map(([path, venue, chain]) => ({ path, venue: textOf(venue), expected: textOf(chain) }))
  if (differences.length === 0) return
  const listed = differences
    .slice(0, LISTED_MAX)
    .map(({ path, venue, expected }) => `${path}: the venue says ${venue}, the chain ${expected}`)
  throw new MismatchError(`${subject}: ${listed.join('; ')}`, differences)
}

/**
 * Returns the members of two objects that are to be the same; a member that one of them lacks is
 * `nothing` there.
 */
export const membersOf = (
  path: string,
  venue: Readonly<Record<string, unknown>> | undefined,
  chain: Readonly<Record<string, unknown>> | undefined,
): Compared[] =>
  Object.keys(chain ?? venue ?? {}).map((name) => [`${path}${name}`, venue?.[name], chain?.[name]])

const textOf = (value: unknown): string => (value === undefined ? 'nothing' : String(value))
