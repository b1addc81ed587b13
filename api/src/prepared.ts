// Bodies that many clients ask for, kept as ready-made bytes: rebuilt at most once per change, by
// the first read after it.

/**
 * Returns a reader of the body that `build` gives. It is built again only when `version` has
 * another value than at the last build.
 */
export function prepared(version: () => number | string, build: () => unknown): () => Buffer {
  let builtAt: number | string | undefined
  let bytes: Buffer = Buffer.alloc(0)
  return () => {
    const now = version()
    if (now !== builtAt) {
      bytes = jsonBytes(build())
      builtAt = now
    }
    return bytes
  }
}

/** Returns `body` as JSON. */
export const jsonBytes = (body: unknown): Buffer => Buffer.from(JSON.stringify(body))

/**
 * Keeps what `create` makes for the last `max` keys asked for, so that neither clients nor time can
 * fill the memory.
 */
export function bounded<T>(max: number, create: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>()
  return (key) => {
    const found = kept.get(key)
    if (found !== undefined) return found
    const made = create(key)
    if (kept.size >= max) kept.delete(kept.keys().next().value as string)
    kept.set(key, made)
    return made
  }
}
