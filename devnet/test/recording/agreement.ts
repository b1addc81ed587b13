// Compares the core's state from events with the contracts at one block.
import assert from 'node:assert/strict'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { devTokenAbi } from '@openvenue/contracts/abi/dev-token'
import { lensAbi } from '@openvenue/contracts/abi/lens'
import { emptyBook } from '@openvenue/core/book'
import { collateralScale } from '@openvenue/core/custody'
import { fundingIndexAt } from '@openvenue/core/funding'
import { marketId } from '@openvenue/core/ids'
import { accountMargin } from '@openvenue/core/margin'
import { markAt } from '@openvenue/core/marks'
import { emptyPosition } from '@openvenue/core/positions'
import type { Funding } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import { topOrders } from '@openvenue/core/test/top-orders'
import { quantity } from '@openvenue/runtime/node'
import { readViews, type ViewCall } from '@openvenue/runtime/views'
import type { Abi } from 'viem'
import { type DevnetDeployment, marketNumber } from '../../src/deployment.ts'
import type { MarketTerms } from '../../src/markets.ts'
import type { ChainRpc } from '../../src/rpc.ts'

/** A venue and the markets it lists. */
type Subject = Readonly<{
  rpc: ChainRpc
  deployment: DevnetDeployment
  markets: readonly MarketTerms[]
}>

/** A call to the contracts, and the core's own answer in viem's format. */
type Question = Readonly<{
  what: string
  view: ViewCall
  expected: unknown
  /** The part of the contracts' answer that the core has; absent: all of it. */
  pick?: (answer: never) => unknown
}>

const ORDERS_PER_SIDE = 500

/** Throws an assertion error with both sides unless `state` equals the contracts at its head. */
export async function assertAgreement(subject: Subject, state: VenueState): Promise<void> {
  const { rpc, deployment } = subject
  const { head } = state
  if (head === undefined) throw new RangeError('there is a block to compare at')
  const block = quantity(head.number)
  const count = { to: deployment.accounts, abi: accountsAbi, functionName: 'accounts', args: [] }
  const [last] = (await readViews(rpc, [count], block)) as [number]
  const accounts = Array.from({ length: last }, (_, index) => index + 1)
  const of = { ...subject, state, accounts, seconds: head.seconds }
  const questions = [...spotQuestions(of), ...perpQuestions(of), ...bookQuestions(of)]
  const views = questions.map(({ view }) => view)
  const answers = await readViews(rpc, views, block)
  assert.deepEqual(
    Object.fromEntries(questions.map(({ what, expected }) => [what, expected])),
    Object.fromEntries(
      questions.map(({ what, pick }, index) => {
        const answer = answers[index]
        return [what, pick === undefined ? answer : pick(answer as never)]
      }),
    ),
    `the core (+) differs from the contracts (-) at block ${head.number}`,
  )
}

type RecordedState = Subject &
  Readonly<{ state: VenueState; accounts: readonly number[]; seconds: number }>

const lens = (
  { deployment }: RecordedState,
  functionName: string,
  ...args: readonly unknown[]
): ViewCall => ({
  to: deployment.lens,
  abi: lensAbi as Abi,
  functionName,
  args,
})

const custody = (token: string, engine: string): ViewCall => ({
  to: token,
  abi: devTokenAbi as Abi,
  functionName: 'balanceOf',
  args: [engine],
})

/** Compares each token's free amount, and the sum of free and locked with the engine's balance. */
function spotQuestions(of: RecordedState): Question[] {
  const { deployment, state, accounts } = of
  const tokens = Object.values(deployment.tokens)
  const held = (account: number, token: string) => state.records.balance.get(`${account}|${token}`)
  return [
    {
      what: 'balances',
      view: lens(of, 'spotBalances', deployment.spot, accounts, tokens),
      expected: accounts.map((account) => tokens.map((token) => held(account, token)?.free ?? 0n)),
    },
    ...Object.entries(deployment.tokens).map(([symbol, token]) => ({
      what: `${symbol} in custody of spot`,
      view: custody(token, deployment.spot),
      expected: accounts.reduce((sum, account) => {
        const { free, locked } = held(account, token) ?? { free: 0n, locked: 0n }
        return sum + free + locked
      }, 0n),
    })),
  ]
}

function perpQuestions(of: RecordedState): Question[] {
  const { deployment, markets, state, accounts, seconds } = of
  const engine = deployment.perps
  const perps = markets.filter(({ type }) => type === 'perp')
  const numbers = perps.map((market) => marketNumber(markets, market))
  const margin = (account: number) => accountMargin(state, { engine, account, seconds })
  const scale = collateralScale(state.records.token.get(deployment.tokens.USDC)?.decimals ?? 0)
  return [
    {
      what: 'collaterals',
      view: lens(of, 'collaterals', engine, accounts),
      expected: accounts.map((account) => margin(account)?.collateral),
    },
    {
      what: 'positions',
      view: lens(of, 'positions', engine, accounts, numbers),
      // The payer of a loss is only in the contract, not in a position.
      pick: (rows: readonly (readonly Frozen[])[]) =>
        rows.map((row) => row.map(({ frozenUntil: _, ...position }) => position)),
      expected: accounts.map((account) =>
        numbers.map((number) => expectedPosition(of, number, account)),
      ),
    },
    {
      // Marks and funding cancel out over all positions: every cent belongs to an account.
      what: 'collateral in custody, and the equity of all',
      view: custody(deployment.tokens.USDC, engine),
      pick: (raw: bigint) => raw * scale,
      expected: accounts.reduce((sum, account) => sum + (margin(account)?.equity ?? 0n), 0n),
    },
    ...accounts.map((account) => ({
      what: `margin of account ${account}`,
      view: lens(of, 'perpAccount', engine, account),
      pick: ({ equity, initialMargin, maintenanceMargin }: Health) => ({
        equity,
        initialMargin,
        maintenanceMargin,
      }),
      expected: margins(margin(account)),
    })),
    ...numbers.flatMap((number) => perpMarketQuestions(of, number)),
  ]
}

type Frozen = Readonly<{ frozenUntil: number }>
type Health = Readonly<{ equity: bigint; initialMargin: bigint; maintenanceMargin: bigint }>

const margins = (margin: ReturnType<typeof accountMargin>): Health | undefined =>
  margin && {
    equity: margin.equity,
    initialMargin: margin.initial,
    maintenanceMargin: margin.maintenance,
  }

function expectedPosition({ deployment, state }: RecordedState, number: number, account: number) {
  const id = marketId(deployment.perps, number)
  const position = state.records.position.get(`${id}|${account}`) ?? emptyPosition(id, account)
  const { lots, quote, leverage, fundingIndex, bidLots, askLots } = position
  return { lots, quote, leverage, fundingIndex, bidLots, askLots }
}

function perpMarketQuestions(of: RecordedState, number: number): Question[] {
  const { deployment, state, seconds } = of
  const { records } = state
  const id = marketId(deployment.perps, number)
  const asset = records.market.get(id)?.asset ?? ''
  const written = records.mark.get(id)
  const mark = written === undefined ? 0n : markAt(written, seconds).price
  const index = records.indexPrice.get(asset)
  const indexPrice = index?.price ?? 0n
  const indexTime = BigInt(index?.seconds ?? 0)
  const funding = records.funding.get(id) ?? NOT_STARTED
  return [
    {
      what: `open interest of ${asset}`,
      view: lens(of, 'openInterest', deployment.perps, number),
      expected: records.ticker.get(id)?.openInterest ?? 0n,
    },
    {
      what: `mark, index, its time and the basis of ${asset}`,
      view: lens(of, 'mark', deployment.perps, number),
      // While a jump is held the contract returns no time: core has no event of it.
      pick: ([price, of, time, basis]: readonly bigint[]) => [
        price,
        of,
        time === 0n ? indexTime : time,
        basis,
      ],
      expected: [mark, indexPrice, indexTime, mark - indexPrice],
    },
    {
      what: `funding of ${asset}`,
      view: lens(of, 'funding', deployment.perps, number),
      expected: {
        settledTime: BigInt(funding.settledSeconds),
        cumulative: funding.cumulative,
        perSecond: funding.perSecond,
        rate: funding.rate,
        hourMark: funding.mark,
        premiumSum: funding.premiumSum,
        sampledSeconds: BigInt(funding.sampledSeconds),
        fundingIndex: fundingIndexAt(funding, seconds),
      },
    },
  ]
}

/** Funding in the contracts before a market's first price. */
const NOT_STARTED: Funding = {
  market: '',
  settledSeconds: 0,
  cumulative: 0n,
  perSecond: 0n,
  rate: 0n,
  mark: 0n,
  premiumSum: 0n,
  sampledSeconds: 0,
}

/** The resting orders, best first and each level in queue order. */
const bookQuestions = (of: RecordedState): Question[] =>
  of.markets.map((market) => {
    const { deployment, markets, state } = of
    const engine = market.type === 'spot' ? deployment.spot : deployment.perps
    const number = marketNumber(markets, market)
    const book = state.books.get(marketId(engine, number)) ?? emptyBook()
    return {
      what: `bids and asks of ${market.name}`,
      view: lens(of, 'books', engine, number, BigInt(ORDERS_PER_SIDE)),
      expected: [true, false].map((isBuy) =>
        topOrders(book, isBuy, ORDERS_PER_SIDE).map((order) => ({
          order: order.number,
          account: order.account,
          tick: order.tick,
          lots: order.restingLots,
          goodTil: order.goodTilSeconds,
        })),
      ),
    }
  })
