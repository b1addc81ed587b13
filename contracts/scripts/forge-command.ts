// Runs forge: `npm run forge -w contracts -- test --match-test place`.
import { runForge } from './forge.ts'
import { runForgeTest } from './shipped.ts'

const [command = '', ...args] = process.argv.slice(2)
const options = { stdio: 'inherit' } as const
const { status } =
  command === 'test' ? runForgeTest(args, options) : runForge([command, ...args], options)
process.exitCode = status ?? 1
