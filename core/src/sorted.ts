// Distinct numbers kept in ascending order.

/** Returns the index of the first entry of ascending `list` that is at least `value`. */
function lowerBound(list: readonly number[], value: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Inserts `value` into ascending `list` unless present. */
export function insertSorted(list: number[], value: number): void {
  const last = list.length - 1
  if (last < 0 || (list[last] as number) < value) {
    list.push(value)
    return
  }
  const at = lowerBound(list, value)
  if (list[at] !== value) list.splice(at, 0, value)
}

/** Removes `value` from ascending `list` if present. */
export function removeSorted(list: number[], value: number): void {
  const at = lowerBound(list, value)
  if (list[at] !== value) return
  if (at === list.length - 1) list.pop()
  else list.splice(at, 1)
}
