// Starts forge itself, since the launcher that npm installs ends with 0 when forge fails.
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '..')

function forgePath(): string {
  const system = process.platform
  const machine = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/forge-${system}-${machine}`
  const suffix = system === 'win32' ? '.exe' : ''
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/forge${suffix}`)
  } catch (cause) {
    throw new Error(`forge is not installed for this machine (${name}): run npm ci`, { cause })
  }
}

/** Runs forge in `contracts` and waits for it. */
export const runForge = (args: readonly string[], options: SpawnSyncOptions = {}) =>
  spawnSync(forgePath(), args, { cwd: ROOT, encoding: 'utf8', ...options })
