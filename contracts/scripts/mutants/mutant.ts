/** A bug to plant. */
export type Mutant = Readonly<{
  name: string
  /** Path in `src`. */
  file: string
  /** Occurs exactly once in the file. */
  from: string
  to: string
  /** Path of the test file that must find it; by default the short invariants. */
  by?: string
  /** The one test of that file: others there need the gas of contracts compiled with IR. */
  test?: string
  /** Also planted at the end of every long fuzz. */
  afterFuzz?: true
}>
