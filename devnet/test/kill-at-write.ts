// Preloaded into a process: kills it around writes to the files of DATA_DIR and around the start of
// another process. KILL_AT is `3 before`: just before the third of them.
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const [at, moment] = (process.env.KILL_AT ?? '').split(' ')
const dataDir = process.env.DATA_DIR ?? ''
let left = Number(at)

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // Waits for the signal.
  for (;;);
}

function around<T>(work: () => T): T {
  left -= 1
  if (left === 0 && moment === 'before') die()
  const done = work()
  if (left === 0) die()
  return done
}

const isOurs = (path: unknown) => String(path).startsWith(dataDir)

if (isMainThread) {
  const { writeFileSync, renameSync, linkSync, rmSync } = fs
  const { spawn } = childProcess
  fs.writeFileSync = ((path, ...rest) =>
    isOurs(path)
      ? around(() => writeFileSync(path, ...rest))
      : writeFileSync(path, ...rest)) as typeof writeFileSync
  fs.renameSync = (from, to) =>
    isOurs(from) ? around(() => renameSync(from, to)) : renameSync(from, to)
  fs.linkSync = (from, to) => around(() => linkSync(from, to))
  fs.rmSync = (path, options) =>
    isOurs(path) ? around(() => rmSync(path, options)) : rmSync(path, options)
  childProcess.spawn = ((...args: Parameters<typeof spawn>) =>
    around(() => spawn(...args))) as typeof spawn
  syncBuiltinESMExports()
}
