// Makes the past of a venue once in a run of all tests: one that resumes from a copy starts in a
// third of the time. Which folder it is kept in says whoever runs them; without one there is none.
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@openvenue/core/test/until'

/** Nobody takes so long to make it: whoever began has failed. */
const MAKING_MS_MAX = 120_000

/**
 * Fills `dataDir` with the past that `make` writes into a folder, or with a copy of what another
 * test has made. Returns false where nobody keeps one, and `dataDir` stays as it is.
 */
export async function copyPast(
  dataDir: string,
  make: (folder: string) => Promise<void>,
  kept: string | undefined,
): Promise<boolean> {
  if (kept === undefined) return false
  mkdirSync(kept, { recursive: true })
  const past = join(kept, 'past')
  if (claim(join(kept, 'claimed'))) {
    const making = join(kept, 'making')
    mkdirSync(making)
    await make(making)
    renameSync(making, past)
  }
  await until(`the past is made in ${kept}`, () => existsSync(past), MAKING_MS_MAX)
  cpSync(past, dataDir, { recursive: true })
  return true
}

/** Whether the caller is the first, and makes it. */
function claim(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
