// Traders' money on its way in, out and across.
import { devTokenAbi } from '@openvenue/contracts/abi/dev-token'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { encodeFunctionData, type Hex, maxUint256 } from 'viem'
import type { Deployment } from './deployment.ts'
import type { TokenSymbol } from './markets.ts'
import type { Random } from './random.ts'
import type { Tx } from './sender.ts'

/** Measured: a first deposit opens the account, 200,000. */
const GAS = 400_000

/** What a trader brings to the spot engine: hundreds of its usual orders. Token raw units. */
const SPOT_DEPOSITS: Readonly<Record<TokenSymbol, bigint>> = {
  USDC: 2_000_000n * 10n ** 6n,
  EURC: 500_000n * 10n ** 6n,
  ETH: 300n * 10n ** 18n,
  BTC: 10n * 10n ** 8n,
}
/** And to the perpetual engine, in USDC. */
const COLLATERAL = 1_000_000n * 10n ** 6n

/** Returns what brings a new trader's money to both engines, in order. */
export function fundingTxs(deployment: Deployment, trader: string): Tx[] {
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

/** Hundredths of what a trader brought: what one deposit, withdrawal or transfer moves. */
const PART_MAX = 5

/** Returns a deposit, a withdrawal or a transfer of one of `traders`. */
export function moneyTxs(deployment: Deployment, traders: readonly string[], random: Random): Tx[] {
  const { spot, perps, tokens } = deployment
  const trader = random.pick(traders)
  const isSpot = random.chance(2)
  const symbol = isSpot ? random.pick(Object.keys(SPOT_DEPOSITS) as TokenSymbol[]) : 'USDC'
  const [engine, token] = [isSpot ? spot : perps, tokens[symbol]]
  const whole = isSpot ? SPOT_DEPOSITS[symbol] : COLLATERAL
  const amount = (whole * BigInt(1 + random.whole(PART_MAX))) / 100n
  switch (random.whole(3)) {
    case 0:
      return [mint(trader, token, trader, amount), deposit(trader, engine, token, amount)]
    case 1:
      return [withdraw(trader, engine, token, amount)]
    default: {
      const others = traders.filter((other) => other !== trader)
      return [transfer(trader, engine, token, { to: random.pick(others), amount })]
    }
  }
}

/** Anyone may mint a token of the devnet. */
export const mint = (from: string, token: string, to: string, amount: bigint): Tx => ({
  from,
  to: token,
  data: encodeFunctionData({ abi: devTokenAbi, functionName: 'mint', args: [to as Hex, amount] }),
  gas: GAS,
})

const approve = (from: string, token: string, spender: string): Tx => ({
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
const deposit = (from: string, engine: string, token: string, amount: bigint): Tx => ({
  from,
  to: engine,
  data: encodeFunctionData({
    abi: spotAbi,
    functionName: 'deposit',
    args: [token as Hex, amount],
  }),
  gas: GAS,
})

const withdraw = (from: string, engine: string, token: string, amount: bigint): Tx => ({
  from,
  to: engine,
  data: encodeFunctionData({
    abi: spotAbi,
    functionName: 'withdraw',
    args: [token as Hex, amount, from as Hex],
  }),
  gas: GAS,
})

const transfer = (from: string, engine: string, token: string, given: Given): Tx => ({
  from,
  to: engine,
  data: encodeFunctionData({
    abi: spotAbi,
    functionName: 'transfer',
    args: [token as Hex, given.to as Hex, given.amount],
  }),
  gas: GAS,
})

type Given = Readonly<{ to: string; amount: bigint }>
