// Measures public REST reads against a plain node:http server that sends the same bytes.
import { get } from 'node:http'
import type { PlainAnswer } from './plain-server.ts'
import type { Section } from './table.ts'
import {
  COLUMNS,
  measureRow,
  NODE_FLAGS,
  nextMessage,
  type VersusOptions,
  withProcesses,
} from './versus.ts'

/** Budget of architecture section 10. */
const RATIO_MIN = 0.85

const PATHS = [
  '/time',
  '/markets',
  '/markets/ETH-PERP',
  '/orderbook/ETH-USDC',
  '/markets/ETH-USDC/trades',
  '/instrument/ETH-PERP/trade-history',
  '/statistics/ETH/PERPETUAL',
  '/funding/ETH-PERP',
  '/funding-history/ETH-PERP',
  '/index/ETH',
  '/assets',
  '/markets-summary',
  '/candles?instrument_name=ETH-PERP&resolution=1&countback=100',
  '/candles?instrument_name=ETH-PERP&resolution=1&countback=1000',
  '/last-traded-tradingview/history?symbol=ETH-PERP&resolution=1&countback=1000',
] as const

/** Minutes of trading, few enough that all candles are in memory. */
const MINUTES = 1_200

/** Measures the endpoints whose paths start with `prefix`. */
export const measureRest = (
  options: VersusOptions,
  { prefix, limits }: { prefix: string; limits: 'limited' | 'unlimited' },
): Promise<Section> =>
  measureReads(options, {
    title: `Public reads (${limits})`,
    server: { file: './venue-server.ts', args: [String(MINUTES), limits] },
    paths: PATHS.filter((path) => path.startsWith(prefix)),
  })

/** Paths to read, and the server under test: a file of this folder that sends its port. */
type Reads = Readonly<{
  title: string
  server: Readonly<{ file: string; args: readonly string[] }>
  paths: readonly string[]
}>

/** Measures each of `paths`. */
export const measureReads = (
  options: VersusOptions,
  { title, server, paths }: Reads,
): Promise<Section> =>
  withProcesses(async (start) => {
    const venue = start(server.file, server.args, NODE_FLAGS)
    const { port } = await nextMessage<{ port: number }>(venue)
    const plain = start('./plain-server.ts')
    plain.send(await Promise.all(paths.map((path) => plainAnswer(port, path))))
    const bench = {
      load: start('./load.ts'),
      venue: { child: venue, port },
      plain: { child: plain, ...(await nextMessage<{ port: number }>(plain)) },
    }
    const rows: string[][] = []
    for (const path of paths)
      rows.push(
        await measureRow(bench, { name: path, paths: [path], ratioMin: RATIO_MIN }, options),
      )
    return {
      title: `${title} against plain node:http, ${options.connections} connections, ${options.rounds} rounds of ${options.roundMs} ms`,
      columns: COLUMNS,
      rows,
    }
  })

/** Headers that node:http adds itself. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive'])

/** Requests twice and returns the second answer: the first may take a different code path. */
async function plainAnswer(port: number, path: string): Promise<PlainAnswer> {
  await requestPath(port, path)
  const { rawHeaders, body } = await requestPath(port, path)
  const headers: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!OWN_HEADERS.has(name.toLowerCase())) headers.push(name, value)
  }
  return { path, headers, body: body.toString('base64') }
}

function requestPath(port: number, path: string) {
  return new Promise<{ rawHeaders: string[]; body: Buffer }>((resolve, reject) => {
    get({ port, path, host: '127.0.0.1' }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        if (response.statusCode === 200)
          resolve({ rawHeaders: response.rawHeaders, body: Buffer.concat(chunks) })
        else reject(new Error(`${path} answered ${response.statusCode}`))
      })
    }).on('error', reject)
  })
}
