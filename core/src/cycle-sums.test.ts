import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { PERP_ENGINE, TOKENS } from '../test/scenario/listing.ts'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { replay, writtenRecords } from '../test/scenario/replay.ts'
import type { BlockChanges } from './changes.ts'
import { collateralScale } from './custody.ts'
import { abs } from './integers.ts'
import { FEE_ACCOUNT, INSURANCE_ACCOUNT } from './positions.ts'
import type { Cycle, Fill } from './records.ts'
import type { VenueState } from './state.ts'

const SCALE = collateralScale(TOKENS.USDC.decimals)
const RUNS = { numRuns: 12 }
const seeds = fc.integer({ min: 0, max: 2 ** 31 })
const sum = (list: readonly bigint[]) => list.reduce((total, n) => total + n, 0n)
const logPosition = (fillId: string) => fillId.slice(0, -2)

type PlayedCycle = Pick<Cycle, 'market' | 'account' | 'openId' | 'funding'> & { endId: string }

/** Every cycle of a replay, completed or running. */
const listCycles = ({ state, all }: ReturnType<typeof replay>): PlayedCycle[] => [
  ...writtenRecords(all, 'closedCycle').map((cycle) => ({ ...cycle, endId: cycle.id })),
  ...[...state.records.cycle.values()].map((cycle) => ({
    ...cycle,
    funding: cycle.funding - cycle.unsettledFunding,
    endId: '999999999999-999999-t',
  })),
]

type Flow = Readonly<{ account: number; amount: bigint }>

const moved = (all: readonly BlockChanges[]): Flow[] =>
  writtenRecords(all, 'transfer')
    .filter(({ engine }) => engine === PERP_ENGINE)
    .map(({ account, type, amount }) => ({
      account,
      amount: (type === 'deposit' || type === 'receive' ? amount : -amount) * SCALE,
    }))

const ended = (all: readonly BlockChanges[]): Flow[] =>
  writtenRecords(all, 'closedCycle').map(({ account, realised, fees, funding }) => ({
    account,
    amount: realised - fees + funding,
  }))

/** Fees of liquidations on the book, by recipient. */
const earned = (all: readonly BlockChanges[]): Flow[] =>
  writtenRecords(all, 'forcedClose')
    .filter(({ kind }) => kind === 'liquidation')
    .flatMap(({ counterparty, fee, reward }) => [
      { account: counterparty ?? 0, amount: reward },
      { account: INSURANCE_ACCOUNT, amount: fee - reward },
    ])

const running = ({ records }: VenueState): Flow[] =>
  [...records.cycle.values()].map((cycle) => {
    const { market, account, realised, fees, funding } = cycle
    const position = records.position.get(`${market}|${account}`)
    assert.ok(position)
    // Published but not paid until the next fill.
    const due = position.lots * (cycle.fundingIndex - position.fundingIndex)
    return { account, amount: realised - fees + funding + due }
  })

describe('invariants of cycles', () => {
  const holds = (claim: (replayed: ReturnType<typeof replay>) => void) =>
    fc.assert(
      fc.property(seeds, (seed) => claim(replay(randomScenario(seed, 150)))),
      RUNS,
    )

  test('the funding payments of a cycle sum to its funding', () => {
    holds((replayed) => {
      const payments = writtenRecords(replayed.all, 'fundingPayment')
      for (const cycle of listCycles(replayed)) {
        const cyclePayments = payments.filter(({ id, account, market }) => {
          if (account !== cycle.account || market !== cycle.market) return false
          const position = id.split('-').slice(0, 2).join('-')
          return position > logPosition(cycle.openId) && position <= logPosition(cycle.endId)
        })
        assert.equal(sum(cyclePayments.map(({ amount }) => amount)), cycle.funding)
      }
    })
  })

  test('funding paid and received by all accounts of a market sums to zero', () => {
    holds(({ state, all }) => {
      const payments = writtenRecords(all, 'fundingPayment')
      const unpaid = [...state.records.cycle.values()]
      for (const market of state.records.market.keys()) {
        const paid = payments.filter((p) => p.market === market).map((p) => p.amount)
        const due = unpaid
          .filter((cycle) => cycle.market === market)
          .map((cycle) => {
            const lots = state.records.position.get(`${market}|${cycle.account}`)?.lots ?? 0n
            const index = state.records.funding.get(market)?.cumulative ?? 0n
            return cycle.unsettledFunding - lots * (index - cycle.fundingIndex)
          })
        assert.equal(sum(paid) + sum(due), 0n)
      }
    })
  })

  test('collateral equals deposits plus results, payments and fee shares of the cycles', () => {
    holds(({ state, all }) => {
      const flows = [...moved(all), ...ended(all), ...running(state), ...earned(all)]
      for (const { account, amount } of state.records.collateral.values())
        if (account !== FEE_ACCOUNT)
          assert.equal(sum(flows.filter((f) => f.account === account).map((f) => f.amount)), amount)
    })
  })

  test('a cycle runs exactly while its position is open, with its side and its lots', () => {
    holds(({ state, all }) => {
      const open = [...state.records.position.values()].filter(({ lots }) => lots !== 0n)
      assert.equal(state.records.cycle.size, open.length)
      for (const { market, account, lots } of open) {
        const cycle = state.records.cycle.get(`${market}|${account}`)
        assert.equal(cycle?.isLong, lots > 0n)
        const left = (cycle?.openedLots ?? 0n) - (cycle?.closedLots ?? 0n)
        assert.equal(left, abs(lots))
      }
      for (const { openedLots, closedLots } of writtenRecords(all, 'closedCycle'))
        assert.equal(openedLots, closedLots)
    })
  })

  test('the fills of an account are the fills of its cycles, a flip counted twice', () => {
    holds(({ state, all }) => {
      const fills = writtenRecords(all, 'fill').filter(({ heldLots }) => heldLots !== null)
      const cycles = [...writtenRecords(all, 'closedCycle'), ...state.records.cycle.values()]
      const flips = writtenRecords(all, 'closedCycle').filter(({ reason }) => reason === 'flip')
      const count = cycles.reduce((total, { fillCount }) => total + fillCount, 0)
      assert.equal(count, fills.length + flips.length)
      const paid = fills.map(({ fee, liquidationFee }) => fee + liquidationFee)
      assert.equal(sum(cycles.map(({ fees }) => fees)), sum(paid))
      assert.equal(
        sum(cycles.map(({ realised }) => realised)),
        sum(fills.map(({ realised }) => realised ?? 0n)),
      )
      const lots = cycles.flatMap(({ openedLots, closedLots }) => [openedLots, closedLots])
      assert.equal(sum(lots), sum(fills.map(({ lots }) => lots)))
      const quotes = cycles.flatMap(({ openedQuote, closedQuote }) => [openedQuote, closedQuote])
      const fillUnit = ({ market, tick, unit }: Fill) =>
        unit ?? BigInt(tick ?? 0) * (state.records.market.get(market)?.quotePerLotTick ?? 0n)
      assert.equal(sum(quotes), sum(fills.map((fill) => fillUnit(fill) * fill.lots)))
    })
  })
})
