// Plants bugs in a copy of the contracts, one at a time, and requires that each is found by its
// test, or by the short invariants: `npm run mutants -w contracts`. A test that no planted bug can
// fail proves nothing. `-- mark custody` plants these lists, `-- --only dust` the bugs with dust in
// their name. The long fuzz ends with the bugs marked `afterFuzz`.
import { parseArgs } from 'node:util'
import { MUTANTS as adversary } from './mutants/adversary.ts'
import { MUTANTS as backing } from './mutants/backing.ts'
import { MUTANTS as book } from './mutants/book.ts'
import { MUTANTS as cancellers } from './mutants/cancellers.ts'
import { MUTANTS as custody } from './mutants/custody.ts'
import { MUTANTS as depth } from './mutants/depth.ts'
import { MUTANTS as distress } from './mutants/distress.ts'
import { MUTANTS as governance } from './mutants/governance.ts'
import { MUTANTS as insurance } from './mutants/insurance.ts'
import { MUTANTS as mark } from './mutants/mark.ts'
import type { Mutant } from './mutants/mutant.ts'
import { MUTANTS as prices } from './mutants/prices.ts'
import { MUTANTS as schemes } from './mutants/schemes.ts'
import { close, open, plant, requirePlantable } from './mutants/workshop.ts'

const LISTS: Readonly<Record<string, readonly Mutant[]>> = {
  book,
  mark,
  prices,
  depth,
  backing,
  distress,
  insurance,
  custody,
  governance,
  cancellers,
  adversary,
  schemes,
}

export const AFTER_FUZZ: readonly Mutant[] = Object.values(LISTS)
  .flat()
  .filter(({ afterFuzz }) => afterFuzz)

/** Returns the bugs selected on the command line, by default all. */
function choose(args: readonly string[]): readonly Mutant[] {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { only: { type: 'string', default: '' } },
    allowPositionals: true,
  })
  const names = positionals.length === 0 ? Object.keys(LISTS) : positionals
  const chosen = names.flatMap((name) => {
    const list = LISTS[name]
    if (list !== undefined) return list
    throw new Error(`list: got ${name}, expected ${Object.keys(LISTS).join(', ')}`)
  })
  const named = chosen.filter(({ name }) => name.includes(values.only))
  if (named.length === 0) throw new Error(`--only: got ${values.only}, expected part of a name`)
  return named
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Plants each bug and returns the number of those not found. */
export function plantEach(mutants: readonly Mutant[]): number {
  requirePlantable(mutants)
  let missed = 0
  const width = Math.max(...mutants.map(({ name }) => name.length))
  let startMs = Date.now()
  const elapsed = (): string => {
    const seconds = Math.round((Date.now() - startMs) / 1000)
    startMs = Date.now()
    return `${String(seconds).padStart(4)} s`
  }
  try {
    open(mutants)
    print(`${'as it is'.padEnd(width)}  ${elapsed()}  sound`)
    for (const mutant of mutants) {
      const reason = plant(mutant)
      if (reason === null) missed += 1
      const verdict = reason === null ? 'NOT FOUND' : `found: ${reason}`
      print(`${mutant.name.padEnd(width)}  ${elapsed()}  ${verdict}`)
    }
  } finally {
    close()
  }
  print(`${mutants.length - missed} of ${mutants.length} planted bugs found`)
  return missed
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = plantEach(choose(process.argv.slice(2))) === 0 ? 0 : 1
}
