// Random actions of accounts, keepers and prices at the perpetual engine: core's state from the
// logs equals the contracts to the last unit, at every block.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { devTokenAbi } from '@openvenue/contracts/abi/dev-token'
import { lensAbi, lensBytecode } from '@openvenue/contracts/abi/lens'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { forcedMargin, isLiquidatable } from '@openvenue/core/distress'
import type { EventType } from '@openvenue/core/events'
import { decodeErrorResult, encodeFunctionData, type Hex } from 'viem'
import { AnvilVenue, type Tx } from '../test/anvil-venue.ts'
import { type AccountView, coreViews, readViews } from '../test/perp-views.ts'
import { Replay } from '../test/replay.ts'
import { SeededRandom } from '../test/seeded-random.ts'
import { connectRpc } from './rpc.ts'

const SEED = Number(process.env.REPLAY_SEED ?? 1)
/** Takes some seconds; two thousand blocks take over a minute. */
const BLOCKS = Number(process.env.REPLAY_BLOCKS ?? 300)
const WALLETS = 20
const TOKEN_SCALE = 10n ** 12n
/** Blocks between two simulations of liquidations by the engine. */
const TRIAL_BLOCKS = 5
const HOUR = 3600

/** A run without one of these would compare less than it claims. */
const EXPECTED: readonly EventType[] = [
  'Deposited',
  'Withdrawn',
  'Transferred',
  'Placed',
  'Filled',
  'Cancelled',
  'Reduced',
  'LeverageSet',
  'PerpChanged',
  'Indexed',
  'Marked',
  'FundingSettled',
  'Liquidating',
  'Liquidated',
  'Absorbed',
  'Deleveraged',
]

describe(`core and the contracts, after each of ${BLOCKS} random blocks (seed ${SEED})`, () => {
  let venue: AnvilVenue
  let replay: Replay
  let lens: string
  let rpcToClose: () => void = () => {}
  let rpc: ReturnType<typeof connectRpc>['rpc']
  const differences = new Map<string, string>()

  /**
   * Records the first difference of each kind: the run continues, and each test reports its own.
   */
  const check = (kind: string, compare: () => void) => {
    if (differences.has(kind)) return
    try {
      compare()
    } catch (error) {
      differences.set(kind, `block ${replay.number}: ${(error as Error).message}`)
    }
  }

  before(async () => {
    venue = await AnvilVenue.start({ wallets: WALLETS })
    const connected = connectRpc({ url: venue.url })
    rpc = connected.rpc
    rpcToClose = connected.close
    replay = new Replay(venue, rpc, new SeededRandom(SEED))
    await replay.follow()
    await replay.fuzz.begin()
    lens = await venue.create(lensAbi, lensBytecode, [])
    await replay.follow()
    for (let block = 1; block <= BLOCKS; block++) {
      await replay.fuzz.step()
      await replay.follow()
      await compareAll(block)
    }
  })
  after(async () => {
    rpcToClose()
    await venue.stop()
  })

  const compareAll = async (block: number) => {
    const { fuzz, state, ledger, number } = replay
    const { perps, accounts, markets } = fuzz
    const subject = { perps, lens, accounts, markets }
    const core = coreViews(state, subject)
    const chain = await readViews(rpc, subject, number)
    check('accounts', () => assert.deepEqual(core.accounts, chain.accounts))
    check('markets', () => assert.deepEqual(core.markets, chain.markets))
    check('ledger', () => {
      for (const { account, equity } of chain.accounts) {
        const { byFills, byCycles } = ledger.totals(state, account)
        assert.deepEqual(byFills, byCycles)
        assert.equal(ledger.equity(state, account), equity)
      }
    })
    const balance = await readBalance(perps)
    check('conserved', () => {
      const equity = chain.accounts.reduce((sum, account) => sum + account.equity, 0n)
      assert.equal(equity, balance * TOKEN_SCALE)
    })
    if (block % TRIAL_BLOCKS === 0) await tryLiquidations(chain.accounts)
  }

  const readBalance = async (owner: string) => {
    const args = [owner as Hex] as const
    const data = encodeFunctionData({ abi: devTokenAbi, functionName: 'balanceOf', args })
    return BigInt((await venue.call('eth_call', { to: venue.usdc, data }, 'latest')) as string)
  }

  /**
   * The engine must refuse exactly the accounts that core does not consider liquidatable; in a
   * second with a new index, also those that were not at the previous one. An ended hour is settled
   * first and moves equity, so such blocks are skipped.
   */
  const tryLiquidations = async (views: readonly AccountView[]) => {
    const { head, records } = replay.state
    const hours = [...records.funding.values()]
    if (hours.some(({ settledSeconds }) => (head?.seconds ?? 0) >= settledSeconds + HOUR)) return
    const isNew = [...records.indexPrice.values()].some(
      (price) => price.blockNumber === head?.number,
    )
    for (const { account, positions } of views) {
      const index = positions.findIndex(({ lots }) => lots !== 0n)
      const market = replay.fuzz.markets[index]
      if (market === undefined || account === 1) continue
      const refusal = await findRevert(venue.url, replay.fuzz.liquidation(account, market))
      if (refusal === 'IndexStale') continue
      const isHealthy = !isForced(account)
      if (isNew && refusal === 'NotLiquidatable') continue
      check('liquidatable', () => assert.equal(refusal === 'NotLiquidatable', isHealthy))
    }
  }

  const isForced = (account: number): boolean => {
    const { state, fuzz } = replay
    const seconds = state.head?.seconds ?? 0
    const margin = forcedMargin(state, { engine: fuzz.perps, account, seconds })
    return margin !== undefined && isLiquidatable(margin)
  }

  const agrees = (kind: string) => assert.equal(differences.get(kind), undefined)

  test('accounts of core equal the contracts: collateral, positions, equity, margins, free funds', () =>
    agrees('accounts'))

  test('markets of core equal the contracts: orders, mark, index, open interest, funding', () =>
    agrees('markets'))

  test('equity is deposits, realised profit, fees, funding and open profit; fills and cycles agree', () =>
    agrees('ledger'))

  test("the equity of all accounts equals the engine's token balance", () => agrees('conserved'))

  test('the engine liquidates exactly the accounts that core considers liquidatable', () =>
    agrees('liquidatable'))

  test('every action of the engine occurs in the random blocks', (t) => {
    t.diagnostic(`seed ${SEED} (REPLAY_SEED for another, REPLAY_BLOCKS for more)`)
    t.diagnostic([...replay.counts].map(([type, count]) => `${type} ${count}`).join(', '))
    const missing = EXPECTED.filter((type) => !replay.counts.has(type))
    assert.deepEqual(missing, [])
  })
})

/** Returns the error name with which a transaction would revert, or undefined. */
async function findRevert(url: string, tx: Tx): Promise<string | undefined> {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [tx, 'latest'] }
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(call) })
  const { error } = (await answer.json()) as { error?: { message: string; data?: Hex } }
  if (error === undefined) return undefined
  if (error.data === undefined) throw new Error(error.message)
  return decodeErrorResult({ abi: perpsAbi, data: error.data }).errorName
}
