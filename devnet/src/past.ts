// Makes the past of a new chain in a thread of its own, so that this one can index it meanwhile.
import { Worker } from 'node:worker_threads'
import type { PastOptions } from './past-main.ts'
import type { Startup } from './startup.ts'

export type Past = Readonly<{
  /** Fulfilled when the chain has reached the present. */
  made: Promise<void>
  /** Gives it up, if it is not made yet. */
  stop: () => Promise<void>
}>

const HOUR_SECONDS = 3_600

/** Brings a new chain, on which the venue is deployed, from `fromSeconds` to now. */
export function makePast(options: PastOptions, startup: Startup): Past {
  startup.begin('making the past')
  const { fromSeconds, historyHours: of } = options
  const worker = new Worker(new URL('./past-main.ts', import.meta.url), { workerData: options })
  const made = new Promise<void>((resolve, reject) => {
    worker.on('message', (seconds: number) => {
      try {
        startup.advance({ done: (seconds - fromSeconds) / HOUR_SECONDS, of, unit: 'hours' })
      } catch (error) {
        reject(error)
      }
    })
    worker.once('error', reject)
    worker.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`making the past ended with code ${code}`))
    })
  })
  // Whoever waits for it hears of a failure.
  made.catch(() => {})
  return { made, stop: async () => void (await worker.terminate()) }
}
