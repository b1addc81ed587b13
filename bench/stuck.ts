// Measures the effect of ten clients that never read, out of a thousand, on the server and the
// others.
import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientFigures } from './stuck-clients.ts'
import type { StuckFigures } from './stuck-server.ts'
import type { Section } from './table.ts'
import { NODE_FLAGS, nextMessage, withProcesses } from './versus.ts'

const CLIENTS = 1_000
const STUCK = 10
const MB = 2 ** 20
/** Allowed rise of memory: the buffer limits of the stuck clients, plus garbage. */
const RISE_MB_MAX = STUCK * 4 + 20
/** Share of the run until memory has settled. */
const SETTLING_SHARE = 0.2

export const measureStuck = (seconds: number): Promise<Section> =>
  withProcesses(async (start): Promise<Section> => {
    const server = start('./stuck-server.ts', [], NODE_FLAGS)
    const { port } = await nextMessage<{ port: number }>(server)
    const clients = start('./stuck-clients.ts', [port, CLIENTS, STUCK].map(String))
    await nextMessage(clients)
    const samples: StuckFigures[] = []
    const first = await askFigures<ClientFigures>(clients)
    let slowestMs = 0
    for (let second = 0; second < seconds; second++) {
      await delay(1000)
      samples.push(await askFigures<StuckFigures>(server))
      slowestMs = Math.max(slowestMs, (await askFigures<ClientFigures>(clients)).slowestMs)
    }
    const last = await askFigures<ClientFigures>(clients)
    return writeSection(samples, { ...last, fewest: last.fewest - first.fewest, slowestMs })
  })

function askFigures<T>(child: ChildProcess): Promise<T> {
  const answer = nextMessage<T>(child)
  child.send('figures')
  return answer
}

function writeSection(samples: readonly StuckFigures[], clients: ClientFigures): Section {
  const settled = samples.slice(Math.floor(samples.length * SETTLING_SHARE))
  const mb = (bytes: number) => (bytes / MB).toFixed(0)
  const rss = settled.map(({ rssBytes }) => rssBytes)
  const [begin = 0, end = 0] = [rss[0], rss.at(-1)]
  const riseMb = (Math.max(...rss) - begin) / MB
  const isFlat = riseMb <= RISE_MB_MAX
  return {
    title: `${CLIENTS} connections, ${STUCK} of them stuck, ${samples.length} s`,
    columns: ['', 'figure', 'budget'],
    rows: [
      ['resident after settling, MB', mb(begin), ''],
      ['resident at most, MB', mb(Math.max(...rss)), isFlat ? 'met' : `above +${RISE_MB_MAX}`],
      ['resident at the end, MB', mb(end), ''],
      ['unsent at most, MB', mb(Math.max(...samples.map(({ unsentBytes }) => unsentBytes))), ''],
      ['closed as slow', String(samples.at(-1)?.closedSlow ?? 0), ''],
      [
        'readers with lost connections',
        String(clients.lost),
        clients.lost === 0 ? 'met' : 'above 0',
      ],
      ['frames to each reader, at least', String(clients.fewest), ''],
      ['longest way of a frame, ms', String(clients.slowestMs), ''],
    ],
  }
}
