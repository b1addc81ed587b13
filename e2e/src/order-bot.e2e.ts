// A bot places, edits and cancels over a socket beside the traders; see npm run order-bot.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runOrderBot } from './order-bot/start-bot.ts'
import { startVenue, type TestVenue } from './venue.ts'

const DURATION_MS = 8_000
const ROUNDS_MIN = 5

let venue: TestVenue
before(async () => {
  venue = await startVenue({ historyHours: 0 })
})
after(() => venue?.remove())

test('a bot misses no message, and every status of its orders follows from the previous one', async () => {
  const report = await runOrderBot(venue.devnet, {
    marketName: 'ETH-PERP',
    durationMs: DURATION_MS,
    pauseMs: 50,
  })
  assert.deepEqual(report.problems, [])
  assert.equal(report.gaps, 0)
  const { filled = 0, cancelled = 0 } = report.counts
  assert.ok(report.rounds >= ROUNDS_MIN, JSON.stringify(report))
  assert.ok(filled > 0 && cancelled >= ROUNDS_MIN, JSON.stringify(report))
})
