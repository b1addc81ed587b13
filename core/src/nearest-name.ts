// Finds the name that was probably meant, for the refusal of an unknown one.
/** Longer text resembles no name, and takes long to compare. */
const TEXT_LENGTH_MAX = 40
/** Maximum names to compare. */
const NAMES_MAX = 2000

/** Returns the name nearest to `text`; undefined when none is near. */
export function nearestName(names: Iterable<string>, text: string): string | undefined {
  const searched = text.trim().toUpperCase()
  if (searched === '' || searched.length > TEXT_LENGTH_MAX) return undefined
  let nearest: string | undefined
  // Names that differ in more than a third of the letters are unrelated.
  let least = Math.floor(searched.length / 3) + 1
  let compared = 0
  for (const name of names) {
    if (compared++ >= NAMES_MAX) break
    const candidate = name.toUpperCase()
    if (candidate === searched) return name
    const distance = candidate.startsWith(`${searched}-`)
      ? 1
      : editDistance(searched, candidate, least)
    if (distance >= least) continue
    least = distance
    nearest = name
  }
  return nearest
}

/** Returns the letters to add, remove or replace; `max` when there are as many or more. */
function editDistance(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) >= max) return max
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return Math.min(row.at(-1) ?? max, max)
}
