// Compares all data of the venue with the contracts, block after block, while traders trade.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { until } from '@openvenue/core/test/until'
import { marketNumber } from '@openvenue/devnet/deployment'
import { MARKETS } from '@openvenue/devnet/markets'
import { rpcAt } from '@openvenue/devnet/rpc'
import { CallRefused } from '@openvenue/runtime/node'
import { type AbiEvent, decodeErrorResult, encodeFunctionData, getAbiItem, type Hex } from 'viem'
import { toEventSelector } from 'viem/utils'
import { createComparer } from './compare.ts'
import { compared } from './compare-pools.ts'
import { ask, type FundingRow, type FundingSnapshot, type OrderBook, type Trade } from './probe.ts'
import { startVenue, type TestVenue } from './venue.ts'

/** Enough for every kind of order and movement to occur. */
const BLOCKS_MIN = 200
const LEVELS_MIN = 15
const RENEWED_BLOCKS_MIN = 20
const HOUR_SECONDS = 3_600
/** Interval of the keeper's pokes of each market. */
const POKE_MS = 60_000

let venue: TestVenue
before(async () => {
  // The first hour of a market has no rate.
  venue = await startVenue({ historyHours: 2 })
})
after(() => venue?.remove())

test('every market has a book at least 15 levels deep on each side', async () => {
  for (const { name } of MARKETS) {
    const { bids, asks } = (await ask(venue.devnet.apiUrl, `/orderbook/${name}`)).body as OrderBook
    const levels = Math.min(bids.length, asks.length)
    assert.ok(levels >= LEVELS_MIN, `${name} has ${levels} levels on one side`)
  }
})

test(`books, trades, open interest, funding, balances, collateral and positions equal the contracts' at ${BLOCKS_MIN} blocks of live trading`, async (context) => {
  const before = await newestTrades()
  const blocks = await compareBlocks(BLOCKS_MIN)
  const after = await newestTrades()
  for (const [index, { name }] of MARKETS.entries())
    assert.notEqual(after[index], before[index], `${name} traded meanwhile`)
  context.diagnostic(`compared ${blocks.length} blocks from ${blocks[0]} to ${blocks.at(-1)}`)
})

test('the compared funding was not zero: hours have settled at rates of their own', async () => {
  for (const { name } of MARKETS.filter(({ type }) => type === 'perp')) {
    const history = (await ask(venue.devnet.apiUrl, `/funding-history/${name}`)).body as {
      funding_history: readonly FundingRow[]
    }
    const rates = history.funding_history.map(([, , rate]) => rate)
    assert.ok(
      rates.some((rate) => rate !== '0'),
      `${name}: ${rates}`,
    )
    // Right after an hour has begun it is 0, until the first poke of that hour.
    await until(
      `${name} has an estimated rate`,
      async () => {
        const { estimated_rate } = (await ask(venue.devnet.apiUrl, `/funding/${name}`))
          .body as FundingSnapshot
        return estimated_rate !== '0'
      },
      2 * POKE_MS,
    )
  }
})

test('every settled hour of every market has a row with a positive mark', async () => {
  for (const { name } of MARKETS.filter(({ type }) => type === 'perp')) {
    const { body } = await ask(venue.devnet.apiUrl, `/funding-history/${name}?limit=500`)
    const { funding_history } = body as { funding_history: readonly FundingRow[] }
    const [first] = funding_history
    assert.ok(first, `${name} has no row`)
    const start = Number(first[1].slice(0, -9))
    assert.deepEqual(
      funding_history.map(([, time]) => Number(time.slice(0, -9))),
      funding_history.map((_, hour) => start + hour * HOUR_SECONDS),
      `${name}: the hours follow one another`,
    )
    for (const row of funding_history) assert.ok(Number(row[3]) > 0, `${row}`)
  }
})

test("the contract samples premiums at the API's interval, and refuses earlier pokes", async () => {
  const { rpcUrl, deployment, apiUrl } = venue.devnet
  const funding = (await ask(apiUrl, `/funding/${PERP.name}`)).body as {
    funding_update_interval_seconds: number
  }
  const refused = await pokeRefusal(rpcUrl, deployment.perps)
  const logs = await rpcAt(rpcUrl).call('eth_getLogs', {
    address: deployment.perps,
    fromBlock: '0x0',
    toBlock: refused.block,
    topics: [MARKED, numberTopic(PERP_NUMBER)],
  })
  const newest = (logs as { blockNumber: string }[]).at(-1)
  assert.ok(newest)
  const header = await rpcAt(rpcUrl).call('eth_getBlockByNumber', newest.blockNumber, false)
  const pokedSeconds = Number((header as { timestamp: string }).timestamp)
  assert.equal(refused.nextSeconds - pokedSeconds, funding.funding_update_interval_seconds)
})

/** Simulates pokes until one comes too soon after the last. */
async function pokeRefusal(url: string, to: string) {
  const data = encodeFunctionData({ abi: perpsAbi, functionName: 'poke', args: [PERP_NUMBER] })
  return until('a poke is refused', async () => {
    const block = String(await rpcAt(url).call('eth_blockNumber'))
    const refused = await rpcAt(url)
      .call('eth_call', { to, data }, block)
      .then(() => undefined, describeRefusal)
    return refused?.errorName === 'PokeTooSoon' && { block, nextSeconds: Number(refused.args?.[0]) }
  })
}

function describeRefusal(error: unknown) {
  assert.ok(error instanceof CallRefused, String(error))
  const [data] = /0x[0-9a-f]+$/.exec(error.message) ?? []
  return data === undefined ? undefined : decodeErrorResult({ abi: perpsAbi, data: data as Hex })
}

const PERP = MARKETS.find(({ type }) => type === 'perp') as (typeof MARKETS)[number]
const PERP_NUMBER = marketNumber(MARKETS, PERP)
const MARKED = toEventSelector(getAbiItem({ abi: perpsAbi, name: 'Marked' }) as AbiEvent)
const numberTopic = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

test('answers of the API equal the contracts after the chain restarts during trading', async () => {
  await venue.devnet.renewChain()
  await compareBlocks(RENEWED_BLOCKS_MIN)
})

const compareBlocks = (count: number) => compared(count, createComparer(venue.devnet).compare)

const newestTrades = () =>
  Promise.all(
    MARKETS.map(async ({ name }) => {
      const { body } = await ask(venue.devnet.apiUrl, `/markets/${name}/trades?limit=1`)
      return (body as Trade[])[0]?.trade_id
    }),
  )
