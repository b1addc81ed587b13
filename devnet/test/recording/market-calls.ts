// Builds the transactions of accounts, keepers and others to one market.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { TIMES_IN_FORCE, type TimeInForce } from '@openvenue/core/events'
import { type Abi, encodeFunctionData } from 'viem'
import { bytes32 } from '../../src/deploy.ts'
import { type DevnetDeployment, marketNumber } from '../../src/deployment.ts'
import { approve, deposit, mint, transfer, withdraw } from '../../src/funds.ts'
import type { MarketTerms, PerpTerms, TokenSymbol } from '../../src/markets.ts'
import type { Tx } from '../../src/tx-sender.ts'

/** A transaction whose gas its sender decides. */
export type Call = Omit<Tx, 'gas'>

/** Terms of an order other than good till cancelled. */
export type Terms = Readonly<{
  timeInForce?: TimeInForce
  isReduceOnly?: boolean
  goodTilSeconds?: number
  fillsMax?: number
}>

/** An amount of a token in raw units. */
export type Sum = Readonly<{ token: TokenSymbol; amount: bigint }>

/** Account numbers of a loser and a winner. */
type Nomination = Readonly<{ loser: number; winner: number }>

/** The calls of one market and its engine. `by` is the sending wallet. */
export type MarketCalls = Readonly<{
  buy(by: string, lots: bigint, tick: number, terms?: Terms): Call
  sell(by: string, lots: bigint, tick: number, terms?: Terms): Call
  cancel(by: string, order: number): Call
  cancelAll(by: string, orders: readonly number[]): Call
  reduce(by: string, order: number, lots: bigint): Call
  sweep(by: string, orders: readonly number[]): Call
  halt(by: string, isHalted: boolean): Call
  /** Perpetuals only. */
  change(by: string, parameters: PerpTerms['parameters']): Call
  poke(by: string): Call
  setLeverage(by: string, leverage: number): Call
  /** Closes a position by force; `orders` are the account's resting ones. */
  liquidate(by: string, account: number, orders: readonly number[]): Call
  nominate(by: string, nomination: Nomination): Call
  /** Closes against the winner nominated 10 s before. */
  deleverage(by: string, loser: number): Call
  /** Mints what it deposits. */
  deposit(by: string, sum: Sum): Call[]
  withdraw(by: string, sum: Sum): Call
  transfer(by: string, to: string, sum: Sum): Call
}>

/** Returns the calls of `market`, one of the `markets` listed by `deployment`. */
export function marketCalls(
  deployment: DevnetDeployment,
  markets: readonly MarketTerms[],
  market: MarketTerms,
): MarketCalls {
  const { tokens } = deployment
  const number = marketNumber(markets, market)
  const engine = market.type === 'spot' ? deployment.spot : deployment.perps
  const abi: Abi = market.type === 'spot' ? spotAbi : perpsAbi
  const call = (by: string, functionName: string, ...args: readonly unknown[]): Call => ({
    from: by,
    to: engine,
    data: encodeFunctionData({ abi, functionName, args: [number, ...args] }),
  })
  const place = (isBuy: boolean) => (by: string, lots: bigint, tick: number, terms?: Terms) => ({
    from: by,
    to: engine,
    data: encodeFunctionData({
      abi,
      functionName: 'place',
      args: [orderRequest(terms ?? {}, { market: number, buy: isBuy, tick, lots })],
    }),
  })
  return {
    buy: place(true),
    sell: place(false),
    cancel: (by, order) => call(by, 'cancel', order),
    cancelAll: (by, orders) => call(by, 'cancelAll', orders),
    reduce: (by, order, lots) => call(by, 'reduce', order, lots),
    sweep: (by, orders) => call(by, 'sweep', orders),
    halt: (by, isHalted) => call(by, 'halt', isHalted),
    change: (by, parameters) => call(by, 'change', parameters),
    poke: (by) => call(by, 'poke'),
    setLeverage: (by, leverage) => call(by, 'setLeverage', leverage),
    liquidate: (by, account, orders) => ({
      from: by,
      to: engine,
      data: encodeFunctionData({ abi, functionName: 'liquidate', args: [account, number, orders] }),
    }),
    nominate: (by, { loser, winner }) => ({
      from: by,
      to: engine,
      data: encodeFunctionData({ abi, functionName: 'nominate', args: [loser, winner, number] }),
    }),
    deleverage: (by, loser) => ({
      from: by,
      to: engine,
      data: encodeFunctionData({ abi, functionName: 'deleverage', args: [loser, number, []] }),
    }),
    deposit: (by, { token, amount }) => [
      mint(by, tokens[token], by, amount),
      approve(by, tokens[token], engine),
      deposit(by, engine, tokens[token], amount),
    ],
    withdraw: (by, { token, amount }) => withdraw(by, engine, tokens[token], amount),
    transfer: (by, to, { token, amount }) => transfer(by, engine, tokens[token], { to, amount }),
  }
}

type PlacedOrder = Readonly<{ market: number; buy: boolean; tick: number; lots: bigint }>

const orderRequest = (terms: Terms, placed: PlacedOrder) => ({
  ...placed,
  timeInForce: TIMES_IN_FORCE.indexOf(terms.timeInForce ?? 'GTC'),
  reduceOnly: terms.isReduceOnly ?? false,
  goodTil: terms.goodTilSeconds ?? 0,
  maxFills: terms.fillsMax ?? 0,
})

/** Returns the report to the oracle of `asset`'s price (18 decimals) at `seconds`. */
export function pushCall(
  { oracles }: DevnetDeployment,
  by: string,
  { asset, price, seconds }: Readonly<{ asset: string; price: bigint; seconds: number }>,
): Call {
  const args = [[bytes32(asset)], [price], seconds] as const
  const data = encodeFunctionData({ abi: pushOracleAbi, functionName: 'push', args })
  return { from: by, to: oracles[0], data }
}
