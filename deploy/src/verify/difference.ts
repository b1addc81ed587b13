// What stands on the chain and should not.
export type Difference = Readonly<{ what: string; stands: string; wanted: string }>

export const differenceText = ({ what, stands, wanted }: Difference): string =>
  `${what}: ${stands}, and should be ${wanted}`

/** Returns the difference between two texts, if there is one. */
export const compare = (what: string, stands: unknown, wanted: unknown): readonly Difference[] => {
  const [is, should] = [String(stands).toLowerCase(), String(wanted).toLowerCase()]
  return is === should ? [] : [{ what, stands: is, wanted: should }]
}
