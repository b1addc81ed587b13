// The devnet's markets as a venue.json, and traders who use them on any chain.
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { formatRaw } from '@openvenue/core/units'
import { marketNumber } from '@openvenue/devnet/deployment'
import { ASSETS, MARKETS, type MarketTerms, TOKENS } from '@openvenue/devnet/markets'
import { intentTx } from '@openvenue/devnet/orders'
import type { ChainRpc } from '@openvenue/devnet/rpc'
import { arcTokenAbi } from '@openvenue/indexer/test/arc-token'
import { encodeFunctionData, type Hex } from 'viem'
import type { DeploymentRecord } from '../src/apply/deployment-record.ts'
import type { VenueFile } from '../src/config/venue-schema.ts'
import { sendFrom } from './arc-chain.ts'

const PERP_DECIMALS = 18

/** Every market of the devnet, priced by the pusher. */
export function wholeVenue(
  wallets: readonly Hex[],
  tokens: Readonly<Record<string, Hex | undefined>>,
): VenueFile {
  const [, guardian, proposer, pusher, canceller] = wallets as readonly [Hex, Hex, Hex, Hex, Hex]
  return {
    tokens: Object.fromEntries(
      TOKENS.map(({ symbol, decimals }) => {
        const address = tokens[symbol]
        return [symbol, { decimals, ...(address === undefined ? {} : { address }) }]
      }),
    ),
    collateral: 'USDC',
    governance: {
      delaySeconds: 86_400,
      proposers: [proposer],
      executors: ['anybody'],
      cancellers: [canceller],
    },
    guardian,
    oracle: {
      pusher,
      assets: Object.fromEntries(ASSETS.map(({ asset }) => [asset, { source: 'pusher' as const }])),
    },
    spot: MARKETS.flatMap((market) => (market.type === 'spot' ? [spotMarket(market)] : [])),
    perpetuals: MARKETS.flatMap((market) => (market.type === 'perp' ? [perpMarket(market)] : [])),
    outflow: { spot: { USDC: { share: '0.5', small: '100000' } } },
  }
}

const decimalsOf = (symbol: string) =>
  TOKENS.find((token) => token.symbol === symbol)?.decimals ?? 0

type Spot = Extract<MarketTerms, { type: 'spot' }>
type Perp = Extract<MarketTerms, { type: 'perp' }>

function spotMarket({ name, base, quote, ...terms }: Spot): VenueFile['spot'][number] {
  const inQuote = (raw: bigint) => formatRaw(raw, decimalsOf(quote))
  return {
    name,
    base,
    quote,
    priceStep: inQuote(terms.priceStep),
    amountStep: formatRaw(terms.amountStep, decimalsOf(base)),
    minOrderValue: inQuote(terms.minOrderValue),
    maxOrderValue: inQuote(terms.maxOrderValue),
  }
}

function perpMarket({ name, asset, parameters, ...terms }: Perp): VenueFile['perpetuals'][number] {
  const text = (raw: bigint) => formatRaw(raw, PERP_DECIMALS)
  return {
    name,
    asset,
    priceStep: text(terms.priceStep),
    amountStep: text(terms.amountStep),
    minOrderValue: text(parameters.minOrderValue),
    maxOrderValue: text(parameters.maxOrderValue),
    maxPositionValue: text(parameters.maxNotionalValue),
    maxOpenInterest: text(parameters.maxOpenInterest * terms.amountStep),
    impactValue: text(terms.impactValue),
    maxLeverage: parameters.maxLeverage,
    makerFee: formatRaw(BigInt(parameters.makerFee), 6),
    takerFee: formatRaw(BigInt(parameters.takerFee), 6),
    indexAgeMaxSeconds: 60,
  }
}

/** Prices in the format of a price reader. */
export const pricesText = (): string =>
  JSON.stringify(
    Object.fromEntries(
      ASSETS.map(({ asset, startPrice }) => [asset, formatRaw(startPrice, PERP_DECIMALS)]),
    ),
  )

export type TradingContext = Readonly<{ rpc: ChainRpc; record: DeploymentRecord }>

export const callToken = (
  { rpc }: TradingContext,
  from: Hex,
  to: Hex,
  call: Parameters<typeof encodeFunctionData<typeof arcTokenAbi>>[0],
) => sendFrom(rpc, { from, to, data: encodeFunctionData(call) })

/** Gives `trader` tokens and deposits half of each into the engines. */
export async function fund(trading: TradingContext, trader: Hex): Promise<void> {
  const { rpc, record } = trading
  for (const { symbol, decimals } of TOKENS) {
    const token = record.tokens[symbol] as Hex
    const amount = 100_000n * 10n ** BigInt(decimals)
    const engines = symbol === 'USDC' ? [record.spot, record.perps] : [record.spot]
    const abi = arcTokenAbi
    const minted = { abi, functionName: 'mint', args: [trader, amount * 4n] } as const
    await callToken(trading, trader, token, minted)
    for (const engine of engines) {
      const approved = { abi, functionName: 'approve', args: [engine, amount] } as const
      await callToken(trading, trader, token, approved)
      const data = encodeFunctionData({
        abi: spotAbi,
        functionName: 'deposit',
        args: [token, amount],
      })
      await sendFrom(rpc, { from: trader, to: engine, data })
    }
  }
}

type Side = Readonly<{ isBuy: boolean; ticksAway: number; lots: number }>

/** Places an order some ticks from the start price of the market's asset. */
export async function place(
  { rpc, record }: TradingContext,
  trader: Hex,
  market: MarketTerms,
  { isBuy, ticksAway, lots }: Side,
): Promise<void> {
  const { startPrice = 0n } = ASSETS.find(({ asset }) => asset === market.asset) ?? {}
  const price = (startPrice * 10n ** BigInt(market.quoteDecimals)) / 10n ** BigInt(PERP_DECIMALS)
  const tick = Number(price / market.priceStep) + ticksAway
  const order = { isBuy, tick, lots, timeInForce: 'GTC' as const }
  const engine = market.type === 'spot' ? record.spot : record.perps
  const intent = { trader: 0, cancels: [], edits: [], places: [order] }
  const { to, data } = intentTx(intent, trader, engine, marketNumber(MARKETS, market))
  await sendFrom(rpc, { from: trader, to: to as Hex, data: data as Hex })
}
