// Measures frames of a busy book to 500 Socket.IO clients, against a bare Socket.IO server that
// emits the same frames to a room.
import type { ChildProcess } from 'node:child_process'
import { readCpuMicros } from './cpu.ts'
import { median, type Section, whole } from './table.ts'
import { NODE_FLAGS, nextMessage, withProcesses } from './versus.ts'

/** Budget of architecture section 10. */
const RATIO_MIN = 0.9
const CLIENTS = 500
/** Frames per round, each to every client. */
const FRAMES = 200
const ROUNDS = 9

type FanoutProcesses = Readonly<{ server: ChildProcess; clients: ChildProcess }>
type Round = Readonly<{ ms: number; cpuMicros: number }>

export const measureFanout = (): Promise<Section> =>
  withProcesses(async (start): Promise<Section> => {
    const startSide = async (file: string): Promise<FanoutProcesses & { server: ChildProcess }> => {
      const server = start(file, [], NODE_FLAGS)
      const { port } = await nextMessage<{ port: number }>(server)
      const clients = start('./fanout-clients.ts', [String(port), String(CLIENTS)])
      await nextMessage(clients)
      return { server, clients }
    }
    const venue = await startSide('./fanout-venue.ts')
    const bare = await startSide('./fanout-bare.ts')
    const frames = await collectFrames(venue)
    bare.server.send({ frames })
    await nextMessage(bare.server)
    const rounds: { venue: Round; bare: Round }[] = []
    await round(venue)
    await round(bare)
    for (let index = 0; index < ROUNDS; index++) {
      // Alternates the order, since the second server finds a warmer machine.
      const first = await round(index % 2 === 0 ? venue : bare)
      const second = await round(index % 2 === 0 ? bare : venue)
      rounds.push(index % 2 === 0 ? { venue: first, bare: second } : { venue: second, bare: first })
    }
    return writeSection(rounds, frames)
  })

/** Makes the venue produce its next frames and returns their texts. */
async function collectFrames({ server, clients }: FanoutProcesses): Promise<readonly string[]> {
  await expecting(clients, true)
  const received = nextMessage<{ frames: readonly string[] }>(clients)
  server.send({ frames: FRAMES })
  return (await received).frames
}

/** Resolves when the clients are counting: an earlier frame would be missed. */
async function expecting(clients: ChildProcess, isKept: boolean): Promise<void> {
  const ready = nextMessage(clients)
  clients.send({ frames: FRAMES, isKept })
  await ready
}

/** Sends the frames of a round and returns when every client has received all. */
async function round({ server, clients }: FanoutProcesses): Promise<Round> {
  await expecting(clients, false)
  const before = await readCpuMicros(server)
  const received = nextMessage(clients)
  const startedMs = performance.now()
  server.send({ frames: FRAMES })
  await received
  const ms = performance.now() - startedMs
  return { ms, cpuMicros: (await readCpuMicros(server)) - before }
}

function writeSection(
  rounds: readonly { venue: Round; bare: Round }[],
  frames: readonly string[],
): Section {
  const ratio = median(rounds.map(({ venue, bare }) => bare.ms / venue.ms))
  const cpu = (side: 'venue' | 'bare') =>
    median(rounds.map((round) => round[side].cpuMicros)) / (FRAMES * CLIENTS)
  const rate = (side: 'venue' | 'bare') =>
    (FRAMES * CLIENTS * 1000) / median(rounds.map((round) => round[side].ms))
  const bytes = frames.reduce((sum, frame) => sum + frame.length, 0) / frames.length
  return {
    title: `Frames to ${CLIENTS} Socket.IO clients against a bare room emit of the same frames`,
    columns: [
      'channel',
      'bytes',
      'messages/s',
      'cpu us',
      'bare msg/s',
      'cpu us',
      'ratio',
      'budget',
    ],
    rows: [
      [
        'orderbook:ETH-USDC',
        whole(bytes),
        whole(rate('venue')),
        cpu('venue').toFixed(2),
        whole(rate('bare')),
        cpu('bare').toFixed(2),
        ratio.toFixed(2),
        ratio >= RATIO_MIN ? 'met' : `below ${RATIO_MIN}`,
      ],
    ],
  }
}
