// Compares decimal text without converting it to numbers.

/**
 * Returns a negative number, 0 or a positive number as `a` is below, equal to or above `b`. Both
 * are non-negative decimals in shortest form, as the venue writes them: `3217.92`, `12`.
 */
export function compareDecimals(a: string, b: string): number {
  const [dotA, dotB] = [pointOf(a), pointOf(b)]
  if (dotA !== dotB) return dotA - dotB
  return a === b ? 0 : a < b ? -1 : 1
}

/** Number of digits before the point. Texts with equally many compare character by character. */
function pointOf(text: string): number {
  const dot = text.indexOf('.')
  return dot === -1 ? text.length : dot
}
