// Random deposits, withdrawals and transfers of the traders.

import { devTokenAbi } from '@openvenue/contracts/abi/dev-token'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { E18 } from '@openvenue/core/integers'
import { encodeFunctionData, type Hex, maxUint256 } from 'viem'
import type { DevnetDeployment } from './deployment.ts'
import type { TokenSymbol } from './markets.ts'
import type { Random } from './random.ts'
import type { Tx } from './tx-sender.ts'

/** Measured: a first deposit opens the account, 200,000. */
const GAS = 400_000

/** Initial spot deposits of a trader: hundreds of its usual orders. Token raw units. */
const SPOT_DEPOSITS: Readonly<Record<TokenSymbol, bigint>> = {
  USDC: 2_000_000n * 10n ** 6n,
  EURC: 500_000n * 10n ** 6n,
  ETH: 300n * E18,
  BTC: 10n * 10n ** 8n,
}
/** Initial deposit at the perpetual engine, in USDC. */
const COLLATERAL = 1_000_000n * 10n ** 6n

/** Returns the transactions that deposit a new trader's money at both engines, in order. */
export function fundingTxs(deployment: DevnetDeployment, trader: string): Tx[] {
  const { spot, perps, tokens } = deployment
  const symbols = Object.keys(SPOT_DEPOSITS) as TokenSymbol[]
  return [
    ...symbols.flatMap((symbol) => {
      const amount = SPOT_DEPOSITS[symbol]
      const token = tokens[symbol]
      return [
        mint(trader, token, trader, amount + (symbol === 'USDC' ? COLLATERAL : 0n)),
        approve(trader, token, spot),
        deposit(trader, spot, token, amount),
      ]
    }),
    approve(trader, tokens.USDC, perps),
    deposit(trader, perps, tokens.USDC, COLLATERAL),
  ]
}

/** One trader's money in one token at one engine. */
export type TraderFunds = Readonly<{
  trader: string
  engine: string
  token: string
  /** The first deposit, and the withdrawable part: token raw units. */
  brought: bigint
  free: bigint
}>

/** Maximum part of the first deposit moved at once, in hundredths. */
const PART_MAX = 5
/** Percentages of its first deposit below which a trader deposits, and above which it withdraws. */
const LOW_PERCENT = 60n
const HIGH_PERCENT = 150n

/** Returns random funds of a trader, with an unknown free amount. */
export function pickFunds(
  { spot, perps, tokens }: DevnetDeployment,
  traders: readonly string[],
  random: Random,
): Omit<TraderFunds, 'free'> & Readonly<{ isSpot: boolean }> {
  const trader = random.pick(traders)
  const isSpot = random.chance(2)
  const symbol = isSpot ? random.pick(Object.keys(SPOT_DEPOSITS) as TokenSymbol[]) : 'USDC'
  return {
    trader,
    isSpot,
    engine: isSpot ? spot : perps,
    token: tokens[symbol],
    brought: isSpot ? SPOT_DEPOSITS[symbol] : COLLATERAL,
  }
}

/** Returns the next movement of `funds`: a deposit below the range, a withdrawal above it. */
export function moneyTxs(funds: TraderFunds, traders: readonly string[], random: Random): Tx[] {
  const { trader, engine, token, brought, free } = funds
  const amount = (brought * BigInt(1 + random.whole(PART_MAX))) / 100n
  switch (chooseMove(funds, random)) {
    case 'deposit': {
      const missing = free < brought ? brought - free : 0n
      const brings = amount + missing
      return [mint(trader, token, trader, brings), deposit(trader, engine, token, brings)]
    }
    case 'withdraw':
      return [withdraw(trader, engine, token, amount)]
    case 'transfer': {
      const others = traders.filter((other) => other !== trader)
      return [transfer(trader, engine, token, { to: random.pick(others), amount })]
    }
  }
}

function chooseMove({ brought, free }: TraderFunds, random: Random) {
  if (free * 100n < brought * LOW_PERCENT) return 'deposit'
  if (free * 100n > brought * HIGH_PERCENT) return 'withdraw'
  return random.pick(['deposit', 'withdraw', 'transfer', 'transfer'] as const)
}

/** Anyone may mint a token of the devnet. */
export const mint = (from: string, token: string, to: string, amount: bigint): Tx => ({
  from,
  to: token,
  data: encodeFunctionData({ abi: devTokenAbi, functionName: 'mint', args: [to as Hex, amount] }),
  gas: GAS,
})

export const approve = (from: string, token: string, spender: string): Tx => ({
  from,
  to: token,
  data: encodeFunctionData({
    abi: devTokenAbi,
    functionName: 'approve',
    args: [spender as Hex, maxUint256],
  }),
  gas: GAS,
})

/** Both engines have the same functions for money. */
export const deposit = (from: string, engine: string, token: string, amount: bigint): Tx => ({
  from,
  to: engine,
  data: encodeFunctionData({
    abi: spotAbi,
    functionName: 'deposit',
    args: [token as Hex, amount],
  }),
  gas: GAS,
})

export const withdraw = (from: string, engine: string, token: string, amount: bigint): Tx => ({
  from,
  to: engine,
  data: encodeFunctionData({
    abi: spotAbi,
    functionName: 'withdraw',
    args: [token as Hex, amount, from as Hex],
  }),
  gas: GAS,
})

export const transfer = (from: string, engine: string, token: string, given: Payment): Tx => ({
  from,
  to: engine,
  data: encodeFunctionData({
    abi: spotAbi,
    functionName: 'transfer',
    args: [token as Hex, given.to as Hex, given.amount],
  }),
  gas: GAS,
})

type Payment = Readonly<{ to: string; amount: bigint }>
