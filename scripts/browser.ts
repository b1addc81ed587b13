// Builds the terminal and tests it in Chromium, on a venue of its own: npm run test:browser, or
// with names of files after `--`. What they are about stands in terminal/test.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { CHROMIUM, installChromium } from './debian.ts'

const TESTS = 'terminal/test/*.browser.ts'

/** Returns the status of a program of node's, which prints what it has to say. */
function run(args: readonly string[]): number {
  const env = { ...process.env, CHROMIUM }
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1
}

function main(): number {
  if (!installChromium()) {
    process.stdout.write('there is no Chromium here: the terminal is not tested\n')
    return 1
  }
  const given = process.argv.slice(2)
  const files = given.length > 0 ? given : globSync(TESTS).sort()
  const built = run(['terminal/scripts/build.ts'])
  // One after the other: each has a venue, whose blocks should not be late.
  return built === 0 ? run(['--test', '--test-concurrency=1', ...files]) : built
}

process.exitCode = main()
