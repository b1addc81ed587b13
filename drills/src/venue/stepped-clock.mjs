// Preloaded into a process: shifts its wall clock by the offset in a file, which is read again at
// every SIGUSR2. The monotonic clock is unchanged.
import { readFileSync } from 'node:fs'

const path = process.env.DRILL_CLOCK_FILE
const trueNow = Date.now
let offsetMs = 0

const read = () => {
  offsetMs = Number(readFileSync(path, 'utf8'))
}
if (path !== undefined) {
  process.on('SIGUSR2', read)
  read()
}

const now = () => trueNow() + offsetMs
const TrueDate = Date
TrueDate.now = now
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new TrueDate(now()).toString(),
})
