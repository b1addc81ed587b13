// Everything that continuous integration asks, runnable at home: `npm run check`.
// `npm run check -- static` stops before the tests.
import { spawnSync } from 'node:child_process'

const STATIC = [
  ['format and lint', 'biome', 'check', '.'],
  ['types', 'tsc', '-p', '.'],
  ['types of core, without any I/O', 'tsc', '-p', 'core'],
  ['types of wire, without any I/O', 'tsc', '-p', 'wire'],
  ['contracts: format, generated files', 'npm', 'run', 'check', '-w', 'contracts'],
] as const
const TESTS = [
  ['tests on PostgreSQL and Redis', 'npm', 'run', 'test:services'],
  ['drills, the short form', 'npm', 'run', 'drills', '--', '--short'],
  ['tests', 'npm', 'test'],
] as const

const steps = process.argv.includes('static') ? STATIC : [...STATIC, ...TESTS]
for (const [name, command, ...args] of steps) {
  process.stdout.write(`\n== ${name}\n`)
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) {
    process.stdout.write(`\n${name}: failed\n`)
    process.exit(status ?? 1)
  }
}
