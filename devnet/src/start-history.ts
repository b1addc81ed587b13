// Produces the history of a new chain in a thread, while this one indexes it.
import { Worker } from 'node:worker_threads'
import type { HistoryThreadOptions } from './history-main.ts'
import type { Startup } from './startup.ts'

type HistoryProduction = Readonly<{
  /** Resolves when the chain has reached the present. */
  made: Promise<void>
  /** Aborts it if it is not complete. */
  stop: () => Promise<void>
}>

const HOUR_SECONDS = 3_600

/** Produces the history from `fromSeconds` to now on a new chain with the venue deployed. */
export function startHistory(options: HistoryThreadOptions, startup: Startup): HistoryProduction {
  startup.begin('making the past')
  const { fromSeconds, historyHours: of } = options
  const worker = new Worker(new URL('./history-main.ts', import.meta.url), { workerData: options })
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
      else reject(new Error(`cannot produce the history: exit code ${code}`))
    })
  })
  // Callers that await it get the failure.
  made.catch(() => {})
  return { made, stop: async () => void (await worker.terminate()) }
}
