// What the contracts themselves say, at one block, in the words of the API.
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { type Deployment, numberOf } from '@openvenue/devnet/deployment'
import { MARKETS, type MarketTerms } from '@openvenue/devnet/markets'
import { readBook } from '@openvenue/devnet/read-book'
import type { RestingOrder } from '@openvenue/devnet/resting'
import { type ChainRpc, quantity } from '@openvenue/devnet/rpc'
import { readViews, type View } from '@openvenue/devnet/views'
import { type Abi, formatUnits } from 'viem'
import type { Level, OrderBook } from './answers.ts'

export type Held = Readonly<{
  /** `account|token` -> free and locked, raw. */
  balances: ReadonlyMap<string, string>
  /** `account` -> 18 decimals. */
  collaterals: ReadonlyMap<string, string>
  /** `market number|account` -> its figures. */
  positions: ReadonlyMap<string, string>
}>

export type ContractSide = Readonly<{
  books: ReadonlyMap<string, OrderBook>
  openInterest: ReadonlyMap<string, string>
  held: Held
}>

type At = Readonly<{ rpc: ChainRpc; deployment: Deployment; block: string }>

/** Reads everything that can be compared, at block `number`. */
export async function readContracts(
  rpc: ChainRpc,
  deployment: Deployment,
  number: number,
): Promise<ContractSide> {
  const at = { rpc, deployment, block: quantity(number) }
  const orders = await Promise.all(MARKETS.map((market) => ordersOf(at, market)))
  const books = MARKETS.map((market, index) => bookOf(market, orders[index] ?? []))
  const accounts = await accountNumbers(at)
  const locked = lockedOf(deployment, orders)
  const [balances, collaterals, positions, openInterest] = await Promise.all([
    readBalances(at, accounts, locked),
    readCollaterals(at, accounts),
    readPositions(at, accounts),
    readOpenInterest(at),
  ])
  return {
    books: new Map(MARKETS.map(({ name }, index) => [name, books[index] as OrderBook])),
    openInterest,
    held: { balances, collaterals, positions },
  }
}

const engineOf = (deployment: Deployment, { type }: MarketTerms) =>
  type === 'spot' ? deployment.spot : deployment.perps

const ordersOf = ({ rpc, deployment, block }: At, market: MarketTerms) =>
  readBook(rpc, engineOf(deployment, market), numberOf(MARKETS, market), block)

/** Levels from the best outwards, raw integers as section 4.2 has them. */
function bookOf(market: MarketTerms, orders: readonly RestingOrder[]): OrderBook {
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
        ([tick, { lots, orders: count }]): Level => ({
          price: String(BigInt(tick) * market.priceStep),
          amount: String(BigInt(lots) * market.amountStep),
          orders: count,
        }),
      )
  }
  return { bids: side(true), asks: side(false) }
}

async function accountNumbers({ rpc, deployment, block }: At): Promise<number[]> {
  const view = { to: deployment.accounts, abi: accountsAbi, functionName: 'accounts', args: [] }
  const [count] = (await readViews(rpc, [view], block)) as [number]
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** What resting spot orders hold back: bids their cost, asks their lots. By `account|token`. */
function lockedOf(deployment: Deployment, orders: readonly (readonly RestingOrder[])[]) {
  const locked = new Map<string, bigint>()
  for (const [index, market] of MARKETS.entries()) {
    if (market.type !== 'spot') continue
    const decimals = DECIMALS[market.base] ?? 0n
    for (const { account, isBuy, tick, lots } of orders[index] ?? []) {
      const token = deployment.tokens[isBuy ? market.quote : market.base]
      const amount = BigInt(lots) * market.amountStep
      const held = isBuy ? (amount * BigInt(tick) * market.priceStep) / 10n ** decimals : amount
      const key = `${account}|${token}`
      locked.set(key, (locked.get(key) ?? 0n) + held)
    }
  }
  return locked
}

const DECIMALS: Readonly<Record<string, bigint>> = { ETH: 18n, BTC: 8n, EURC: 6n }

async function readBalances(at: At, accounts: readonly number[], locked: Map<string, bigint>) {
  const tokens = Object.values(at.deployment.tokens)
  const keys = accounts.flatMap((account) => tokens.map((token) => ({ account, token })))
  const free = await read<bigint>(
    at,
    keys.map(({ account, token }) => spotView(at, 'balanceOf', [account, token])),
  )
  const pairs = keys.map(({ account, token }, index) => {
    const key = `${account}|${token}`
    return [key, free[index] ?? 0n, locked.get(key) ?? 0n] as const
  })
  return new Map(
    pairs
      .filter(([, amount, held]) => amount !== 0n || held !== 0n)
      .map(([key, amount, held]) => [key, `${amount} free, ${held} locked`]),
  )
}

async function readCollaterals(at: At, accounts: readonly number[]) {
  const holdings = await read<{ collateral: bigint }>(
    at,
    accounts.map((account) => perpsView(at, 'holdingOf', [account])),
  )
  return new Map(
    accounts
      .map((account, index) => [String(account), holdings[index]?.collateral ?? 0n] as const)
      .filter(([, collateral]) => collateral !== 0n)
      .map(([account, collateral]) => [account, String(collateral)]),
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
  ...{ lots: 0n, quote: 0n, fundingIndex: 0n, bidLots: 0n, askLots: 0n, leverage: 0 },
})

async function readPositions(at: At, accounts: readonly number[]) {
  const keys = perpMarkets.flatMap(({ number }) => accounts.map((account) => ({ number, account })))
  const positions = await read<Position>(
    at,
    keys.map(({ number, account }) => perpsView(at, 'positionOf', [number, account])),
  )
  return new Map(
    keys
      .map(
        ({ number, account }, index) =>
          [`${number}|${account}`, positionText(positions[index] as Position)] as const,
      )
      .filter(([, text]) => text !== NO_POSITION),
  )
}

const perpMarkets = MARKETS.filter(({ type }) => type === 'perp').map((market) => ({
  market,
  number: numberOf(MARKETS, market),
}))

async function readOpenInterest(at: At) {
  const answers = await read<[unknown, { openInterest: bigint }]>(
    at,
    perpMarkets.map(({ number }) => perpsView(at, 'fundingOf', [number])),
  )
  return new Map(
    perpMarkets.map(({ market }, index) => {
      const lots = answers[index]?.[1].openInterest ?? 0n
      return [market.name, formatUnits(lots * market.amountStep, 18)]
    }),
  )
}

const spotView = ({ deployment }: At, functionName: string, args: readonly unknown[]): View => ({
  ...{ to: deployment.spot, abi: spotAbi as Abi, functionName, args },
})
const perpsView = ({ deployment }: At, functionName: string, args: readonly unknown[]): View => ({
  ...{ to: deployment.perps, abi: perpsAbi as Abi, functionName, args },
})

const read = async <T>({ rpc, block }: At, views: readonly View[]) =>
  (await readViews(rpc, views, block)) as T[]
