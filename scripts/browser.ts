// Builds the terminal and tests it in Chromium, on a venue of its own: npm run test:browser, or
// with names of files after `--`. What they are about stands in terminal/test.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHROMIUM, installChromium } from './debian.ts'

const TESTS = 'terminal/test/*.browser.ts'
/** Stands in a test whose venue is several processes, which share a PostgreSQL. */
const NEEDS_DATABASE = 'process.env.DATABASE_URL'

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
  // Their venues share a past, which the first of them makes (e2e/src/shared-past.ts).
  const pastDir = mkdtempSync(join(tmpdir(), 'openvenue-past-'))
  process.env.VENUE_PAST_DIR = pastDir
  process.once('exit', () => rmSync(pastDir, { recursive: true, force: true }))
  const given = process.argv.slice(2)
  const files = given.length > 0 ? given : globSync(TESTS).sort()
  const built = run(['terminal/scripts/build.ts'])
  if (built !== 0) return built
  const [served = [], others = []] = [true, false].map((needs) =>
    files.filter((file) => readFileSync(file, 'utf8').includes(NEEDS_DATABASE) === needs),
  )
  // One after the other: each has a venue, whose blocks should not be late.
  const test = ['--test', '--test-concurrency=1']
  const status = others.length === 0 ? 0 : run([...test, ...others])
  if (served.length === 0) return status
  return run(['scripts/services.ts', process.execPath, ...test, ...served]) || status
}

process.exitCode = main()
