// Runs programs that a user of the package runs: npm, compilers, and other versions of Node.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../scripts/entries.ts'

const run = promisify(execFile)
const TIMEOUT_MS = 120_000

/** Registry and trusted authorities, which npm reads again. */
const REGISTRY_SETTINGS = new Set([
  'NODE_EXTRA_CA_CERTS',
  ...['cafile', 'registry', 'globalconfig', 'userconfig'].map((name) => `npm_config_${name}`),
])
/** npm settings of the parent process would change a nested run of npm. */
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => REGISTRY_SETTINGS.has(name) || !/^npm_|^NODE_/.test(name),
  ),
)

/** Runs a program to its end in `cwd`. Throws its output on failure. */
export async function runIn(cwd: string, command: string, ...args: readonly string[]) {
  try {
    return await run(command, args, { cwd, env: ENVIRONMENT, timeout: TIMEOUT_MS })
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error })
  }
}

/** Returns a Node binary of that version, downloaded once and cached. */
export async function nodeOf(version: string): Promise<string> {
  const folder = join(ROOT, 'node_modules/.cache/openvenue', `node-${version}`)
  const path = join(folder, 'node_modules/.bin/node')
  if (!existsSync(path))
    await runIn(ROOT, 'npm', 'install', '--prefix', folder, '--prefer-offline', `node@${version}`)
  return path
}

const client = createRequire(join(ROOT, 'client/package.json'))

/** Returns the older compiler that the linter of published types brings. */
export function olderCompiler(): Readonly<{ version: string; path: string }> {
  const checker = createRequire(client.resolve('@arethetypeswrong/cli/package.json'))
  const core = createRequire(checker.resolve('@arethetypeswrong/core'))
  const manifest = core.resolve('typescript/package.json')
  const { version } = core(manifest) as { version: string }
  return { version, path: join(dirname(manifest), 'bin/tsc') }
}

/** Returns the version of a package that this repository installs. */
export const versionOf = (name: string): string =>
  (client(`${name}/package.json`) as { version: string }).version
