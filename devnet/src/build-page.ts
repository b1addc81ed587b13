// Builds the terminal in a process of its own, beside the chain, which takes longer.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'

const SCRIPT = fileURLToPath(new URL('../../terminal/scripts/build.ts', import.meta.url))
/** Takes two seconds, and a tenth of one where nothing has changed. */
const BUILD_MS_MAX = 120_000

/**
 * Returns when the page is as its sources say; never rejects. Without it, or without the tools that
 * build it, the venue runs all the same: with the page of before, or none.
 */
export function buildPage(
  log: Pick<Logger, 'warn'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const options = { timeout: BUILD_MS_MAX, ...(signal && { signal }) }
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT], options, (error, _stdout, stderr) => {
      if (error !== null && signal?.aborted !== true)
        log.warn({ output: stderr }, 'the terminal was not built')
      resolve()
    })
  })
}
