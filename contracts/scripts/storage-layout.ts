// Checks that contracts which delegate to one another have their shared variables at the same
// slots, since they act on one storage.

/** A variable of the layout: `label` is its name, `offset` its first byte within the slot. */
export type Variable = Readonly<{ label: string; slot: string; offset: number; type: string }>

/** The compiler numbers a type by the files it was compiled with. */
const describe = ({ label, slot, offset, type }: Variable): string =>
  `${label} of ${type.replace(/\)\d+/g, ')')} at ${slot}.${offset}`

/** Throws unless the variables of `part` are the first ones of `whole`, each in its slot. */
export function requirePrefix(
  part: string,
  whole: string,
  readVariables: (contract: string) => readonly Variable[],
): void {
  const expected = readVariables(whole).map(describe)
  for (const [index, variable] of readVariables(part).entries()) {
    if (describe(variable) === expected[index]) continue
    const other = expected[index] ?? 'nothing'
    throw new Error(`${part} has ${describe(variable)}, where ${whole} has ${other}`)
  }
}
