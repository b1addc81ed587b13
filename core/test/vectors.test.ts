// Recomputes the contracts' vectors (`npm run vectors -w contracts`), comparing every integer.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { isFarBelow, isLiquidatable } from '../src/distress.ts'
import { estimatedRate, fundingIndexAt, sampledFunding, settledFunding } from '../src/funding.ts'
import { abs, E18, min } from '../src/integers.ts'
import { accountLiquidationPrice } from '../src/liquidation.ts'
import {
  accountMargin,
  availableMargin,
  exposureLots,
  fundingDue,
  markPerLotDown,
  positionEquity,
  withdrawableCollateral,
} from '../src/margin.ts'
import { applyBasis, steadyMark } from '../src/marks.ts'
import { emptyPosition, filledPosition } from '../src/positions.ts'
import type { Funding, Market, Position } from '../src/records.ts'
import { emptyState, fold, loaded, type VenueState } from '../src/state.ts'
import {
  type Distress,
  deleverageUnit,
  equityGone,
  equityKeptUp,
  forcedFeeDown,
  forcedLimitTick,
  forcedLotsUp,
  type Insurance,
  insuranceRoomDown,
  keeperReward,
  type Winner,
} from './vectors/distress.ts'
import { feeUp } from './vectors/fees.ts'
import {
  agreedSample,
  basisAfter,
  clampPremium,
  perSecondCut,
  relativeDistance,
} from './vectors/premiums.ts'

const FOLDER = join(import.meta.dirname, 'vectors')
const ENGINE = '0x00000000000000000000000000000000000000e1'
const ACCOUNT = 3
const AT = { engine: ENGINE, account: ACCOUNT, seconds: 0 }
const PLACE = { logIndex: 0, txHash: '0x' }
/** A token with 6 decimals, as in the venue of the vectors. */
const RAW_UNIT = 10n ** 12n

/** Reads an integer by name; throws if it is missing, since a misspelt name would test nothing. */
type Integers = (name: string) => bigint
type Fields = Readonly<Record<string, unknown>>
type Case = Readonly<{ title: string; fields: Fields; of: Integers }>

function parseIntegers(fields: Fields): Integers {
  return (name) => {
    const value = fields[name]
    assert.ok(typeof value === 'string' && /^-?\d+$/.test(value), `the case has an integer ${name}`)
    return BigInt(value)
  }
}

function readCases(file: string): readonly Case[] {
  const all = JSON.parse(readFileSync(join(FOLDER, `${file}.json`), 'utf8')) as Fields[]
  assert.ok(all.length > 0)
  return all.map((fields, index) => ({
    title: `${file}, case ${index}`,
    fields,
    of: parseIntegers(fields),
  }))
}

const readRows = ({ fields }: Case, name: string) => fields[name] as readonly Fields[]

const makeMarket = (number: number, of: Integers): Market => ({
  id: `market ${number}`,
  engine: ENGINE,
  number,
  name: 'PERP',
  type: 'PERPETUAL',
  asset: 'ASSET',
  quoteAsset: 'USDC',
  baseToken: null,
  quoteToken: null,
  baseDecimals: 18,
  quoteDecimals: 18,
  priceStep: 1n,
  amountStep: of('amountStep'),
  quotePerLotTick: 1n,
  minOrderValue: 0n,
  maxOrderValue: 0n,
  maxNotionalValue: 0n,
  maxOpenInterest: 0n,
  maxLeverage: Number(of('maxLeverage')),
  makerFee: 0,
  takerFee: 0,
  isHalted: false,
  isEnded: false,
  lossAccount: null,
  listedSeconds: 0,
})

const makePosition = (market: string, of: Integers): Position => ({
  ...emptyPosition(market, ACCOUNT),
  lots: of('lots'),
  quote: of('quote'),
  fundingIndex: of('fundingIndex'),
  bidLots: of('bidLots'),
  askLots: of('askLots'),
})

const fundingSince = (settledSeconds: number, mark: bigint): Funding => ({
  market: 'market 1',
  settledSeconds,
  rate: 0n,
  perSecond: 0n,
  cumulative: 0n,
  mark,
  premiumSum: 0n,
  sampledSeconds: 0,
})

/** A venue that contains only the account of the case. */
function makeState(vector: Case): VenueState {
  const state = emptyState()
  const { records } = state
  const amount = vector.of('collateral')
  records.collateral.set(`${ENGINE}|${ACCOUNT}`, { engine: ENGINE, account: ACCOUNT, amount })
  readRows(vector, 'positions').forEach((fields, index) => {
    const of = parseIntegers(fields)
    const market = makeMarket(index + 1, of)
    const { id } = market
    const leverage = Number(of('leverage'))
    const cumulative = of('newFundingIndex')
    records.market.set(id, market)
    fold(state, [loaded('position', { ...makePosition(id, of), leverage })])
    records.mark.set(id, steadyMark({ market: id, price: of('mark'), seconds: 0 }))
    records.funding.set(id, { ...fundingSince(0, 0n), market: id, cumulative })
  })
  return state
}

function computeMargin(vector: Case) {
  const margin = accountMargin(makeState(vector), AT)
  assert.ok(margin)
  return margin
}

describe('core computes the same as the contracts', () => {
  for (const { title, of } of readCases('fills'))
    test(`${title}: the effect of a fill on a position`, () => {
      const before = makePosition('market 1', of)
      const fundingIndex = of('newFundingIndex')
      const fill = { lots: of('bought'), unit: of('unit'), fundingIndex }
      const { after, realised, payment } = filledPosition(before, fill)
      assert.equal(exposureLots(before), of('exposure'))
      assert.equal(fundingDue(before, fundingIndex), of('fundingDue'))
      assert.equal(positionEquity(before, of('markPerLot'), fundingIndex), of('equity'))
      assert.equal(payment, of('fundingDue'))
      assert.equal(realised - payment, of('cash'))
      assert.equal(after.lots, of('lotsAfter'))
      assert.equal(after.quote, of('quoteAfter'))
      assert.equal(after.fundingIndex, of('fundingIndexAfter'))
    })

  for (const { title, of } of readCases('fees'))
    test(`${title}: a fee, or a rebate`, () => {
      assert.equal(feeUp(of('value'), Number(of('rate'))), of('fee'))
    })

  for (const { title, of } of readCases('rates'))
    test(`${title}: the rate of the next hour, and the funding of a lot per second`, () => {
      const premiumSum = of('premiumSum')
      const sampledSeconds = Number(of('sampledSeconds'))
      const rate = estimatedRate({ ...fundingSince(0, 0n), premiumSum, sampledSeconds })
      assert.equal(rate, of('rate'))
      assert.equal(perSecondCut(rate, of('markPerLot')), of('perSecond'))
    })

  for (const { title, of } of readCases('premiums'))
    test(`${title}: premium, basis and mark of a poke`, () => {
      const [index, basis] = [of('index'), of('basis')]
      const [depth, average] = [
        relativeDistance(of('mid'), index),
        relativeDistance(of('average'), index),
      ]
      const sample = agreedSample(basis, depth, average)
      assert.equal(clampPremium(sample), of('premium'))
      assert.equal(basisAfter(basis, sample, Number(of('weight'))), of('basisAfter'))
      assert.equal(applyBasis(index, basis), of('mark'))
    })

  for (const vector of readCases('margins'))
    test(`${vector.title}: the equity and margins of an account`, () => {
      const { of } = vector
      const margin = computeMargin(vector)
      assert.equal(margin.equity, of('equity'))
      assert.equal(margin.initial, of('initialMargin'))
      assert.equal(margin.maintenance, of('maintenanceMargin'))
      assert.equal(margin.notional, of('notional'))
      assert.equal(availableMargin(margin), of('available'))
      assert.equal(withdrawableCollateral(margin), of('withdrawable'))
    })

  for (const vector of readCases('liquidation-prices'))
    test(`${vector.title}: the mark at which an account would be liquidated`, () => {
      const state = makeState(vector)
      const market = state.records.market.get('market 1')
      assert.ok(market)
      const price = accountLiquidationPrice(state, { market, account: ACCOUNT, seconds: 0 })
      assert.equal(price ?? 0n, vector.of('liquidationPrice'))
    })
})

describe('core computes the same funding as the contracts', () => {
  for (const vector of readCases('funding'))
    test(`${vector.title}: hours of pokes, some of them missing`, () => {
      let funding = fundingSince(Number(vector.of('settledSeconds')), vector.of('mark'))
      for (const fields of readRows(vector, 'steps')) {
        const of = parseIntegers(fields)
        if (fields.type === 'Marked') funding = sampledFunding(funding, makeMarked(of))
        else if (fields.type === 'State') checkFunding(funding, of)
        else funding = settleAndCheck(funding, of, vector.of('amountStep'))
      }
    })
})

const makeMarked = (of: Integers) => ({
  type: 'Marked' as const,
  market: 'market 1',
  mark: of('mark'),
  basis: of('basis'),
  premium: of('premium'),
  seconds: Number(of('seconds')),
  ...PLACE,
})

/** The hour ends as core predicted; the next begins at the current mark. */
function settleAndCheck(before: Funding, of: Integers, amountStep: bigint): Funding {
  const nextRate = of('nextRate')
  assert.equal(nextRate, estimatedRate(before))
  const event = {
    type: 'FundingSettled' as const,
    market: 'market 1',
    time: Number(of('time')),
    rate: of('rate'),
    mark: of('mark'),
    cumulative: of('cumulative'),
    nextRate,
    nextPerSecond: of('nextPerSecond'),
    ...PLACE,
  }
  const mark = of('markThen')
  assert.equal(perSecondCut(nextRate, (mark * amountStep) / E18), event.nextPerSecond)
  return settledFunding(before, event, mark)
}

function checkFunding(funding: Funding, of: Integers): void {
  assert.equal(fundingIndexAt(funding, Number(of('seconds'))), of('fundingIndex'))
  assert.equal(funding.rate, of('rate'))
  assert.equal(funding.perSecond, of('perSecond'))
  assert.equal(funding.premiumSum, of('premiumSum'))
  assert.equal(BigInt(funding.sampledSeconds), of('sampledSeconds'))
}

describe('core predicts the forced closes of the contracts', () => {
  const cases = readCases('forced-closes')
  const played = { limitTick: 0, fee: 0, share: 0, reward: 0, deleveragedLots: 0 }
  let spared = 0

  for (const vector of cases) {
    const { fields, of } = vector
    for (const name of Object.keys(played) as (keyof typeof played)[])
      if (name in fields) played[name]++
    test(`${vector.title}: a position of an account in distress`, () => {
      const distress = makeDistress(vector)
      assert.ok(isLiquidatable(favouredMargin(of)))
      if ('limitTick' in fields) checkOrder(distress, of)
      if ('fee' in fields) checkFee(vector, distress)
      if ('share' in fields) checkAbsorption(vector, distress)
      if ('deleveragedLots' in fields && isSpared(vector, distress)) {
        // The winner gives up only its profit: the rest of the debt remains.
        assert.ok(of('equityAfter') > of('equity'))
        spared++
      } else checkRatio(distress, of)
    })
  }

  test('the vectors contain cases of each kind', () => {
    for (const [name, count] of Object.entries(played)) assert.ok(count >= 5, `${name}: ${count}`)
    assert.ok(spared >= 3, `${spared} winners had won too little`)
  })
})

/** Returns whether the winner of a deleverage gave less than would have kept the loser's ratio. */
function isSpared(vector: Case, distress: Distress): boolean {
  const { of } = vector
  const [lots, winner] = [of('deleveragedLots'), makeWinner(vector)]
  assert.ok(isFarBelow(favouredMargin(of)))
  const uninsured = abs(distress.position.lots) - insuranceRoomDown(distress, makeInsurance(of))
  assert.equal(abs(lots), min(uninsured, abs(winner.lots)))
  assert.equal(deleverageUnit(distress, lots, winner), of('unit'))
  const rich = { ...winner, profit: 10n ** 60n, margin: { equity: 10n ** 60n, maintenance: 0n } }
  return deleverageUnit(distress, lots, rich) !== of('unit')
}

const makeInsurance = (of: Integers): Insurance => ({
  margin: { equity: of('insuranceEquity'), maintenance: of('insuranceMargin') },
  lots: of('insuranceLots'),
  worth: of('insuranceWorth'),
  maxNotional: of('coverNotional'),
  lossBps: of('coverLossBps'),
  paid: of('coverPaid'),
})

const makeWinner = ({ of }: Case): Winner => ({
  lots: of('winnerLots'),
  profit: of('winnerProfit'),
  margin: { equity: of('winnerEquity'), maintenance: of('winnerMaintenanceMargin') },
})

function makeDistress(vector: Case): Distress {
  const { of } = vector
  const margin = computeMargin(vector)
  assert.equal(margin.equity, of('equity'))
  assert.equal(margin.maintenance, of('maintenanceMargin'))
  const state = makeState(vector)
  const id = `market ${of('market')}`
  const market = state.records.market.get(id)
  const position = state.records.position.get(`${id}|${ACCOUNT}`)
  const mark = state.records.mark.get(id)
  assert.ok(market && position && mark)
  const terms = {
    quotePerLotTick: of('quotePerLotTick'),
    takerFee: Number(of('takerFee')),
    maxOrderValue: of('maxOrderValue'),
  }
  return {
    market: { ...market, ...terms },
    position,
    markPerLot: markPerLotDown(market, mark.price),
    margin,
  }
}

/** The margin at the better of mark and index, which decides. */
const favouredMargin = (of: Integers) => ({
  equity: of('favouredEquity'),
  maintenance: of('favouredMargin'),
})

function checkOrder(distress: Distress, of: Integers): void {
  assert.ok(!isFarBelow(favouredMargin(of)))
  assert.equal(BigInt(forcedLimitTick(distress)), of('limitTick'))
  const lots = forcedLotsUp(distress, of('sliceClosed'))
  assert.equal(lots, of('placedLots'))
}

function checkAbsorption({ fields, of }: Case, distress: Distress): void {
  checkAbsorbedLots(distress, of)
  assert.equal(distress.markPerLot, of('unit'))
  assert.equal(equityGone(distress, of('absorbedLots')), of('share'))
  const reward = 'reward' in fields ? of('reward') * RAW_UNIT : 0n
  assert.equal(of('insuranceEquityAfter'), of('insuranceEquity') + of('share') - reward)
}

/**
 * All lots if far below the maintenance margin, else those left by the book; in both cases at most
 * what insurance may take over.
 */
function checkAbsorbedLots(distress: Distress, of: Integers): void {
  const { lots } = distress.position
  const most = isFarBelow(favouredMargin(of))
    ? abs(lots)
    : forcedLotsUp(distress, of('sliceClosed'))
  const count = min(most, insuranceRoomDown(distress, makeInsurance(of)))
  assert.equal(of('absorbedLots'), lots < 0n ? -count : count)
}

/** The margin before the fee follows from the margin after it. */
function checkFee({ of }: Case, distress: Distress): void {
  const fee = of('fee')
  const after = { equity: of('equityAfter') + fee, maintenance: of('maintenanceMarginAfter') }
  assert.equal(forcedFeeDown(distress, of('filledLots'), after), fee)
  const reward = keeperReward(fee, of('keeper') !== 0n)
  assert.equal(of('insuranceEquityAfter'), of('insuranceEquity') + fee - reward)
}

/** In every case, equity over maintenance margin does not fall. */
function checkRatio({ margin }: Distress, of: Integers): void {
  const required = equityKeptUp(margin, of('maintenanceMarginAfter'))
  assert.ok(of('equityAfter') >= required)
}
