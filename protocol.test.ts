// docs/PROTOCOL.md is true: its examples are what core computes, its bounds are those of the
// contracts, and its list of events is the ABIs'. core computes what the contracts compute:
// core/test/vectors.test.ts.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { abs, E18 } from '@openvenue/core/integers'
import { accountsAbi } from './contracts/abi/accounts.ts'
import { perpsAbi } from './contracts/abi/perps.ts'
import { pushOracleAbi } from './contracts/abi/push-oracle.ts'
import { spotAbi } from './contracts/abi/spot.ts'
import { isFarBelow, isLiquidatable } from './core/src/distress.ts'
import { rateFromPremium } from './core/src/funding.ts'
import { liquidationPrice } from './core/src/liquidation.ts'
import {
  type AccountMargin,
  availableMargin,
  exposureLots,
  fundingDue,
  initialMarginUp,
  maintenanceMarginUp,
  markPerLotDown,
  positionEquity,
  withdrawableCollateral,
} from './core/src/margin.ts'
import { applyBasis } from './core/src/marks.ts'
import { emptyPosition, filledPosition } from './core/src/positions.ts'
import type { Market, Position } from './core/src/records.ts'
import { formatRaw, priceText } from './core/src/units.ts'
import { replay, writtenRecords } from './core/test/scenario/replay.ts'
import { scenario } from './core/test/scenario/scenario.ts'
import {
  type Distress,
  deleverageUnit,
  equityGone,
  forcedFeeDown,
  forcedLimitTick,
  forcedLotsUp,
  keeperReward,
} from './core/test/vectors/distress.ts'
import { feeUp } from './core/test/vectors/fees.ts'
import {
  basisAfter,
  clampPremium,
  perSecondCut,
  relativeDistance,
} from './core/test/vectors/premiums.ts'

const PROTOCOL = readFileSync('docs/PROTOCOL.md', 'utf8')

/** The market of all examples. */
const MARKET: Market = {
  id: 'ETH-PERP',
  engine: '',
  number: 1,
  name: 'ETH-PERP',
  type: 'PERPETUAL',
  asset: 'ETH',
  quoteAsset: 'USDC',
  baseToken: null,
  quoteToken: null,
  baseDecimals: 18,
  quoteDecimals: 18,
  priceStep: 10n ** 16n,
  amountStep: 10n ** 14n,
  quotePerLotTick: 10n ** 12n,
  minOrderValue: E18,
  maxOrderValue: 1_000_000n * E18,
  maxNotionalValue: 5_000_000n * E18,
  maxOpenInterest: 10n ** 12n,
  maxLeverage: 20,
  makerFee: 100,
  takerFee: 350,
  isHalted: false,
  isEnded: false,
  lossAccount: null,
  listedSeconds: 0,
}

const usd = (whole: bigint) => whole * E18
/** With commas between thousands. */
function text(raw: bigint): string {
  const [whole = '', part] = formatRaw(raw, 18).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return part === undefined ? grouped : `${grouped}.${part}`
}

/** Cut to two decimals. */
const cents = (raw: bigint) => text(raw - (raw % (E18 / 100n)))

const perLot = (price: bigint) => markPerLotDown(MARKET, price)

/** Lines of `name = value`, the values below one another. */
function block(lines: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}

/** A fill at a price of whole dollars. */
const filled = (before: Position, lots: bigint, price: bigint) =>
  filledPosition(before, { lots, unit: perLot(usd(price)), fundingIndex: before.fundingIndex })

const EXAMPLES: Readonly<Record<string, () => string>> = {
  units: () => {
    const [tick, lots] = [300_000n, 15_000n]
    return block([
      ['price 3,000.00', `tick ${tick}`],
      ['amount 1.5', `lots ${lots}`],
      ['value', `${tick} * ${lots} * 10^12 = ${text(tick * lots * MARKET.quotePerLotTick)}`],
    ])
  },

  'fills of a position': () => {
    const opened = filled(emptyPosition('', 3), 100_000n, 3000n)
    const part = filled(opened.after, -40_000n, 3100n)
    const flip = filled(part.after, -100_000n, 3050n)
    const row = (name: string, step: typeof opened, price: bigint) =>
      [
        name,
        [
          `lots ${step.after.lots}`,
          `quote ${text(step.after.quote)}`,
          `realised ${text(step.realised)}`,
          `fee ${text(feeUp(abs(step.after.lots - step.before.lots) * perLot(usd(price)), 350))}`,
        ].join(', '),
      ] as const
    return block([
      row('buys 10 at 3,000', opened, 3000n),
      row('sells 4 at 3,100', part, 3100n),
      row('sells 10 at 3,050', flip, 3050n),
    ])
  },

  'mark after a poke': () => {
    const [index, mid] = [usd(3000n), usd(3006n)]
    const sample = relativeDistance(mid, index)
    const basis = basisAfter(0n, sample, 60)
    return block([
      ['premium', `(3,006 - 3,000) / 3,000 = ${text(clampPremium(sample))}`],
      ['basis', `0 + 0.002 * 60 / (60 + 150), within 0.0005 = ${text(basis)}`],
      ['mark', `3,000 + 3,000 * 0.0005 = ${text(applyBasis(index, basis))}`],
    ])
  },

  'an hour of funding': () => {
    const premium = E18 / 1000n
    const rate = rateFromPremium(premium)
    const second = perSecondCut(rate, perLot(usd(3000n)))
    const position = { ...emptyPosition('', 3), lots: 100_000n }
    return block([
      ['average premium', '0.1%'],
      ['rate', `0.1% / 8 + (0.00125% - 0.1% / 8 kept within 0.00625%) = ${text(rate)}`],
      ['per lot and second', `${second} raw`],
      ['10 ETH long, half an hour', `pays ${text(fundingDue(position, second * 1800n))}`],
      ['10 ETH long, an hour', `pays ${text(fundingDue(position, second * 3600n))}`],
    ])
  },

  'margin of an account': () => {
    const { position, mark, margin } = account(6000n, 2950n, 20_000n)
    return block([
      ['equity', `6,000 - 30,000 + 10 * 2,950 = ${text(margin.equity)}`],
      ['exposure', `max(|10 + 2|, |10 - 0|) = ${text(exposureLots(position) * MARKET.amountStep)}`],
      ['initial margin', `12 * 2,950 / 20 = ${text(margin.initial)}`],
      ['maintenance margin', `10 * 2,950 / 40 = ${text(margin.maintenance)}`],
      ['available', text(availableMargin(margin))],
      ['withdrawable', `equity - 10% of 29,500 = ${text(withdrawableCollateral(margin))}`],
      [
        'with leverage 10',
        `initial margin ${text(initialMargin({ ...position, leverage: 10 }, mark))}`,
      ],
      [
        'liquidation price',
        text(liquidationPrice({ market: MARKET, position, mark, margin }) ?? 0n),
      ],
    ])
  },

  'how far a long may fall': () =>
    block(
      [20n, 10n, 5n, 3n].map((leverage) => {
        const at = account(30_000n / leverage, 3000n, 0n)
        const price = liquidationPrice({ market: MARKET, ...at }) ?? 0n
        const equity = account(30_000n / leverage, 2100n, 0n).margin.equity
        return [
          `leverage ${leverage}`,
          `liquidated at ${cents(price)}, a fall of ${cents((usd(3000n) - price) / 30n)} %; equity after a fall of 30 %: ${text(equity)}`,
        ]
      }),
    ),

  'a liquidation on the book': () => {
    const distress = distressAt(2865n)
    const tick = forcedLimitTick(distress)
    const lots = forcedLotsUp(distress)
    // It sells all of it at 2,860, ten dollars above its limit or more.
    const paid = feeUp(lots * perLot(usd(2860n)), 350)
    const after = {
      equity: distress.margin.equity - lots * perLot(usd(5n)) - paid,
      maintenance: 0n,
    }
    const fee = forcedFeeDown(distress, lots, after)
    assert.ok(isLiquidatable(distress.margin) && !isFarBelow(distress.margin))
    return block([
      ['equity', `2,000 - 30,000 + 10 * 2,865 = ${text(distress.margin.equity)}`],
      ['maintenance margin', text(distress.margin.maintenance)],
      ['limit of the order', priceText(MARKET, tick)],
      ['sold at', `2,860, taker fee ${text(paid)}`],
      ['fee of the liquidation', text(fee)],
      ['of it to the keeper', text(keeperReward(fee, true))],
      ['left to the account', text(after.equity - fee)],
    ])
  },

  'a position that insurance takes': () => {
    const distress = distressAt(2820n)
    assert.ok(isFarBelow(distress.margin))
    return block([
      ['equity', text(distress.margin.equity)],
      ['two thirds of maintenance', text((distress.margin.maintenance * 2n) / 3n)],
      ['insurance buys', '10 at 2,820'],
      ['and gets collateral', text(equityGone(distress, distress.position.lots))],
    ])
  },

  'a position that is deleveraged': () => {
    const distress = distressAt(2700n)
    const { lots } = distress.position
    const priceFor = (entry: bigint) => {
      const winner = {
        lots: -lots,
        profit: lots * (entry * MARKET.amountStep - distress.markPerLot),
        margin: { equity: 100_000n * E18, maintenance: 0n },
      }
      return text(deleverageUnit(distress, lots, winner) * (E18 / MARKET.amountStep))
    }
    return block([
      ['equity', text(distress.margin.equity)],
      ['insurance would have to pay', text(-equityGone(distress, lots))],
      ['price per ETH, against a short from 3,000', priceFor(3_000n)],
      ['price per ETH, against a short from 2,750', priceFor(2_750n)],
    ])
  },

  'the start of a funding clock': () => {
    const tale = scenario()
      .next(10 * 3600 + 600)
      .list('ETH-PERP')
    const listed = tale.seconds
    const priced = tale.next(5 * 3600 + 600).index('ETH', usd(3_000n)).seconds
    const { state } = replay(tale.blocks())
    const { all } = replay(tale.next(3600).index('ETH', usd(3_010n)).poke().blocks())
    const [clock] = state.records.funding.values()
    const [row] = writtenRecords(all, 'settlement')
    return block([
      ['listed', clockTime(listed)],
      ['first price', `${clockTime(priced)}, ${text(usd(3_000n))}`],
      ['clock starts', clockTime(clock?.settledSeconds ?? 0)],
      [
        'first row',
        `${clockTime(row?.seconds ?? 0)}, rate ${row?.rate}, mark ${text(row?.mark ?? 0n)}`,
      ],
    ])
  },
}

/** The time of day, in hours and minutes. */
const clockTime = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 16)

type Abi = readonly Readonly<{ type: string; name?: string }>[]

/** Messages that are signed, by the contract that checks them. */
const SIGNED = [
  ['Accounts.sol', 'RegisterKey(address account,address key,uint256 expiry)'],
  ['Accounts.sol', 'AcceptKey(address account,address key,uint256 expiry)'],
  ['Accounts.sol', 'AllowCanceller(address account,address canceller,uint256 expiry)'],
  [
    'Signed.sol',
    'Order(address account,uint32 market,bool isBuy,uint256 limitPrice,uint256 amount,uint8 timeInForce,bool reduceOnly,uint8 triggerKind,uint256 triggerPrice,uint256 goodTil,uint8 maxFills,bytes32 replaces,uint256 replacesAmount,uint256 salt,uint256 deadline)',
  ],
  ['Signed.sol', 'Cancel(address account,uint32 market,bytes32[] orders,uint256 deadline)'],
  ['Signed.sol', 'CancelAll(address account,uint32 market,uint256 salt,uint256 deadline)'],
  ['Signed.sol', 'Burn(address account,uint256 word,uint256 mask,uint256 deadline)'],
] as const

/** The cost of moving a mark: what a test of the contracts computes, and the row of section 7. */
const MARK_COSTS = [
  ['_expect(0, 0.001e18, 7, 2)', '| empty | 7 in 2 minutes |'],
  ['_expect(0, 0.00499e18, 187, 22)', '| 7 in 2 minutes | 187 in 22 minutes | impossible |'],
  ['_expect(10_000, 0.001e18, 24, 2)', '| thin: 10,000 | 24 in 2 minutes |'],
  ['_expect(10_000, 0.00499e18, 374, 22)', '| 24 in 2 minutes | 374 in 22 minutes | impossible |'],
  ['_expect(100_000, 0.001e18, 177, 2)', '| normal: 100,000 | 177 in 2 minutes |'],
  ['_expect(100_000, 0.00499e18, 2_057, 22)', '| 2,057 in 22 minutes | impossible |'],
] as const

/** The table of section 14, and the arrays of the tests of the contracts that compute it. */
const LATENCY_TESTS = [
  'test_the_cost_of_a_new_position_with_a_mark_half_a_percent_off',
  'test_the_cost_at_the_maintenance_margin_with_a_mark_half_a_percent_off',
] as const

/** Returns the costs that a test of the contracts expects: a row for each leverage. */
function latencyCosts(name: string): readonly (readonly string[])[] {
  const source = readFileSync('contracts/test/perps/LatencyCosts.t.sol', 'utf8')
  const body = source.slice(source.indexOf(`function ${name}(`))
  const [, rows = ''] = /costs = \[(.*?)\];/s.exec(body) ?? []
  return [...rows.matchAll(/\[(.*?)\]/g)].map(([, row = '']) =>
    row.split(', ').map((cell) => cell.replace(/uint256\((\d+)\)/, '$1').replace('_', ',')),
  )
}

/** Bounds in the sources, and the document's claims about them. */
const BOUNDS: readonly (readonly [file: string, source: string, claim: string])[] = [
  ['PerpsAdmin.sol', 'MARKETS_MAX = 64', '64 perpetual markets'],
  ['PerpsAdmin.sol', 'LEVERAGE_MAX = 50', '1 to 50'],
  ['PerpsAdmin.sol', 'LEVERAGE_AGE_MAX = 432_000', 'at most 432,000'],
  ['PerpsAdmin.sol', 'FEE_MAX = 10_000', '0 to 10,000 millionths (1 %)'],
  ['PerpsAdmin.sol', 'INDEX_AGE_DEFAULT = 60', '60 s at first'],
  ['PerpsAdmin.sol', 'INDEX_AGE_LOWEST = 10', '10 s to 12 h'],
  ['PerpsAdmin.sol', 'INDEX_AGE_HIGHEST = 12 hours', '10 s to 12 h'],
  ['PerpsAdmin.sol', 'health.notional, 10)', "a tenth of the positions' value"],
  ['PerpsState.sol', 'SETTLED_HOURS_MAX = 24', 'up to 24 hours in one call'],
  ['PerpsState.sol', 'LOTS_MAX = 1 << 62', 'at most 2^62 lots'],
  ['PerpsState.sol', 'INSURANCE_ACCOUNT = AccountId.wrap(1)', 'Account 1 is insurance'],
  ['PerpsState.sol', 'FEE_ACCOUNT = AccountId.wrap(2)', 'account 2 takes the fees'],
  ['Perps.sol', 'markPerLot * 11 / 10', 'no farther than 10 % from the mark'],
  ['Funding.sol', 'POKE_SECONDS = 60', 'at most once in 60 s'],
  ['Funding.sol', 'INTEREST = 0.0000125e18', 'interest of 0.00125 %'],
  ['Funding.sol', 'DAMPING_MAX = 0.0000625e18', 'kept within 0.00625 %'],
  ['Funding.sol', 'RATE_MAX = 0.005e18', 'within 0.5 % an hour'],
  ['Funding.sol', 'PREMIUM_MAX = 0.01e18', 'each sample, within 1 %'],
  ['Funding.sol', 'BASIS_MAX = 0.005e18', 'within 0.5 % of the index'],
  ['Funding.sol', 'BASIS_STEP_MAX = 0.0005e18', 'no more than 0.05 % a poke'],
  ['Funding.sol', 'BASIS_SECONDS = 150', 'weight / (weight + 150)'],
  ['Funding.sol', 'WEIGHT_MAX = 120', 'at most 120'],
  ['Book.sol', 'AVERAGE_SECONDS = 60', 'half way in a minute'],
  ['Depth.sol', 'COUNTED_MAX = 400', 'Up to 400 orders a side count'],
  ['Depth.sol', 'DROPS_MAX = 400', 'after 400 of these it ends without a sample'],
  ['Depth.sol', 'ACCOUNTS_MAX = 64', 'the margin of 64 accounts at most'],
  ['Depth.sol', 'ACCOUNT_MARKETS_MAX = 256', 'in 256 markets together'],
  ['PerpsAdmin.sol', 'ORDER_LOWEST = IMPACT_LOWEST / 400', 'in a perpetual at least 2.5'],
  ['Marks.sol', 'POKE_REWARD = 0.02e18', 'is paid 0.02 out of the fees'],
  ['PerpsAdmin.sol', 'IMPACT_LOWEST = 1_000e18', 'at least 1,000 and 100 times'],
  ['PerpsAdmin.sol', 'IMPACT_ORDERS = 100', 'at least 1,000 and 100 times'],
  ...MARK_COSTS.map(([source, claim]) => ['../test/perps/MarkCost.t.sol', source, claim] as const),
  ['Liquidation.sol', 'SLICE_NOTIONAL = 100_000e18', 'of a position above 100,000'],
  ['Liquidation.sol', 'SLICE_DIVISOR = 5', 'for a slice of a fifth'],
  ['Liquidation.sol', 'PAUSE_SECONDS = 30', 'not again for 30 s'],
  ['Liquidation.sol', 'SLIPPAGE_FIRST = 2_500', 'within 0.25 % of the mark'],
  ['Liquidation.sol', 'SLIPPAGE_LAST = 20_000', 'it opens to 2 % in 30 s'],
  ['Liquidation.sol', 'OPENING_SECONDS = 30', 'it opens to 2 % in 30 s'],
  ['Liquidation.sol', 'SEEN_SECONDS = 60', 'After 60 s without a call'],
  ['Liquidation.sol', 'FEE_DIVISOR = 100', '1 % of the value closed'],
  ['Distressed.sol', 'equity * 3 < int256(health.maintenanceMargin) * 2', 'two thirds of M'],
  ['PerpsState.sol', 'STALE_DIVISOR = 2', '50 % higher for a long, 50 % lower for a short'],
  ['Perps.sol', 'FORCED_GAS_KEPT = 4_000_000', 'more than 4 million gas'],
  ['Perps.sol', 'FILL_GAS_MAX = 8_000_000', 'once it has used 8,000,000 gas'],
  ['Distressed.sol', 'REWARD_MILLIONTHS = 200', 'at least 2 basis points of the value'],
  ['Distressed.sol', 'REWARD_MAX = 10e18', 'at most 10, and nothing'],
  ['Distressed.sol', 'REWARD_MAX = 10e18', 'from the fee account, at most 10 and half'],
  ['Insurance.sol', 'NOTIONAL_FACTOR = 10', "ten times the cover's share of insurance's equity"],
  ['Insurance.sol', 'PARTS = 20', 'It does not take less than a twentieth of a position'],
  ['PerpsAdmin.sol', 'LOSS_BPS_DEFAULT = 2_000', 'at listing `maxNotionalValue` and 20 %'],
  ['PushOracle.sol', 'MOVE_DIVISOR = 100', 'moved by more than 1 % in a second'],
  ['PerpsAdmin.sol', 'MOVED_SECONDS = 10', 'For 10 s after any price'],
  [
    'Deleveraging.sol',
    'SHARE_DIVISOR = 20',
    "an account with at least a twentieth of the loser's lots",
  ],
  ['Deleveraging.sol', 'COVERED_SECONDS = 10', 'and 10 s later, in which the next one'],
  ['Deleveraging.sol', 'NOMINATION_SECONDS = 10', 'led for 10 s without a better one'],
  ['Deleveraging.sol', 'NOMINATION_OPEN_SECONDS = 60', 'put it off for 60 s at most'],
  ['Deleveraging.sol', 'NOMINATION_VOID_SECONDS = 120', '120 s after the first'],
  ['Endings.sol', 'ANNOUNCED_SECONDS = 3 days', 'three days later'],
  ['Endings.sol', 'OPEN_SECONDS = 4 days', 'four days without a call that ends a position'],
  ['Matching.sol', 'value <= maximum || request.reduceOnly', 'a reduce-only order may be larger'],
  ['Matching.sol', 'FILLS_MAX = 100', 'at most 100 of them'],
  ['Matching.sol', 'DROPS_MAX = 100', 'the 101st of them ends the matching'],
  ['Matching.sol', 'RESTING_SECONDS_MIN = 5', 'lives at least 5 s'],
  ['Trimming.sol', 'BOUNTY_DIVISOR = 500', 'a five-hundredth of its value'],
  ['Accounts.sol', 'KEY_LIFE_MAX = 30 days', 'at most 30 days'],
  ...SIGNED.map(([file, type]) => [file, type, type] as const),
  ['PushOracle.sol', 'JUMP_DIVISOR = 10', 'more than 10 % from the one accepted'],
  ['PushOracle.sol', 'AGE_MAX = 1 days', 'older than a day are refused'],
  ['Ledger.sol', 'SHARE_MIN = 1_000', '1,000 to 10,000'],
  ['Ledger.sol', 'SMALL_MAX = type(uint112).max', 'at most 2^112 - 1 raw'],
  ['Ledger.sol', 'BEYOND_DIVISOR = 10', 'no more than a tenth of the share of what stays'],
  [
    'SpotAdmin.sol',
    'VALUE_RATIO_MAX = 1_000_000',
    'at spot at least a millionth of it and above zero',
  ],
  ['GuardianStop.sol', 'LIFE = 3 days', 'A halt or pause of its own lasts three days'],
  ['GuardianStop.sol', '2 * LIFE : LIFE', 'again six days after it last did'],
  ['Governance.sol', 'PROPOSAL_LIFE = 14 days', 'within 14 days of being ready or never'],
  ['ChainlinkSource.sol', 'GRACE = 1 hours', 'has been up for more than an hour'],
  ['Governance.sol', 'DELAY_LOWEST = 1 days', 'every change waits 1 to 30 days'],
  ['Governance.sol', 'DELAY_HIGHEST = 30 days', 'every change waits 1 to 30 days'],
  ['PythSource.sol', 'CONFIDENCE_DIVISOR = 200', 'at most 0.5 % of it'],
  ['PriceSource.sol', 'AHEAD_MAX = 10 seconds', 'more than 10 s ahead'],
]

const initialMargin = (position: Position, mark: bigint) =>
  initialMarginUp(MARKET, position, perLot(mark))

/** Ten ETH long from 3,000, with a bid for `bidLots` and `dollars` of collateral. */
function account(dollars: bigint, price: bigint, bidLots: bigint) {
  const position = { ...filled(emptyPosition('', 3), 100_000n, 3000n).after, bidLots }
  const mark = usd(price)
  const collateral = usd(dollars)
  const margin: AccountMargin = {
    collateral,
    equity: collateral + positionEquity(position, perLot(mark), 0n),
    unrealised: 0n,
    fundingDue: 0n,
    initial: initialMargin(position, mark),
    maintenance: maintenanceMarginUp(MARKET, position, perLot(mark)),
    notional: position.lots * perLot(mark),
  }
  return { position, mark, margin }
}

function distressAt(price: bigint): Distress {
  const { position, mark, margin } = account(2000n, price, 0n)
  return { market: MARKET, position, markPerLot: perLot(mark), margin }
}

describe('docs/PROTOCOL.md', () => {
  for (const [name, compute] of Object.entries(EXAMPLES))
    test(`shows ${name} as core computes it`, () => {
      const expected = compute()
      assert.ok(PROTOCOL.includes(`\n${expected}\n`), `the example should read:\n${expected}`)
    })

  test('names every event of the contracts that are followed', () => {
    const abis: readonly Abi[] = [accountsAbi, spotAbi, perpsAbi, pushOracleAbi]
    const events = abis.flatMap((abi) => abi.filter(({ type }) => type === 'event'))
    const missing = events.filter(({ name }) => !new RegExp(`\`${name}[\`(]`).test(PROTOCOL))
    assert.ok(events.length > 20)
    assert.deepEqual([...new Set(missing.map(({ name }) => name))], [])
  })

  test('has the costs of latency that the contracts are tested for', () => {
    const [fresh, edge] = LATENCY_TESTS.map(latencyCosts)
    const cells = fresh?.map((row, at) =>
      row.map((cost, column) => {
        const old = edge?.[at]?.[column] ?? '0'
        return old === '0' ? cost : `${cost} (${old})`
      }),
    )
    const table = PROTOCOL.slice(PROTOCOL.indexOf('| largest leverage |')).split('\n').slice(2, 8)
    const shown = table.map((line) =>
      line
        .split('|')
        .slice(3, -1)
        .map((cell) => cell.trim()),
    )
    assert.equal(cells?.length, 6)
    assert.deepEqual(shown, cells)
  })

  for (const [file, source, claim] of BOUNDS)
    test(`agrees with ${file}: ${source}`, () => {
      const text = readFileSync(`contracts/src/${file}`, 'utf8')
      assert.ok(text.includes(source), `${file} has changed: does this still hold? ${claim}`)
      assert.ok(PROTOCOL.includes(claim), claim)
    })
})
