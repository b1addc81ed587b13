import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LoggedEvent } from '@openvenue/core/events'
import { E18 } from '@openvenue/core/integers'
import type { Holding, Snapshot } from './chain-client.ts'
import { buildLedger } from './ledger.ts'

const PERPS = '0xee'
const USDC = 10n ** 6n
const [INSURANCE, FEES, ALICE, BOB, KEEPER] = [1, 2, 3, 4, 5] as const
const PLACE = { logIndex: 0, txHash: '0x' }

const holding = (account: number, dollars: bigint): Holding => ({
  account,
  collateral: dollars * E18,
  equity: dollars * E18,
  maintenanceMargin: 0n,
})
const snapshot = (tokens: bigint, ...dollars: readonly bigint[]): Snapshot => ({
  blockNumber: 1,
  holdings: dollars.map((amount, index) => holding(index + 1, amount)),
  tokens: tokens * USDC,
})

const BEFORE = snapshot(200n, 0n, 0n, 100n, 100n, 0n)

const money = { engine: PERPS, engineType: 'PERPETUAL', token: '0xaa' } as const
const market = `${PERPS}00000001`
const said = (event: object) => ({ ...event, ...PLACE }) as LoggedEvent
const ofAccount = (ledger: ReturnType<typeof buildLedger>, account: number) => {
  const row = ledger.rows.find((candidate) => candidate.account === account)
  assert.ok(row)
  return row
}

describe('the ledger of a crash', () => {
  const events = [
    said({ type: 'Deposited', ...money, account: ALICE, amount: 50n * USDC }),
    said({ type: 'Withdrawn', ...money, account: BOB, amount: 10n * USDC, to: '0x' }),
    said({ type: 'Transferred', ...money, from: BOB, to: ALICE, amount: 5n * USDC }),
    said({ type: 'Filled', market, maker: ALICE, taker: BOB, makerFee: -E18, takerFee: 3n * E18 }),
    said({ type: 'Liquidated', market, account: ALICE, lots: 1n, fee: 7n, keeper: KEEPER }),
    said({ type: 'Liquidated', market, account: ALICE, lots: 1n, fee: 3n, keeper: 0 }),
    said({ type: 'Absorbed', market, account: BOB, lots: 1n, unit: 1n, collateral: -2n * E18 }),
    said({ type: 'Deposited', ...money, engine: '0x5b', account: ALICE, amount: 9n * USDC }),
    said({
      type: 'Filled',
      market: '0x5b01',
      maker: ALICE,
      taker: BOB,
      makerFee: 0n,
      takerFee: 9n,
    }),
  ]
  const after = snapshot(240n, 0n, 2n, 156n, 82n, 0n)

  test('the ledger sorts movements by reason, leaves the rest to prices, and skips another engine', () => {
    const ledger = buildLedger({ before: BEFORE, after, perps: PERPS }, events)
    const alice = ofAccount(ledger, ALICE)
    assert.equal(alice.before, 100n * E18)
    assert.equal(alice.deposits, 55n * E18)
    assert.equal(alice.fees, E18)
    assert.equal(alice.liquidationFees, -10n)
    assert.equal(alice.prices, 10n)
    const bob = ofAccount(ledger, BOB)
    assert.equal(bob.deposits, -15n * E18)
    assert.equal(bob.fees, -3n * E18)
    assert.equal(bob.takenOver, 2n * E18)
    assert.equal(bob.prices, -2n * E18)
    assert.equal(ofAccount(ledger, FEES).fees, 2n * E18)
    assert.equal(ofAccount(ledger, KEEPER).liquidationFees, 3n)
    assert.equal(ofAccount(ledger, INSURANCE).liquidationFees, 4n + 3n)
    assert.equal(ofAccount(ledger, INSURANCE).takenOver, -2n * E18)
    assert.ok(ledger.isBalanced)
  })

  test('the ledger does not balance when one unit of equity is missing or extra', () => {
    for (const error of [-1n, 1n]) {
      const holdings = after.holdings.map((holding) =>
        holding.account === BOB ? { ...holding, equity: holding.equity + error } : holding,
      )
      const ledger = buildLedger(
        { before: BEFORE, after: { ...after, holdings }, perps: PERPS },
        events,
      )
      assert.equal(ledger.difference, -error)
      assert.equal(ledger.uncovered, error)
      assert.equal(ledger.isBalanced, false)
    }
  })

  test("the ledger does not balance when the engine holds less of the token than accounts' equity", () => {
    const tokens = after.tokens - 1n
    const ledger = buildLedger(
      { before: BEFORE, after: { ...after, tokens }, perps: PERPS },
      events,
    )
    assert.equal(ledger.difference, 0n)
    assert.equal(ledger.uncovered, 10n ** 12n)
    assert.equal(ledger.isBalanced, false)
  })

  test('the ledger does not balance when a fee is not received', () => {
    const holdings = after.holdings.filter(({ account }) => account !== FEES)
    const ledger = buildLedger(
      { before: BEFORE, after: { ...after, holdings }, perps: PERPS },
      events,
    )
    assert.equal(ledger.sums.fees, -2n * E18)
    assert.equal(ledger.isBalanced, false)
  })
})
