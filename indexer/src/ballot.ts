// Counts the answers of endpoints about one height.

/** Hash of each endpoint's block at a height; undefined when it has none or does not answer. */
export type Ballot = readonly (string | undefined)[]

/** Returns the hash given by more than half of the endpoints with a block; undefined if none is. */
export function findMajority(ballot: Ballot): string | undefined {
  const votes = ballot.filter((hash) => hash !== undefined)
  return votes.find((hash) => votes.filter((other) => other === hash).length * 2 > votes.length)
}

/** Returns whether more than half of the endpoints with a block have another one than `hash`. */
export function isRefuted(ballot: Ballot, hash: string): boolean {
  const votes = ballot.filter((vote) => vote !== undefined)
  return votes.filter((vote) => vote !== hash).length * 2 > votes.length
}

/** Returns the endpoints that have another hash or, with `isFor`, this one. */
export const findVoters = (ballot: Ballot, hash: string, isFor: boolean): number[] =>
  ballot.flatMap((vote, index) => (vote !== undefined && (vote === hash) === isFor ? [index] : []))
