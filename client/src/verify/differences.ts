// Compares the venue with the chain, member by member.
import { type Difference, MismatchError } from '../errors.ts'

/** A member with its path, the venue's value and the chain's value. */
export type MemberComparison = readonly [path: string, venue: unknown, chain: unknown]

/** Maximum number of differences in the message of an error. */
const LISTED_MAX = 20

/** Throws a {@link MismatchError} with all of `members` that differ. */
export function expectSame(subject: string, members: readonly MemberComparison[]): void {
  const differences: Difference[] = members
    .filter(([, venue, chain]) => venue !== chain)
    .map(([path, venue, chain]) => ({ path, venue: textOf(venue), expected: textOf(chain) }))
  if (differences.length === 0) return
  const listed = differences
    .slice(0, LISTED_MAX)
    .map(({ path, venue, expected }) => `${path}: venue ${venue}, chain ${expected}`)
  throw new MismatchError(`${subject}: ${listed.join('; ')}`, differences)
}

/**
 * Pairs the members of two objects that must be equal; a member that one of them lacks is `nothing`
 * there.
 */
export const membersOf = (
  path: string,
  venue: Readonly<Record<string, unknown>> | undefined,
  chain: Readonly<Record<string, unknown>> | undefined,
): MemberComparison[] =>
  Object.keys(chain ?? venue ?? {}).map((name) => [`${path}${name}`, venue?.[name], chain?.[name]])

const textOf = (value: unknown): string => (value === undefined ? 'nothing' : String(value))
