// Causes each alert on a venue watched by Prometheus, applies the remedy of the runbook, and waits
// until the alert ends.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Prometheus } from '../servers/prometheus.ts'
import { until } from '../servers/until.ts'
import { markdownTable } from '../table.ts'
import { Venue } from '../venue/venue.ts'
import { type AlertDrill, endTraffic } from './catalogue.ts'

const FIRED_MS_MAX = 420_000
/** The longest look-back is a quarter of an hour. */
const ENDED_MS_MAX = 1_200_000
/** Two scrapes, since a series that does not exist before the first count cannot grow. */
const STEADY_MS = 12_000

type AlertRun = Readonly<{
  drills: readonly AlertDrill[]
  seed: number
  print(text: string): void
  isKept: boolean
}>

type Result = {
  drill: AlertDrill
  firedMs: Record<string, number>
  endedMs?: number
  failure?: string
}

/** Returns whether each alert fired and ended. */
export async function runAlerts({ drills, seed, print, isKept }: AlertRun): Promise<boolean> {
  print('building a venue')
  const venue = await Venue.start({ seed, warn: () => {}, isKept, relays: true })
  let prometheus: Prometheus | undefined
  const results: Result[] = []
  try {
    print(`logs: ${venue.parts.folder}`)
    const urls = venue.services.map(({ url }) => url)
    prometheus = await Prometheus.start(venue.parts.folder, urls)
    print(`Prometheus: ${prometheus.url}`)
    await sleep(STEADY_MS)
    const context = { venue, prometheus, print }
    const late: Promise<void>[] = []
    for (const drill of drills) {
      const result: Result = { drill, firedMs: {} }
      results.push(result)
      const awaitEnd = await runAlertDrill(context, result)
      if (drill.isSlowToEnd) late.push(awaitEnd())
      else await awaitEnd()
    }
    await Promise.all(late)
  } finally {
    endTraffic()
    await prometheus?.stop()
    await venue.stop()
  }
  process.stdout.write(`\n${writeTable(results)}\n`)
  return results.every(({ failure }) => failure === undefined)
}

type AlertContext = Readonly<{ venue: Venue; prometheus: Prometheus; print(text: string): void }>

/** Returns a function that waits for the end of its alerts. */
async function runAlertDrill(context: AlertContext, result: Result): Promise<() => Promise<void>> {
  const { venue, print } = context
  const { drill } = result
  print(`${drill.name}: ${drill.about}`)
  const before = readLogs(venue, drill.log?.service ?? '')
  const causedMs = performance.now()
  try {
    await drill.cause(venue)
    await Promise.all(
      drill.alerts.map(async (name) => {
        const labels = await awaitAlert(context, name)
        result.firedMs[name] = performance.now() - causedMs
        print(`  ${name} fires: ${labels}`)
      }),
    )
    const { service = '', pattern = /^/ } = drill.log ?? {}
    const since = readLogs(venue, service).map((text, at) => text.slice(before[at]?.length))
    if (!pattern.test(since.join('\n')))
      throw new Error(`no line in the log of ${service} matches ${pattern}`)
  } catch (error) {
    recordFailure(context, result, error)
  }
  const remediedMs = performance.now()
  await drill.remedy(venue).catch((error: unknown) => recordFailure(context, result, error))
  return async () => {
    try {
      await until(`${drill.alerts} end`, () => haveEnded(context, drill.alerts), ENDED_MS_MAX)
      result.endedMs = performance.now() - remediedMs
      print(`  ${drill.name}: the alerts have ended`)
    } catch (error) {
      recordFailure(context, result, error)
    }
  }
}

function recordFailure({ print }: AlertContext, result: Result, error: unknown): void {
  result.failure ??= String(error)
  print(`  FAILED ${String(error)}`)
}

/** Returns the alert's text once it fires. */
async function awaitAlert({ prometheus }: AlertContext, name: string): Promise<string> {
  let summary = ''
  const isFiring = async () => {
    const alert = (await prometheus.alerts()).find((item) => item.isFiring && item.name === name)
    summary = alert?.summary ?? ''
    return alert !== undefined
  }
  await until(`${name} fires`, isFiring, FIRED_MS_MAX)
  return summary
}

async function haveEnded({ prometheus }: AlertContext, names: readonly string[]): Promise<boolean> {
  const alerts = await prometheus.alerts()
  return !alerts.some(({ name, isFiring }) => isFiring && names.includes(name))
}

/** Returns the log of each process. */
const readLogs = ({ services }: Venue, service: string): readonly string[] =>
  services
    .filter(({ name }) => name.startsWith(service))
    .map(({ logPath }) => readFileSync(logPath, 'utf8'))

function writeTable(results: readonly Result[]): string {
  const seconds = (ms: number | undefined) =>
    ms === undefined ? '-' : `${Math.round(ms / 1000)} s`
  const rows = results.map(({ drill, firedMs, endedMs, failure = '' }) => {
    const fired = drill.alerts.map((name) => `${name} ${seconds(firedMs[name])}`).join(', ')
    return [drill.name, drill.about, fired, seconds(endedMs), failure.split('\n')[0] ?? '']
  })
  return markdownTable(['drill', 'cause', 'fires after', 'ended after the remedy', 'failure'], rows)
}
