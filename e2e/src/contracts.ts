// Reads the contracts at one block, in the API's terms.
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { lensAbi } from '@openvenue/contracts/abi/lens'
import { type DevnetDeployment, marketNumber } from '@openvenue/devnet/deployment'
import { MARKETS, type MarketTerms } from '@openvenue/devnet/markets'
import { readBooks } from '@openvenue/devnet/read-book'
import type { BookOrder } from '@openvenue/devnet/resting'
import type { ChainRpc } from '@openvenue/devnet/rpc'
import { quantity } from '@openvenue/runtime/node'
import { readViews } from '@openvenue/runtime/views'
import { type Abi, formatUnits } from 'viem'
import type { FundingSnapshot, OrderBook, PriceLevel } from './probe.ts'

export type ChainHoldings = Readonly<{
  /** `account|token` -> free and locked, raw. */
  balances: ReadonlyMap<string, string>
  /** `account` -> 18 decimals. */
  collaterals: ReadonlyMap<string, string>
  /** `market number|account` -> its figures. */
  positions: ReadonlyMap<string, string>
}>

type ContractSide = Readonly<{
  books: ReadonlyMap<string, OrderBook>
  openInterest: ReadonlyMap<string, string>
  /** Marks by name of the market. */
  marks: ReadonlyMap<string, string>
  /** Funding by name of the market. */
  funding: ReadonlyMap<string, FundingSnapshot>
  holdings: ChainHoldings
}>

type BlockContext = Readonly<{ rpc: ChainRpc; deployment: DevnetDeployment; block: string }>

/** Reads all comparable data at block `number`. */
export async function readContracts(
  rpc: ChainRpc,
  deployment: DevnetDeployment,
  number: number,
): Promise<ContractSide> {
  const at = { rpc, deployment, block: quantity(number) }
  const places = MARKETS.map((market) => ({
    engine: market.type === 'spot' ? deployment.spot : deployment.perps,
    number: marketNumber(MARKETS, market),
  }))
  const orders = await readBooks(rpc, deployment.lens, places, at.block)
  const books = MARKETS.map((market, index) => buildBook(market, orders[index] ?? []))
  const accounts = await accountNumbers(at)
  const locked = sumLocked(deployment, orders)
  const [balances, collaterals, positions, openInterest, marks, funding] = await Promise.all([
    readBalances(at, accounts, locked),
    readCollaterals(at, accounts),
    readPositions(at, accounts),
    readOpenInterest(at),
    readMarks(at),
    readFunding(at),
  ])
  return {
    books: new Map(MARKETS.map(({ name }, index) => [name, books[index] as OrderBook])),
    openInterest,
    marks,
    funding,
    holdings: { balances, collaterals, positions },
  }
}

/** Levels from the best outwards, as raw integers of section 4.2. */
function buildBook(market: MarketTerms, orders: readonly BookOrder[]): OrderBook {
  const side = (isBuy: boolean) => {
    const levels = new Map<number, { lots: number; orders: number }>()
    for (const order of orders) {
      if (order.isBuy !== isBuy) continue
      const level = levels.get(order.tick) ?? { lots: 0, orders: 0 }
      levels.set(order.tick, { lots: level.lots + order.lots, orders: level.orders + 1 })
    }
    return [...levels]
      .sort(([a], [b]) => (isBuy ? b - a : a - b))
      .map(
        ([tick, { lots, orders: count }]): PriceLevel => ({
          price: String(BigInt(tick) * market.priceStep),
          amount: String(BigInt(lots) * market.amountStep),
          orders: count,
        }),
      )
  }
  return { bids: side(true), asks: side(false) }
}

async function accountNumbers({ rpc, deployment, block }: BlockContext): Promise<number[]> {
  const view = { to: deployment.accounts, abi: accountsAbi, functionName: 'accounts', args: [] }
  const [count] = (await readViews(rpc, [view], block)) as [number]
  return Array.from({ length: count }, (_, index) => index + 1)
}

/**
 * Returns the amounts locked by resting spot orders by `account|token`: the cost of bids, and the
 * lots of asks.
 */
function sumLocked(deployment: DevnetDeployment, orders: readonly (readonly BookOrder[])[]) {
  const locked = new Map<string, bigint>()
  for (const [index, market] of MARKETS.entries()) {
    if (market.type !== 'spot') continue
    const decimals = DECIMALS[market.base] ?? 0n
    for (const { account, isBuy, tick, lots } of orders[index] ?? []) {
      const token = deployment.tokens[isBuy ? market.quote : market.base]
      const amount = BigInt(lots) * market.amountStep
      const lockedAmount = isBuy
        ? (amount * BigInt(tick) * market.priceStep) / 10n ** decimals
        : amount
      const key = `${account}|${token}`
      locked.set(key, (locked.get(key) ?? 0n) + lockedAmount)
    }
  }
  return locked
}

const DECIMALS: Readonly<Record<string, bigint>> = { ETH: 18n, BTC: 8n, EURC: 6n }

async function readBalances(
  at: BlockContext,
  accounts: readonly number[],
  locked: Map<string, bigint>,
) {
  const tokens = Object.values(at.deployment.tokens)
  const args = [at.deployment.spot, accounts, tokens]
  const rows = await look<readonly (readonly bigint[])[]>(at, 'spotBalances', args)
  const balances = accounts.flatMap((account, row) =>
    tokens.map((token, column) => {
      const key = `${account}|${token}`
      return { key, free: rows[row]?.[column] ?? 0n, lockedAmount: locked.get(key) ?? 0n }
    }),
  )
  return new Map(
    balances
      .filter(({ free, lockedAmount }) => free !== 0n || lockedAmount !== 0n)
      .map(({ key, free, lockedAmount }) => [key, `${free} free, ${lockedAmount} locked`]),
  )
}

async function readCollaterals(at: BlockContext, accounts: readonly number[]) {
  const args = [at.deployment.perps, accounts]
  const amounts = await look<readonly bigint[]>(at, 'collaterals', args)
  return new Map(
    accounts
      .map((account, index) => [String(account), String(amounts[index])] as const)
      .filter(([, amount]) => amount !== '0'),
  )
}

export type Position = Readonly<{
  lots: bigint | string
  quote: bigint | string
  fundingIndex: bigint | string
  bidLots: bigint | string
  askLots: bigint | string
  leverage: number
}>

export const positionText = (position: Position) =>
  [
    `${position.lots} lots for ${position.quote}`,
    `funding paid up to ${position.fundingIndex}`,
    `resting ${position.bidLots} and ${position.askLots}`,
    `leverage ${position.leverage}`,
  ].join(', ')

const NO_POSITION = positionText({
  lots: 0n,
  quote: 0n,
  fundingIndex: 0n,
  bidLots: 0n,
  askLots: 0n,
  leverage: 0,
})

async function readPositions(at: BlockContext, accounts: readonly number[]) {
  const numbers = perpMarkets.map(({ number }) => number)
  const args = [at.deployment.perps, accounts, numbers]
  const rows = await look<readonly (readonly Position[])[]>(at, 'positions', args)
  const positions = accounts.flatMap((account, row) =>
    numbers.map((number, column) => {
      const text = positionText(rows[row]?.[column] as Position)
      return [`${number}|${account}`, text] as const
    }),
  )
  return new Map(positions.filter(([, text]) => text !== NO_POSITION))
}

const perpMarkets = MARKETS.filter(({ type }) => type === 'perp').map((market) => ({
  market,
  number: marketNumber(MARKETS, market),
}))

async function readOpenInterest(at: BlockContext) {
  const lots = await Promise.all(
    perpMarkets.map(({ number }) =>
      look<bigint>(at, 'openInterest', [at.deployment.perps, number]),
    ),
  )
  return new Map(
    perpMarkets.map(({ market }, index) => [
      market.name,
      formatUnits((lots[index] ?? 0n) * market.amountStep, 18),
    ]),
  )
}

async function readMarks(at: BlockContext): Promise<ReadonlyMap<string, string>> {
  const marks = await Promise.all(
    perpMarkets.map(({ number }) =>
      look<readonly bigint[]>(at, 'mark', [at.deployment.perps, number]),
    ),
  )
  return new Map(
    perpMarkets.map(({ market }, index) => [market.name, formatUnits(marks[index]?.[0] ?? 0n, 18)]),
  )
}

const HOUR_SECONDS = 3_600n

type FundingState = Readonly<{ rate: bigint; premiumSum: bigint; sampledSeconds: bigint }>

async function readFunding(at: BlockContext): Promise<ReadonlyMap<string, FundingSnapshot>> {
  const states = await Promise.all(
    perpMarkets.map(({ number }) =>
      look<FundingState>(at, 'funding', [at.deployment.perps, number]),
    ),
  )
  return new Map(
    perpMarkets.map(({ market }, index) => {
      const { rate, premiumSum, sampledSeconds } = states[index] as FundingState
      const text = formatUnits(rate, 18)
      const next = sampledSeconds === 0n ? 0n : fundingRate(premiumSum / HOUR_SECONDS)
      const funding = { funding_rate: text, estimated_rate: formatUnits(next, 18) }
      return [market.name, { ...funding, protocol_funding_rate: text }]
    }),
  )
}

/** Rate of the next hour: `Perps.sol`, section 3. */
function fundingRate(premium: bigint): bigint {
  const clamp = (x: bigint, limit: bigint) => (x > limit ? limit : x < -limit ? -limit : x)
  const eighth = premium / 8n
  return clamp(
    eighth + clamp(12_500_000_000_000n - eighth, 62_500_000_000_000n),
    5_000_000_000_000_000n,
  )
}

/** Calls the lens, which reads the engines in bulk. */
async function look<T>(
  { rpc, deployment, block }: BlockContext,
  functionName: string,
  args: unknown[],
) {
  const view = { to: deployment.lens, abi: lensAbi as Abi, functionName, args }
  const [answer] = await readViews(rpc, [view], block)
  return answer as T
}
