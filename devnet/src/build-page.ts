// Builds the terminal in a separate process, while the chain starts, which takes longer.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'

const SCRIPT = fileURLToPath(new URL('../../terminal/scripts/build.ts', import.meta.url))
/** A build takes two seconds, and a tenth of one without changes. */
const BUILD_MS_MAX = 120_000

/** Error line of the build script. */
const SAID = /^the page was not built: (.+)$/m

/**
 * Returns undefined once the page is built from its sources, or the reason in one line; never
 * rejects. Without it, or its build tools, the venue runs with the previous page or none.
 */
export function buildPage(
  log: Pick<Logger, 'warn'>,
  signal: AbortSignal | undefined,
  script = SCRIPT,
): Promise<string | undefined> {
  const options = { timeout: BUILD_MS_MAX, ...(signal && { signal }) }
  return new Promise((resolve) => {
    execFile(process.execPath, [script], options, (error, _stdout, stderr) => {
      if (error === null || signal?.aborted === true) return resolve(undefined)
      const late = `it was not there within ${BUILD_MS_MAX / 1000} s`
      const why = SAID.exec(stderr)?.[1] ?? (error.killed === true ? late : 'its script ended')
      log.warn({ output: stderr }, 'the page was not built')
      resolve(why)
    })
  })
}
