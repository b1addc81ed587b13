// Follows the four streams of an account over one link with each client of the project: the
// library, the ccxt adapter and the command.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openvenue } from '@openvenue/ccxt'
import { VenueSocket } from 'openvenue'
import { Child } from '../servers/child.ts'
import { MARKET } from '../users/users.ts'
import { ReceivedEvents, STREAMS, type StreamName, takeMessage } from './received-events.ts'

const CLI = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url))
const SYMBOL = 'ETH/USDC:USDC'

type Follow = Readonly<{
  /** URL of the link. */
  url: string
  /** URL of a node, without the link. */
  restUrl: string
  key: string
  secret: string
  /** Folder of logs. */
  folder: string
  /** Environment of the started processes. */
  env: NodeJS.ProcessEnv
}>

export type Watcher = Readonly<{
  received: ReceivedEvents
  /** Streams that it follows. */
  streams: readonly StreamName[]
  /** Records the messages that have arrived. */
  read: () => void
  stop: () => Promise<void>
}>

const channelOf = (stream: StreamName) => (stream === 'trades' ? `trades:${MARKET}` : stream)

export function watchWithLibrary({ url, key, secret }: Follow): Watcher {
  const received = new ReceivedEvents('library')
  const socket = new VenueSocket({
    url,
    apiKey: { key, secret },
    random: () => 0.05,
    onGap: (gap) => received.complaints.push(`gap ${JSON.stringify(gap)}`),
  })
  for (const stream of STREAMS)
    socket.listen(channelOf(stream), {
      onMessage: (message) => takeMessage(received, stream, message),
      onError: (error) => received.complaints.push(String(error)),
    })
  return { received, streams: STREAMS, read: () => {}, stop: async () => socket.close() }
}

/** Like its users: a call in a loop, and after an error the next call. */
export function watchWithCcxt({ url, restUrl, key, secret }: Follow): Watcher {
  const received = new ReceivedEvents('ccxt')
  const exchange = new openvenue({
    apiKey: key,
    secret,
    newUpdates: true,
    urls: { api: { rest: restUrl, ws: `${url.replace('http', 'ws')}/ws` } },
  })
  let isStopped = false
  const loop = async (watch: () => Promise<void>) => {
    while (!isStopped)
      await watch().catch((error: Error) => {
        if (/missed/.test(error.message)) received.complaints.push(error.message)
      })
  }
  const idOf = ({ id }: { id?: string | undefined }) => id ?? ''
  void loop(async () => {
    for (const trade of await exchange.watchTrades(SYMBOL)) received.take('trades', idOf(trade))
  })
  void loop(async () => {
    for (const fill of await exchange.watchMyTrades()) received.take('fills', idOf(fill))
  })
  void loop(async () => {
    for (const { info } of await exchange.watchOrders()) received.takeOrder(info)
  })
  const stop = async () => {
    isStopped = true
    await exchange.close()
  }
  return { received, streams: ['trades', 'fills', 'orders'], read: () => {}, stop }
}

/** One process for each stream, which writes its messages as JSON lines. */
export function watchWithCommand(follow: Follow): Watcher {
  const received = new ReceivedEvents('command')
  const { url, key, secret, folder } = follow
  const env = {
    ...follow.env,
    OPENVENUE_NETWORK: 'devnet',
    OPENVENUE_URL: url,
    OPENVENUE_API_KEY: key,
    OPENVENUE_API_SECRET: secret,
    NO_COLOR: '1',
  }
  const runs = STREAMS.map((stream) => {
    const target = stream === 'trades' ? ['trades', MARKET] : [stream]
    const args = [CLI, 'watch', ...target, '--json']
    const logPath = `${folder}/watch-${stream}.log`
    return {
      stream,
      at: { line: 0 },
      child: Child.start({ command: process.execPath, args, logPath, env }),
    }
  })
  const read = () => {
    for (const { stream, at, child } of runs) {
      // The text after the last line end is incomplete.
      const lines = readFileSync(child.logPath, 'utf8').split('\n').slice(0, -1)
      for (const line of lines.slice(at.line))
        if (line.startsWith('{')) takeMessage(received, stream, JSON.parse(line))
        else received.complaints.push(line)
      at.line = lines.length
    }
  }
  const stop = async () => {
    await Promise.all(runs.map(({ child }) => child.end('SIGINT')))
  }
  return { received, streams: STREAMS, read, stop }
}
