// Accounts and markets of the perpetual engine at a block in one format, from the contracts and
// from core's state.
import { lensAbi } from '@openvenue/contracts/abi/lens'
import { fundingIndexAt } from '@openvenue/core/funding'
import { accountMargin, availableMargin, withdrawableCollateral } from '@openvenue/core/margin'
import { markAt } from '@openvenue/core/marks'
import { emptyPosition } from '@openvenue/core/positions'
import type { Order, Position } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import type { Rpc } from '../src/rpc.ts'

type PositionView = Pick<
  Position,
  'lots' | 'quote' | 'fundingIndex' | 'bidLots' | 'askLots' | 'leverage'
>

/** Values are quote raw. */
export type AccountView = Readonly<{
  account: number
  collateral: bigint
  equity: bigint
  initialMargin: bigint
  maintenanceMargin: bigint
  notional: bigint
  available: bigint
  withdrawable: bigint
  positions: readonly PositionView[]
}>

/** An order on the book. Good-til is 0 for none. */
type RestingView = Readonly<{
  order: number
  account: number
  tick: number
  lots: bigint
  goodTil: number
}>

type MarketView = Readonly<{
  /** In the order of their numbers. */
  bids: readonly RestingView[]
  asks: readonly RestingView[]
  mark: bigint
  index: bigint
  basis: bigint
  openInterest: bigint
  settledTime: number
  cumulative: bigint
  perSecond: bigint
  rate: bigint
  premiumSum: bigint
  sampledSeconds: number
  fundingIndex: bigint
  hourMark: bigint
}>

type PerpViews = Readonly<{
  accounts: readonly AccountView[]
  markets: readonly MarketView[]
}>

/** Selected accounts and markets; `markets` are ids in the order of their numbers, from 1 on. */
type Subject = Readonly<{
  perps: string
  lens: string
  accounts: readonly number[]
  markets: readonly string[]
}>

/** FROM THE CONTRACTS */

type Health = Readonly<{ notional: bigint }>
type LensAccount = Omit<AccountView, 'account' | 'notional' | 'positions'>
type LensFunding = Readonly<{
  settledTime: bigint
  cumulative: bigint
  perSecond: bigint
  rate: bigint
  premiumSum: bigint
  sampledSeconds: bigint
  fundingIndex: bigint
  hourMark: bigint
}>

/** Returns the lens's views at block `number`. */
export async function readViews(rpc: Rpc, subject: Subject, number: number): Promise<PerpViews> {
  const { perps, accounts, markets } = subject
  const numbers = markets.map((_, index) => index + 1)
  const ask = lensAt(rpc, subject.lens, number)
  const [positions, healths] = (await ask([
    ['positions', [perps, accounts, numbers]],
    ['healths', [perps, accounts]],
  ])) as [PositionView[][], Health[]]
  const margins = (await ask(
    accounts.map((account) => ['perpAccount', [perps, account]]),
  )) as LensAccount[]
  return {
    accounts: accounts.map((account, index) => ({
      account,
      ...(margins[index] as LensAccount),
      notional: healths[index]?.notional ?? 0n,
      positions: (positions[index] ?? []).map(plainPosition),
    })),
    markets: await Promise.all(numbers.map((market) => readMarket(ask, perps, market))),
  }
}

type Question = readonly [functionName: string, args: readonly unknown[]]
type Ask = (questions: readonly Question[]) => Promise<unknown[]>

function lensAt(rpc: Rpc, lens: string, number: number): Ask {
  const abi: Abi = lensAbi
  return async (questions) => {
    const answers = await rpc(
      questions.map(([functionName, args]) => {
        const data = encodeFunctionData({ abi, functionName, args })
        const block = `0x${number.toString(16)}`
        return { method: 'eth_call', params: [{ to: lens, data }, block] }
      }),
    )
    return answers.map((answer, index) => {
      const functionName = questions[index]?.[0] ?? ''
      return decodeFunctionResult({ abi, functionName, data: answer as Hex })
    })
  }
}

async function readMarket(ask: Ask, perps: string, market: number): Promise<MarketView> {
  const [marks, openInterest, funding, books] = (await ask([
    ['mark', [perps, market]],
    ['openInterest', [perps, market]],
    ['funding', [perps, market]],
    ['books', [perps, market, ORDERS_MAX]],
  ])) as [readonly bigint[], bigint, LensFunding, readonly (readonly RestingView[])[]]
  const [bids, asks] = books.map((side) => side.map(plainOrder).sort(byNumber))
  const [mark = 0n, index = 0n, , basis = 0n] = marks
  const { settledTime, sampledSeconds, ...rest } = funding
  return {
    bids: bids ?? [],
    asks: asks ?? [],
    mark,
    index,
    basis,
    openInterest,
    ...rest,
    settledTime: Number(settledTime),
    sampledSeconds: Number(sampledSeconds),
  }
}

/** More than one side ever has in a run. */
const ORDERS_MAX = 2_000

const byNumber = (a: RestingView, b: RestingView) => a.order - b.order

const plainOrder = ({ order, account, tick, lots, goodTil }: RestingView): RestingView => ({
  order,
  account,
  tick,
  lots,
  goodTil,
})

const plainPosition = (position: PositionView): PositionView => ({
  lots: position.lots,
  quote: position.quote,
  fundingIndex: position.fundingIndex,
  bidLots: position.bidLots,
  askLots: position.askLots,
  leverage: position.leverage,
})

/** FROM CORE */

/** Returns accounts and markets from `state` at its head. */
export function coreViews(state: VenueState, subject: Subject): PerpViews {
  return {
    accounts: subject.accounts.map((account) => coreAccount(state, subject, account)),
    markets: subject.markets.map((market) => coreMarket(state, market)),
  }
}

const headSeconds = (state: VenueState) => state.head?.seconds ?? 0

function coreAccount(state: VenueState, subject: Subject, account: number): AccountView {
  const { perps, markets } = subject
  const margin = accountMargin(state, { engine: perps, account, seconds: headSeconds(state) })
  if (margin === undefined) throw new Error('every perpetual has a mark')
  const { collateral, equity, initial, maintenance, notional } = margin
  return {
    account,
    collateral,
    equity,
    initialMargin: initial,
    maintenanceMargin: maintenance,
    notional,
    available: availableMargin(margin),
    withdrawable: withdrawableCollateral(margin),
    positions: markets.map((market) =>
      plainPosition(
        state.records.position.get(`${market}|${account}`) ?? emptyPosition(market, account),
      ),
    ),
  }
}

function coreMarket(state: VenueState, id: string): MarketView {
  const { records } = state
  const market = records.market.get(id)
  const index = records.indexPrice.get(market?.asset ?? '')
  const mark = records.mark.get(id)
  const funding = records.funding.get(id)
  if (mark === undefined || index === undefined || funding === undefined)
    throw new Error('a listed perpetual has an index, a mark and funding')
  const { price } = markAt(mark, headSeconds(state))
  const side = (isBuy: boolean) =>
    [...records.order.values()]
      .filter((order) => order.market === id && order.isBuy === isBuy)
      .map(viewResting)
      .sort(byNumber)
  return {
    bids: side(true),
    asks: side(false),
    mark: price,
    index: index.price,
    basis: price - index.price,
    openInterest: records.ticker.get(id)?.openInterest ?? 0n,
    cumulative: funding.cumulative,
    perSecond: funding.perSecond,
    rate: funding.rate,
    premiumSum: funding.premiumSum,
    fundingIndex: fundingIndexAt(funding, headSeconds(state)),
    hourMark: funding.mark,
    settledTime: funding.settledSeconds,
    sampledSeconds: funding.sampledSeconds,
  }
}

const viewResting = (order: Order): RestingView => ({
  order: order.number,
  account: order.account,
  tick: order.tick,
  lots: order.restingLots,
  goodTil: order.goodTilSeconds,
})
