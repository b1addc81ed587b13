// Subjects a sender to every disturbance a chain can cause, at random from a seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { AnvilVenue } from '@openvenue/indexer/test/anvil-venue'
import { SeededRandom } from '@openvenue/indexer/test/seeded-random'
import { opened, opening, SENDER_INDEX, startSender } from '../test/live-sender.ts'

const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const CALLS = 60
const LOOKS = 120
const STUCK_MS = 200
const REORG_MAX = 4
/** Pause between blocks, around the sender's poll interval. */
const PAUSE_MS_MAX = 200
const GWEI = 1_000_000_000n

test(`a sender completes all calls through reorgs, drops, fee spikes and restarts (seed ${SEED})`, async () => {
  const random = new SeededRandom(SEED)
  const venue = await AnvilVenue.start()
  const listed = (await venue.head()).number
  const running = new Set([startSender(venue, { stuckMs: STUCK_MS })])
  const sender = () => [...running].at(-1)?.sender
  const done = new Set<number>()
  const send = (n: number) =>
    sender()
      ?.send(opening(venue, n))
      .then(({ kind }) => (kind === 'included' ? void done.add(n) : undefined))
      .catch((error: unknown) => assert.fail(String(error)))
  try {
    for (let look = 0; look < LOOKS; look++) {
      if (look % 2 === 0) void send(look / 2)
      await misfortune(venue, listed, random.below(12))
      if (random.below(40) === 0) {
        for (const { stop } of running) await stop()
        running.clear()
        // The previous sender's included transactions are unwatched, and a reorg may undo them.
        done.clear()
        running.add(startSender(venue, { stuckMs: STUCK_MS }))
      }
      await venue.call('evm_mine')
      await [...running].at(-1)?.clock.delay(random.below(PAUSE_MS_MAX))
    }
    // A task would resend the calls that its stopped sender abandoned.
    for (let n = 0; n < CALLS; n++) if (!done.has(n)) void send(n)
    await until('every account is open', async () => {
      await venue.call('evm_mine')
      return (await opened(venue, CALLS)) === CALLS
    })
    const address = venue.wallets[SENDER_INDEX]
    const counts = async () => {
      const of = (block: string) => venue.call('eth_getTransactionCount', address, block)
      return [Number(await of('latest')), Number(await of('pending'))]
    }
    await until('nothing waits any more', async () => {
      await venue.call('evm_mine')
      const [mined, pending] = await counts()
      return mined === pending
    })
  } finally {
    for (const { stop } of running) await stop()
    await venue.stop()
  }
})

async function misfortune(venue: AnvilVenue, listed: number, drawn: number): Promise<void> {
  if (drawn === 0) await venue.call('anvil_dropAllTransactions')
  if (drawn === 1)
    await venue.call('anvil_setNextBlockBaseFeePerGas', `0x${(50n * GWEI).toString(16)}`)
  if (drawn !== 2) return
  const { number } = await venue.head()
  const depth = Math.min(REORG_MAX, number - listed)
  if (depth > 0) await venue.call('anvil_reorg', depth, [])
}
