/** A bug to plant. */
export type Mutant = Readonly<{
  name: string
  /** In `src`. */
  file: string
  /** Stands exactly once in the file. */
  from: string
  to: string
  /** The test file that must find it, from `contracts` on; the short invariants when none is named. */
  by?: string
  /** Planted at the end of every long fuzz, too. */
  afterFuzz?: true
}>
