// Measures the effect on others while one address sends junk over sockets at full speed: the
// latency of GET /health before, during and after.
import type { ChildProcess } from 'node:child_process'
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { JunkFigures } from './junk-clients.ts'
import type { Section } from './table.ts'
import { NODE_FLAGS, nextMessage, withProcesses } from './versus.ts'

const KINDS = ['messages', 'pings', 'packets'] as const
const CONNECTIONS = 4
/** Little history, for a quick start: history is not measured. */
const MINUTES = '5'
/** Pause between requests. */
const PAUSE_MS = 5
/** Time limit of an answer. */
const ANSWER_MS_MAX = 30_000
/** Maximum median latency of /health under junk. */
const BUDGET_MS = 20

export const measureJunk = (seconds: number): Promise<Section> =>
  withProcesses(async (start): Promise<Section> => {
    const server = start('./venue-server.ts', [MINUTES], NODE_FLAGS)
    const { port } = await nextMessage<{ port: number }>(server)
    await healthTimes(port, 1)
    const rows = [junkRow('nothing', await healthTimes(port, seconds))]
    for (const kind of KINDS) {
      const clients = start('./junk-clients.ts', [String(port), kind, String(CONNECTIONS)])
      await nextMessage(clients)
      const times = await healthTimes(port, seconds)
      const figures = await askFigures(clients)
      rows.push(junkRow(kind, times, { ...figures, sent: figures.sent / seconds }))
      clients.kill()
      await delay(1000)
    }
    rows.push(junkRow('nothing again', await healthTimes(port, seconds)))
    return {
      title: `${CONNECTIONS} connections of one address send junk, ${seconds} s each: GET /health`,
      columns: ['what', 'p50 ms', 'p99 ms', 'max ms', 'sent/s', 'closed', 'refused', 'budget'],
      rows,
    }
  })

async function askFigures(clients: ChildProcess): Promise<JunkFigures> {
  const answer = nextMessage<JunkFigures>(clients)
  clients.send('figures')
  return await answer
}

/** Returns the latencies of sequential requests over `seconds`. */
async function healthTimes(port: number, seconds: number): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const endMs = performance.now() + seconds * 1000
  const times: number[] = []
  while (performance.now() < endMs) {
    const startMs = performance.now()
    await answered(port, agent)
    times.push(performance.now() - startMs)
    await delay(PAUSE_MS)
  }
  agent.destroy()
  return times.toSorted((a, b) => a - b)
}

const answered = (port: number, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/health', agent, timeout: ANSWER_MS_MAX }
    get(options, (response) => response.resume().once('end', resolve)).once('error', reject)
  })

function junkRow(label: string, times: readonly number[], junk?: JunkFigures): string[] {
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  const cells = [0.5, 0.99, 1].map((share) => at(share).toFixed(1))
  if (junk === undefined) return [label, ...cells, '', '', '', '']
  const counts = [junk.sent, junk.ended, junk.refused].map((count) => count.toFixed(0))
  return [label, ...cells, ...counts, at(0.5) <= BUDGET_MS ? 'met' : `above ${BUDGET_MS} ms`]
}
