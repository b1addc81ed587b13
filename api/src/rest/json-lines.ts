// Formats JSON for readers: on one line when it is short, else indented.

const COLUMNS = 72

/** Returns JSON on one line where that fits, else indented, with short parts on one line. */
export function jsonLines(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (line.length + indent.length <= COLUMNS || typeof value !== 'object') return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => inner + jsonLines(item, inner))
    : Object.entries(value ?? {}).map(
        ([key, own]) => `${inner}${JSON.stringify(key)}: ${jsonLines(own, inner)}`,
      )
  const [left, right] = Array.isArray(value) ? '[]' : '{}'
  return `${left}\n${parts.join(',\n')}\n${indent}${right}`
}
