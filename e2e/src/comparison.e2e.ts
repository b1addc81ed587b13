// Everything the venue says against everything the contracts hold, block after block, while traders
// trade.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MARKETS } from '@openvenue/devnet/markets'
import { ask, type OrderBook, type Trade } from './answers.ts'
import { comparerOf } from './compare.ts'
import { startVenue, type TestVenue } from './venue.ts'

/** Enough for every kind of order and movement to come by. */
const BLOCKS_MIN = 200
const LEVELS_MIN = 15
const RENEWED_BLOCKS_MIN = 20
const DEADLINE_MS = 110_000
/** A new block may be there after this. */
const PAUSE_MS = 20

let venue: TestVenue
before(async () => {
  venue = await startVenue()
})
after(() => venue?.remove())

test('every market has a book at least 15 levels deep on each side', async () => {
  for (const { name } of MARKETS) {
    const { bids, asks } = (await ask(venue.devnet.apiUrl, `/orderbook/${name}`)).body as OrderBook
    const levels = Math.min(bids.length, asks.length)
    assert.ok(levels >= LEVELS_MIN, `${name} has ${levels} levels on one side`)
  }
})

test(`books, trades, open interest, balances, collateral and positions equal the contracts' at ${BLOCKS_MIN} blocks of live trading`, async (context) => {
  const before = await newestTrades()
  const blocks = await compareBlocks(BLOCKS_MIN)
  const after = await newestTrades()
  for (const [index, { name }] of MARKETS.entries())
    assert.notEqual(after[index], before[index], `${name} traded meanwhile`)
  context.diagnostic(`compared ${blocks.length} blocks from ${blocks[0]} to ${blocks.at(-1)}`)
})

test('they still are when the chain was started anew under trading', async () => {
  await venue.devnet.renewChain()
  await compareBlocks(RENEWED_BLOCKS_MIN)
})

/** Compares until `wanted` blocks were; returns their numbers. */
async function compareBlocks(wanted: number): Promise<readonly number[]> {
  const comparer = comparerOf(venue.devnet)
  const compared = new Set<number>()
  const deadline = Date.now() + DEADLINE_MS
  while (compared.size < wanted) {
    assert.ok(Date.now() < deadline, `${compared.size} blocks were compared in time`)
    const block = await comparer.compare()
    if (block === undefined || compared.has(block)) await sleep(PAUSE_MS)
    else compared.add(block)
  }
  return [...compared]
}

const newestTrades = () =>
  Promise.all(
    MARKETS.map(async ({ name }) => {
      const { body } = await ask(venue.devnet.apiUrl, `/markets/${name}/trades?limit=1`)
      return (body as Trade[])[0]?.trade_id
    }),
  )
