// A value on chain that differs from the expected one.
export type Difference = Readonly<{ subject: string; actual: string; expected: string }>

export const differenceText = ({ subject, actual, expected }: Difference): string =>
  `${subject}: got ${actual}, expected ${expected}`

/** Returns the difference between two texts, if any. */
export const compare = (
  subject: string,
  actualValue: unknown,
  expectedValue: unknown,
): readonly Difference[] => {
  const actual = String(actualValue).toLowerCase()
  const expected = String(expectedValue).toLowerCase()
  return actual === expected ? [] : [{ subject, actual, expected }]
}
