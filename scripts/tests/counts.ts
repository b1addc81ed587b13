// Adds up how many tests ran and how they ended.

const FIELDS = ['tests', 'suites', 'passed', 'failed', 'cancelled', 'skipped', 'todo'] as const

export type Counts = Readonly<Record<(typeof FIELDS)[number], number>>

export const NONE: Counts = {
  tests: 0,
  suites: 0,
  passed: 0,
  failed: 0,
  cancelled: 0,
  skipped: 0,
  todo: 0,
}

export const addCounts = (a: Counts, b: Counts): Counts =>
  Object.fromEntries(FIELDS.map((field) => [field, a[field] + b[field]])) as Counts

export const isGreen = ({ failed, cancelled }: Counts): boolean => failed === 0 && cancelled === 0

/**
 * forge's last line: Ran 2 test suites in 1s (2s CPU time): 7 tests passed, 1 failed, 0 skipped (8
 * …
 */
const FORGE_TOTAL =
  /Ran (\d+) test suites? in .*: (\d+) tests? passed, (\d+) failed, (\d+) skipped/g

/** Returns the totals that forge printed, or nothing where it printed none. */
export function parseForge(output: string): Counts | undefined {
  const total = [...output.matchAll(FORGE_TOTAL)].at(-1)
  if (total === undefined) return undefined
  const [suites = 0, passed = 0, failed = 0, skipped = 0] = total.slice(1).map(Number)
  return { ...NONE, tests: passed + failed + skipped, suites, passed, failed, skipped }
}
