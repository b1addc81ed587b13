// A market falls by 30 %: the keeper of a devnet closes the necessary positions, and no unit of
// money is lost or created. The same as `npm run scenario -- crash`.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { E18 } from '@openvenue/core/integers'
import { ACTORS } from '@openvenue/devnet/crash/actors'
import { checkApi, type Difference } from '@openvenue/devnet/crash/api-check'
import { ChainClient } from '@openvenue/devnet/crash/chain-client'
import { type CrashResult, runCrash } from '@openvenue/devnet/crash/crash'
import { writeReport } from '@openvenue/devnet/crash/report'
import { rpcAt } from '@openvenue/devnet/rpc'
import { startVenue, type TestVenue } from './venue.ts'

/** Less than negative accounts owe; the market may cost it a fifth, and hold twice as much. */
const INSURANCE_DOLLARS = 3_000n

let venue: TestVenue
let result: CrashResult
let differences: readonly Difference[]
let report: readonly string[]

const account = (name: string) => {
  const actor = ACTORS.find((candidate) => candidate.name === name)
  return result.accounts.get(actor?.index ?? -1)
}
const listCloses = (name: string) =>
  result.events.flatMap((event) => {
    if (event.type === 'Liquidated' || event.type === 'Absorbed')
      return event.account === account(name) ? [event.type] : []
    if (event.type === 'Deleveraged') return event.loser === account(name) ? [event.type] : []
    return []
  })

describe('a price falls by 30 %', () => {
  before(async () => {
    venue = await startVenue({ historyHours: 0, pace: undefined, registerRate: undefined })
    const { apiUrl, rpcUrl, deployment, wallets } = venue.devnet
    const rpc = rpcAt(rpcUrl)
    const target = { apiUrl, rpc, deployment, wallets, domainName: 'openvenue' }
    const client = new ChainClient(target, (ms) => sleep(ms))
    const options = { insuranceDollars: INSURANCE_DOLLARS, returns: false, print: () => {} }
    result = await runCrash(client, options)
    differences = await checkApi(client)
    report = writeReport(result, differences)
  })
  after(() => venue?.remove())

  test('a position above 100,000 is closed on the book in slices, and a small one at once', () => {
    assert.deepEqual(listCloses('large'), ['Liquidated', 'Liquidated'])
    assert.deepEqual(listCloses('tiny'), ['Liquidated'])
  })

  test('insurance takes over an account far below its maintenance margin', () => {
    assert.deepEqual(listCloses('faller'), ['Absorbed'])
  })

  test('an account too far under water for insurance is deleveraged against winners', () => {
    assert.ok(listCloses('deep').length > 0)
    assert.ok(listCloses('drowned').length > 0)
    for (const name of ['deep', 'drowned']) {
      assert.ok(!listCloses(name).includes('Liquidated'))
      assert.equal(listCloses(name).at(-1), 'Deleveraged')
    }
  })

  test('a price fall of 30 % costs insurance at most a fifth of its fund', () => {
    const paid = result.events.flatMap((event) =>
      event.type === 'Absorbed' ? [-event.collateral] : [],
    )
    const lost = paid.reduce((sum, collateral) => sum + collateral, 0n)
    assert.ok(lost <= (INSURANCE_DOLLARS * E18) / 5n, String(lost))
  })

  test('deleveraging first closes the winner with the highest leverage', () => {
    const first = result.events.find((event) => event.type === 'Deleveraged')
    assert.equal(first?.type === 'Deleveraged' && first.winner, account('leveraged'))
  })

  test('a price fall of 30 % closes no healthy account', () => {
    assert.deepEqual(listCloses('cautious'), [])
    assert.deepEqual(listCloses('bear'), [])
  })

  test('the equity of all accounts equals the deposits after the closes, to the last unit', () => {
    const { difference, uncovered, sums, isBalanced } = result.ledger
    assert.equal(difference, 0n)
    assert.equal(uncovered, 0n)
    assert.deepEqual(
      [sums.fees, sums.liquidationFees, sums.takenOver, sums.prices],
      [0n, 0n, 0n, 0n],
    )
    assert.ok(isBalanced)
  })

  test('the API equals the contracts for every account after the closes, at the same block', () => {
    assert.deepEqual(differences, [])
  })

  test('the crash report shows every close, insurance before and after, and a sum of zero', () => {
    const text = report.join('\n')
    for (const line of [
      /^liquidated +large: 10\.2 ETH on the book at .*, fee /m,
      /^absorbed +faller: 2 ETH by insurance at 2240, with .* of collateral$/m,
      /^deleveraged +deep: 5 ETH against leveraged at /m,
      /^before 3000, after \d/m,
      /^The ledger sums to zero\.$/m,
      /^The API equals the contracts for every account\.$/m,
    ])
      assert.match(text, line)
  })
})
