// Contracts that delegate to one another act on one storage: what one has, the other must have in the
// same place.

/** As the compiler lists it: `label` is the name, `offset` the first byte within the slot. */
export type Variable = Readonly<{ label: string; slot: string; offset: number; type: string }>

/** The compiler numbers a type by the files it was compiled with. */
const placeOf = ({ label, slot, offset, type }: Variable): string =>
  `${label} of ${type.replace(/\)\d+/g, ')')} at ${slot}.${offset}`

/** Throws unless the variables of `part` are the first ones of `whole`, each in its place. */
export function requirePrefix(
  part: string,
  whole: string,
  variablesOf: (contract: string) => readonly Variable[],
): void {
  const places = variablesOf(whole).map(placeOf)
  for (const [index, variable] of variablesOf(part).entries()) {
    if (placeOf(variable) === places[index]) continue
    const other = places[index] ?? 'nothing'
    throw new Error(`${part} has ${placeOf(variable)}, where ${whole} has ${other}`)
  }
}
