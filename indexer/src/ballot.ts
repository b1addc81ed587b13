// Counts the answers of endpoints about one height.

/** Hash of each endpoint's block at a height; undefined when it has none or does not answer. */
export type Ballot = readonly (string | undefined)[]

/** Returns the hash given by more than half of the endpoints with a block; undefined if none is. */
export function findMajority(ballot: Ballot): string | undefined {
  const said = ballot.filter((hash) => hash !== undefined)
  return said.find((hash) => said.filter((other) => other === hash).length * 2 > said.length)
}

/** Returns whether more than half of the endpoints with a block have another one than `hash`. */
export function isRefuted(ballot: Ballot, hash: string): boolean {
  const said = ballot.filter((one) => one !== undefined)
  return said.filter((one) => one !== hash).length * 2 > said.length
}

/** Returns the endpoints that have another hash or, with `isFor`, this one. */
export const findVoters = (ballot: Ballot, hash: string, isFor: boolean): number[] =>
  ballot.flatMap((one, index) => (one !== undefined && (one === hash) === isFor ? [index] : []))
