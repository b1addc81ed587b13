// Makes a venue's history once per run of all tests: a venue that resumes from a copy starts in a
// third of the time. The runner sets the folder; without one there is no sharing.
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@openvenue/core/test/until'

/** Time after which the process that started to make it has failed. */
const MAKING_MS_MAX = 120_000

/**
 * Fills `dataDir` with the history that `make` writes into a folder, or with a copy of another
 * test's. Returns false without a shared folder, and leaves `dataDir` unchanged.
 */
export async function copyPast(
  dataDir: string,
  make: (folder: string) => Promise<void>,
  folder: string | undefined,
): Promise<boolean> {
  if (folder === undefined) return false
  mkdirSync(folder, { recursive: true })
  const past = join(folder, 'past')
  if (claim(join(folder, 'claimed'))) {
    const making = join(folder, 'making')
    mkdirSync(making)
    await make(making)
    renameSync(making, past)
  }
  await until(`the past is made in ${folder}`, () => existsSync(past), MAKING_MS_MAX)
  cpSync(past, dataDir, { recursive: true })
  return true
}

/** Returns whether the caller is the first, and must make it. */
function claim(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
