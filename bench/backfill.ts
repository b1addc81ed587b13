// Logs a second from the node's answers to committed rows, feed and undo records.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { BackfillResult } from './backfill-run.ts'
import { type Section, whole } from './table.ts'

/** Budget of architecture section 10, for PostgreSQL on two cores. */
const LOGS_PER_SECOND_MIN = 50_000
const BUDGETS: Readonly<Record<string, number>> = { PostgreSQL: LOGS_PER_SECOND_MIN }

export async function measureBackfill(): Promise<Section> {
  const results = await backfillResults()
  return {
    title: 'Backfill: parse, decode, apply and commit, all tables, feed and undo included',
    columns: ['into', 'logs', 'seconds', 'logs/s', 'budget'],
    rows: results.map(({ name, logs, seconds }) => {
      const rate = logs / seconds
      return [name, whole(logs), seconds.toFixed(2), whole(rate), verdict(rate, BUDGETS[name])]
    }),
  }
}

function verdict(rate: number, budget: number | undefined): string {
  if (budget === undefined) return ''
  return rate >= budget ? 'met' : `below ${whole(budget)}`
}

/** Beside a PostgreSQL of its own, unless DATABASE_URL names one. */
async function backfillResults(): Promise<readonly BackfillResult[]> {
  const run = fileURLToPath(new URL('./backfill-run.ts', import.meta.url))
  if (process.env.DATABASE_URL !== undefined) return resultsOf([run])
  const services = fileURLToPath(new URL('../scripts/services.ts', import.meta.url))
  return resultsOf([services, process.execPath, run])
}

async function resultsOf(args: readonly string[]): Promise<readonly BackfillResult[]> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`the backfill ended with ${code}`)
  const line = text.split('\n').find((line) => line.startsWith('[{'))
  if (line === undefined) throw new Error('the backfill printed no results')
  return JSON.parse(line) as readonly BackfillResult[]
}
