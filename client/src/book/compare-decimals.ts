// Compares decimal text without turning it into numbers.

/**
 * Returns below 0, 0 or above 0 as `a` is below, equal to or above `b`. Both are decimals from 0
 * on in their shortest form, as the venue writes them: `3217.92`, `0.5`, `12`.
 */
export function compareDecimals(a: string, b: string): number {
  const [dotA, dotB] = [pointOf(a), pointOf(b)]
  if (dotA !== dotB) return dotA - dotB
  return a === b ? 0 : a < b ? -1 : 1
}

/** Digits before the point: of two texts with as many, the order is that of their characters. */
function pointOf(text: string): number {
  const dot = text.indexOf('.')
  return dot === -1 ? text.length : dot
}
