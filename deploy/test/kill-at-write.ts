// Loaded into a command before it begins: kills it when it puts a file in its place for so many
// times, just before that or just after. KILL_AT_WRITE is `3 before`.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [writes, moment] = (process.env.KILL_AT_WRITE ?? '').split(' ')
const rename = fs.renameSync
let left = Number(writes)

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal is on its way.
  for (;;);
}

fs.renameSync = (from, to) => {
  left -= 1
  if (left === 0 && moment === 'before') die()
  rename(from, to)
  if (left === 0) die()
}
syncBuiltinESMExports()
