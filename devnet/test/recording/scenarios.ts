// The recorded scenarios: short ones with one market of each kind.
import { E18 } from '@openvenue/core/integers'
import type { Golden } from '@openvenue/core/test/scenario/golden'
import { MARKETS, type MarketTerms } from '../../src/markets.ts'
import { ROLES } from '../../src/roles.ts'
import { type Call, pushCall } from './market-calls.ts'
import { type Recorder, startRecorder } from './recorder.ts'

/** A scenario, and its files `<name>.events.jsonl` and `<name>.changes.json`. */
type RecordedScenario = Readonly<{
  name: string
  title: string
  market: MarketTerms
  run(venue: Recorder): Promise<void>
}>

/** Ten minutes past an hour, so that some trading comes before funding first settles. */
export const GENESIS_SECONDS = Date.UTC(2026, 0, 1, 0, 10) / 1000

const E6 = 10n ** 6n

export const RECORDED_SCENARIOS: readonly RecordedScenario[] = [
  {
    name: 'devnet-spot',
    title:
      'Recorded from the devnet, ETH-USDC: fills in part and in full, every way an order leaves the book, an order that expires and is swept, money in, across and out, and a halt.',
    market: marketNamed('ETH-USDC'),
    run: recordSpot,
  },
  {
    name: 'devnet-perpetual',
    title:
      'Recorded from the devnet, ETH-PERP: positions open, close and turn over, pokes and index prices move the mark, two funding hours settle, reduce-only orders are cut and capped, and profit is withdrawn.',
    market: marketNamed('ETH-PERP'),
    run: recordPerpetual,
  },
  {
    name: 'devnet-forced',
    title:
      'Recorded from the devnet, ETH-PERP: the price falls, and positions are closed by force: on the book for a fee, by insurance with the margin that is left, and against a winner, insurance itself at the end.',
    market: marketNamed('ETH-PERP'),
    run: recordForced,
  },
]

/** Runs `scenario` on a chain in `dataDir`, and returns the recording. Throws like `Recorder`. */
export async function recorded(scenario: RecordedScenario, dataDir: string): Promise<Golden> {
  const markets = [scenario.market]
  const venue = await startRecorder({ dataDir, seconds: GENESIS_SECONDS, markets })
  try {
    await scenario.run(venue)
  } finally {
    await venue.stop()
  }
  return { title: scenario.title, steps: venue.blocks }
}

function marketNamed(name: string): MarketTerms {
  const market = MARKETS.find((listed) => listed.name === name)
  if (market === undefined) throw new RangeError(`the devnet lists ${name}`)
  return market
}

function actors(venue: Recorder) {
  const [alice = '', bob = '', carol = '', dave = '', erin = ''] = ROLES.traders.map(
    (index) => venue.wallets[index],
  )
  /** Mines a block that many seconds after the last one, in which every call must succeed. */
  const block = async (laterSeconds: number, ...calls: Call[]) => {
    const done = await venue.block(venue.seconds + laterSeconds, calls)
    const refused = done.indexOf(false)
    if (refused >= 0) throw new Error(`call ${refused} of block ${venue.blocks.length} reverts`)
  }
  return { alice, bob, carol, dave, erin, block }
}

/**
 * Prices are hundredths of a USDC, lots ten-thousandths of an ETH: 1 ETH at 3,200 = 10,000 lots.
 */
async function recordSpot(venue: Recorder): Promise<void> {
  const { alice, bob, carol, dave, block } = actors(venue)
  const calls = venue.marketCalls(marketNamed('ETH-USDC'))
  const owner = venue.wallets[ROLES.owner] ?? ''
  await block(
    60,
    ...calls.deposit(alice, { token: 'USDC', amount: 10_000n * E6 }),
    ...calls.deposit(bob, { token: 'ETH', amount: 5n * E18 }),
    ...calls.deposit(carol, { token: 'ETH', amount: 3n * E18 }),
    ...calls.deposit(carol, { token: 'USDC', amount: 5_000n * E6 }),
  )
  await block(
    5,
    calls.buy(alice, 10_000n, 319_900), // order 1
    calls.sell(bob, 10_000n, 320_500), // 2
    calls.sell(carol, 4_000n, 320_400, { timeInForce: 'POST_ONLY' }), // 3
  )
  // Order 5 could not pay for all of its lots, only for those that fill.
  await block(
    5,
    calls.sell(bob, 4_000n, 319_900, { timeInForce: 'IOC' }), // 4
    calls.buy(alice, 22_000n, 320_500, { timeInForce: 'IOC' }), // 5
  )
  await block(
    5,
    calls.reduce(alice, 1, 1_000n),
    calls.sell(bob, 5_000n, 321_000, { goodTilSeconds: venue.seconds + 65 }), // 6
    calls.sell(alice, 3_000n, 319_900), // 7 meets 1, of the same account
  )
  await block(5, calls.buy(carol, 3_000n, 319_900, { timeInForce: 'FOK' })) // 8
  // Order 6 has expired, but its funds stay locked until it is swept.
  await block(70, calls.buy(alice, 2_000n, 320_000), calls.buy(alice, 2_000n, 319_950)) // 9, 10
  await block(5, calls.sell(bob, 4_000n, 319_900, { fillsMax: 1 })) // 11
  await block(
    5,
    calls.sweep(carol, [6]),
    calls.sell(bob, 1_000n, 320_700), // 12
    calls.transfer(alice, carol, { token: 'USDC', amount: 500n * E6 }),
    calls.transfer(carol, dave, { token: 'ETH', amount: E18 / 2n }),
    calls.withdraw(bob, { token: 'USDC', amount: 1_000n * E6 }),
  )
  await block(5, calls.halt(owner, true), calls.cancel(alice, 10))
}

/** Returns accounts and calls for a scenario of the perpetual market. */
function perpetual(venue: Recorder) {
  const keeper = venue.wallets[ROLES.keeper] ?? ''
  const index = (dollars: bigint, laterSeconds: number) => {
    const seconds = venue.seconds + laterSeconds
    return pushCall(venue.deployment, keeper, { asset: 'ETH', price: dollars * E18, seconds })
  }
  return { ...actors(venue), calls: venue.marketCalls(marketNamed('ETH-PERP')), keeper, index }
}

/** Prices are hundredths of a USDC, lots ten-thousandths of an ETH, as at spot. */
async function recordPerpetual(venue: Recorder): Promise<void> {
  await openPositions(venue)
  await settleHours(venue)
  await closePositions(venue)
}

/** Orders 1 to 7: positions open on both sides, and an order expires and is swept. */
async function openPositions(venue: Recorder): Promise<void> {
  const { alice, bob, carol, keeper, calls, index, block } = perpetual(venue)
  await block(
    60,
    index(3_200n, 60),
    ...[alice, bob, carol].flatMap((trader) =>
      calls.deposit(trader, { token: 'USDC', amount: 2_000n * E6 }),
    ),
  )
  await block(
    5,
    calls.setLeverage(alice, 5),
    calls.buy(alice, 10_000n, 319_900), // order 1
    calls.sell(bob, 10_000n, 320_500), // 2
    calls.buy(carol, 5_000n, 319_800, { timeInForce: 'POST_ONLY' }), // 3
  )
  await block(5, calls.poke(keeper))
  await block(
    5,
    calls.sell(bob, 6_000n, 319_900, { timeInForce: 'IOC' }), // 4 meets 1
    calls.buy(carol, 20_000n, 320_500, { timeInForce: 'IOC' }), // 5 meets 2
  )
  await block(
    5,
    calls.reduce(alice, 1, 1_000n),
    calls.sell(alice, 3_000n, 321_000, { goodTilSeconds: venue.seconds + 65 }), // 6
    calls.sell(alice, 2_000n, 319_900), // 7 meets 1, of the same account
  )
  // Order 6 has expired, but requires margin until it is swept.
  await block(70, index(3_210n, 70))
  await block(5, calls.sweep(bob, [6]))
}

/** Order 8: two hours settle, one of them late. */
async function settleHours(venue: Recorder): Promise<void> {
  const { bob, carol, keeper, calls, index, block } = perpetual(venue)
  // At 1:00:10 the first hour settles, at a rate of 0: its premium applies from now on.
  await block(2_855, index(3_190n, 2_855), calls.poke(keeper))
  // At 1:30:10 alice, who is long, pays half an hour and bob receives it.
  await block(1_800, index(3_195n, 1_800), calls.buy(bob, 4_000n, 319_900)) // 8 meets 7
  // At 2:10:10 the hour is not settled yet: the market's funding index is unchanged.
  await block(2_400, calls.setLeverage(carol, 10))
}

/** Orders 9 to 16: reduce-only orders are cut and capped, positions flip, money is withdrawn. */
async function closePositions(venue: Recorder): Promise<void> {
  const { alice, bob, carol, calls, index, block } = perpetual(venue)
  await block(5, index(3_205n, 5), calls.sell(carol, 15_000n, 320_800, { isReduceOnly: true })) // 9
  await block(
    5,
    calls.buy(alice, 8_000n, 320_600), // 10
    calls.sell(carol, 4_000n, 320_600, { timeInForce: 'IOC' }), // 11 leaves less than 9 would close
  )
  await block(5, calls.buy(bob, 12_000n, 320_800)) // 12 meets 9, which is capped
  // Bob goes from short to long, and alice from long to short.
  await block(5, calls.sell(alice, 10_000n, 320_800), calls.buy(bob, 4_000n, 320_800)) // 13, 14
  // Order 16 may not trade as far from the mark as 15 is.
  await block(5, calls.sell(bob, 2_000n, 360_000), calls.buy(carol, 2_000n, 370_000)) // 15, 16
  await block(
    5,
    calls.cancel(bob, 8),
    calls.cancelAll(carol, [3]),
    calls.transfer(carol, alice, { token: 'USDC', amount: 200n * E6 }),
    calls.withdraw(carol, { token: 'USDC', amount: 300n * E6 }),
  )
}

/** Accounts by number, in the order of their deposits; 1 is insurance. */
const [INSURANCE, ALICE, BOB, CAROL, DAVE] = [1, 3, 4, 5, 6] as const

/**
 * Like `recordPerpetual`. Alice, carol and dave are long 1 ETH each with 200 USDC; bob is short.
 * Insurance has 1,600 USDC, of which the market may cost it a fifth.
 */
async function recordForced(venue: Recorder): Promise<void> {
  const { alice, bob, carol, dave, erin, keeper, calls, index, block } = perpetual(venue)
  const dollars = (whole: bigint) => ({ token: 'USDC', amount: whole * E6 }) as const
  await block(
    60,
    index(3_200n, 60),
    ...calls.deposit(venue.wallets[ROLES.insurance] ?? '', dollars(1_600n)),
    ...calls.deposit(alice, dollars(200n)),
    ...calls.deposit(bob, dollars(20_000n)),
    ...calls.deposit(carol, dollars(200n)),
    ...calls.deposit(dave, dollars(200n)),
    ...calls.deposit(erin, dollars(2_000n)),
  )
  await block(
    5,
    calls.sell(bob, 30_000n, 320_000), // order 1
    ...[alice, carol, dave].map((long) =>
      calls.buy(long, 10_000n, 320_000, { timeInForce: 'IOC' }),
    ), // 2, 3, 4
    calls.buy(alice, 100n, 300_000), // 5
  )
  // An hour settles before alice is closed at the bid of erin, who receives half of the fee.
  await block(5, calls.poke(keeper))
  await block(3_000, index(3_070n, 3_000), calls.buy(erin, 10_000n, 306_000)) // 6
  await block(5, index(3_066n, 5), calls.liquidate(erin, ALICE, [5]))
  // At the previous price carol is not far enough below for insurance to take her over at once.
  await block(5, index(3_030n, 5))
  await block(5, calls.liquidate(keeper, CAROL, []))
  await block(5, index(2_800n, 5))
  await block(5, index(2_600n, 5))
  await block(
    5,
    calls.nominate(keeper, { loser: DAVE, winner: BOB }),
    calls.nominate(keeper, { loser: INSURANCE, winner: BOB }),
  )
  await block(10, calls.deleverage(keeper, DAVE), calls.deleverage(keeper, INSURANCE))
}
