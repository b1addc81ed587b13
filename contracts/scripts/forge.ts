// Runs forge: `npm run forge -w contracts -- test --match-test place`. By its package rather than by
// its command, since npm 9, which Debian ships, leaves that command out.
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = resolve(import.meta.dirname, '..')

const FORGE = fileURLToPath(import.meta.resolve('@foundry-rs/forge/bin.mjs'))

/** Runs forge in `contracts` and waits for it. */
export const runForge = (args: readonly string[], options: SpawnSyncOptions = {}) =>
  spawnSync(process.execPath, [FORGE, ...args], { cwd: ROOT, encoding: 'utf8', ...options })

if (process.argv[1] === import.meta.filename) {
  const { status } = runForge(process.argv.slice(2), { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
