// Compares the speed of the compiled decoder with viem's decodeEventLog: node bench/decode.ts

import { compileDecoder } from '@openvenue/contracts/events/decode'
import { followedEvents } from '@openvenue/contracts/events/venue-logs'
import { decodeEventLog } from 'viem'
import { randomLogs } from '../test/random-logs.ts'

const LOGS = 30_000
const ROUNDS = 5

const logs = randomLogs(1, LOGS)
const decoders = new Map(
  (['accounts', 'spot', 'perps', 'oracle'] as const).map((kind) => [
    kind,
    { decode: compileDecoder(followedEvents(kind)), abi: followedEvents(kind) },
  ]),
)

const measureBest = (run: () => void) => {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    run()
    best = Math.min(best, performance.now() - start)
  }
  return (LOGS / best) * 1000
}

const ours = measureBest(() => {
  for (const { kind, topics, data } of logs) decoders.get(kind)?.decode({ topics, data })
})
const theirs = measureBest(() => {
  for (const { kind, topics, data } of logs) {
    decodeEventLog({ abi: decoders.get(kind)?.abi ?? [], topics: topics as never, data })
  }
})

process.stdout.write(
  `decode: ${Math.round(ours)} logs/s compiled, ${Math.round(theirs)} logs/s viem, ` +
    `${(ours / theirs).toFixed(1)} times\n`,
)
