// Preloaded into a command: kills it just before or after its n-th rename of a file. KILL_AT_WRITE
// is `3 before`.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [writes, moment] = (process.env.KILL_AT_WRITE ?? '').split(' ')
const rename = fs.renameSync
let left = Number(writes)

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // Waits for the signal.
  for (;;);
}

fs.renameSync = (from, to) => {
  left -= 1
  if (left === 0 && moment === 'before') die()
  rename(from, to)
  if (left === 0) die()
}
syncBuiltinESMExports()
