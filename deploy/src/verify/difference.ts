// A value on chain that differs from the expected one.
export type Difference = Readonly<{ what: string; stands: string; wanted: string }>

export const differenceText = ({ what, stands, wanted }: Difference): string =>
  `${what}: got ${stands}, expected ${wanted}`

/** Returns the difference between two texts, if any. */
export const compare = (what: string, stands: unknown, wanted: unknown): readonly Difference[] => {
  const [is, should] = [String(stands).toLowerCase(), String(wanted).toLowerCase()]
  return is === should ? [] : [{ what, stands: is, wanted: should }]
}
