// Finds files that import each other in a circle.

/** Every file with those that it imports. */
type Graph = ReadonlyMap<string, readonly string[]>

/** Returns a circle of files that import each other, first file last again; none: nothing. */
export function circleIn(graph: Graph): readonly string[] {
  const done = new Set<string>()
  const search = (path: string, above: readonly string[]): readonly string[] => {
    const since = above.indexOf(path)
    if (since >= 0) return [...above.slice(since), path]
    if (done.has(path)) return []
    for (const target of graph.get(path) ?? []) {
      const circle = search(target, [...above, path])
      if (circle.length > 0) return circle
    }
    done.add(path)
    return []
  }
  for (const path of graph.keys()) {
    const circle = search(path, [])
    if (circle.length > 0) return circle
  }
  return []
}
