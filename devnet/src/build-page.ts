// Builds the terminal in a process of its own, beside the chain, which takes longer.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'

const SCRIPT = fileURLToPath(new URL('../../terminal/scripts/build.ts', import.meta.url))
/** Takes two seconds, and a tenth of one where nothing has changed. */
const BUILD_MS_MAX = 120_000

/** Of the script, at the beginning of a line. */
const SAID = /^the page was not built: (.+)$/m

/**
 * Returns once the page is as its sources say, or in a line why it is not; never rejects. Without
 * it, or without the tools that build it, the venue runs all the same: with the page of before, or
 * none.
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
