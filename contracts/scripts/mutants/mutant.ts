/** A bug to plant. */
export type Mutant = Readonly<{
  name: string
  /** In `src`. */
  file: string
  /** Stands exactly once in the file. */
  from: string
  to: string
  /** Path of the test file that must find it; the short invariants when none is named. */
  by?: string
  /** Planted at the end of every long fuzz, too. */
  afterFuzz?: true
}>
