// Counts what the endpoints say of one height.

/**
 * By endpoint, the hash of its block at a height; undefined where it has none or does not answer.
 */
export type Ballot = readonly (string | undefined)[]

/**
 * Returns the hash that more than half of those who have a block say; undefined if there is none.
 */
export function findMajority(ballot: Ballot): string | undefined {
  const said = ballot.filter((hash) => hash !== undefined)
  return said.find((hash) => said.filter((other) => other === hash).length * 2 > said.length)
}

/** Returns whether more than half of those who have a block have another than `hash`. */
export function isRefuted(ballot: Ballot, hash: string): boolean {
  const said = ballot.filter((one) => one !== undefined)
  return said.filter((one) => one !== hash).length * 2 > said.length
}

/** Returns the endpoints that say something else than `hash`, or, with `isFor`, just that. */
export const findVoters = (ballot: Ballot, hash: string, isFor: boolean): number[] =>
  ballot.flatMap((one, index) => (one !== undefined && (one === hash) === isFor ? [index] : []))
