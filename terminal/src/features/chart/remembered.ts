/** Returns a function that has its last result again for the same key. */
export function remembered<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Result,
) {
  let last: Readonly<{ key: string; result: Result }> | undefined
  return (key: string, ...args: Args): Result => {
    if (last?.key !== key) last = { key, result: work(...args) }
    return last.result
  }
}
