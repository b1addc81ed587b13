// Runs a bot that places, edits and cancels on its own devnet, and prints its log:
//   npm run order-bot                ten minutes
//   npm run order-bot -- minutes=1
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { newDataDir } from '../venue.ts'
import { startProcess } from '../venue-process.ts'
import { runOrderBot } from './start-bot.ts'

const MINUTES = 10
const PAUSE_MS = 100

const print = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<boolean> {
  const [option, ...others] = process.argv.slice(2)
  const [, text = String(MINUTES)] = /^minutes=(\d{1,4})$/.exec(option ?? '') ?? []
  if (others.length > 0 || (option !== undefined && !option.startsWith('minutes=')))
    throw new Error('usage: npm run order-bot -- [minutes=<whole>]')
  const dataDir = newDataDir()
  const venue = await startProcess(dataDir)
  try {
    print(`a bot trades over ${venue.apiUrl.replace('http', 'ws')}/ws for ${text} minutes`)
    const durationMs = Number(text) * 60_000
    const report = await runOrderBot(venue, {
      marketName: 'ETH-PERP',
      durationMs,
      pauseMs: PAUSE_MS,
    })
    const { rounds, counts, gaps, refusals, problems } = report
    print(`rounds     ${rounds}`)
    print(`orders     ${JSON.stringify(counts)}`)
    print(`refusals   ${JSON.stringify(refusals)}`)
    print(`gaps       ${gaps}`)
    print(`problems   ${problems.length}`)
    for (const problem of problems) print(`  ${problem}`)
    return gaps === 0 && problems.length === 0 && rounds > 0
  } finally {
    venue.process.kill('SIGINT')
    await once(venue.process, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

main().then(
  (isFine) => process.exit(isFine ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`${String((error as Error)?.stack)}\n`)
    process.exit(1)
  },
)
