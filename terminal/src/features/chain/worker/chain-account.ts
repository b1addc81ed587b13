// Reads an account at one block. Positions and marks, from which transactions are computed, come
// from the engines themselves; the lens is used only for display.

import { NodeRefusal } from 'openvenue/chain'
import type { Hex } from 'viem'
import type { BlockCalls } from './block-calls.ts'
import type { ChainListing, ChainMarket } from './chain-listing.ts'
import { accountsAbi, lensAbi, perpsAbi, spotAbi } from './venue-abi.ts'
import type { VenueContracts } from './venue-config.ts'

/** 18 decimals, except `lots`. `quote` is minus the cost of the lots. */
export type ChainPosition = Readonly<{
  market: ChainMarket
  lots: bigint
  quote: bigint
  mark: bigint
  markPerLot: bigint
  fundingIndex: bigint
}>

/** 18 decimals. */
type ChainMargin = Readonly<{
  collateral: bigint
  equity: bigint
  initialMargin: bigint
  maintenanceMargin: bigint
  available: bigint
}>

/** Available balance of a token, raw units. */
type ChainHolding = Readonly<{ symbol: string; decimals: number; free: bigint }>

export type AccountAtBlock = Readonly<{
  positions: readonly ChainPosition[]
  margin: ChainMargin
  holdings: readonly ChainHolding[]
}>

export type ChainQuote = Readonly<{
  mark: bigint
  index: bigint
  markPerLot: bigint
  ended: boolean
}>

/** Returns the number of a wallet's account; 0 if it has none. */
export const readAccountNumber = (
  calls: BlockCalls,
  { accounts }: VenueContracts,
  wallet: string,
): Promise<number> =>
  calls.read({
    ...{ address: accounts as Hex, abi: accountsAbi, functionName: 'accountOf' },
    args: [wallet as Hex],
  })

/** Returns mark and index price of each perpetual market by its id; none before the first price. */
export async function readQuotes(
  calls: BlockCalls,
  markets: readonly ChainMarket[],
): Promise<ReadonlyMap<string, ChainQuote>> {
  const perpetuals = markets.filter(({ kind }) => kind === 'PERPETUAL')
  const quotes = await Promise.all(
    perpetuals.map(({ engine, number }) =>
      calls
        .read({ address: engine, abi: perpsAbi, functionName: 'quoteOf', args: [number] })
        .catch(noPrice),
    ),
  )
  return new Map(
    perpetuals.flatMap(({ id }, at) => {
      const quote = quotes[at]
      return quote === undefined || quote.mark === 0n ? [] : [[id, quote] as const]
    }),
  )
}

/** Returns the number of the market whose flagged loss pauses margin withdrawals; 0 for none. */
export async function readLossMarket(
  calls: BlockCalls,
  { perps }: VenueContracts,
): Promise<number> {
  const view = { address: perps as Hex, abi: perpsAbi, functionName: 'flaggedLoss' } as const
  const { account, market } = await calls.read(view)
  return account === 0 ? 0 : market
}

/** The contract reverts before the first price. */
function noPrice(error: unknown): undefined {
  if (error instanceof NodeRefusal && /revert/i.test(error.message)) return undefined
  throw error
}

type Holder = Readonly<{ contracts: VenueContracts; listing: ChainListing; account: number }>

/** Returns the balances and positions of an account; empty if the account does not exist. */
export async function readAccount(
  calls: BlockCalls,
  { contracts, listing, account }: Holder,
  quotes: ReadonlyMap<string, ChainQuote>,
): Promise<AccountAtBlock> {
  const [positions, margin, holdings] = await Promise.all([
    readPositions(calls, { listing, account }, quotes),
    calls.read({
      ...{ address: contracts.lens as Hex, abi: lensAbi, functionName: 'perpAccount' },
      args: [contracts.perps as Hex, account],
    }),
    readHoldings(calls, { contracts, listing, account }),
  ])
  return { positions, margin, holdings }
}

async function readPositions(
  calls: BlockCalls,
  { listing, account }: Pick<Holder, 'listing' | 'account'>,
  quotes: ReadonlyMap<string, ChainQuote>,
): Promise<readonly ChainPosition[]> {
  const perpetuals = listing.markets.filter(({ kind }) => kind === 'PERPETUAL')
  const positions = await Promise.all(
    perpetuals.map(({ engine, number }) =>
      calls.read({
        ...{ address: engine, abi: perpsAbi, functionName: 'positionOf' },
        args: [number, account],
      }),
    ),
  )
  return perpetuals.flatMap((market, at) => {
    const { lots = 0n, quote = 0n, fundingIndex = 0n } = positions[at] ?? {}
    const { mark = 0n, markPerLot = 0n } = quotes.get(market.id) ?? {}
    return lots === 0n ? [] : [{ market, lots, quote, mark, markPerLot, fundingIndex }]
  })
}

async function readHoldings(
  calls: BlockCalls,
  { contracts, listing, account }: Holder,
): Promise<readonly ChainHolding[]> {
  const { spot } = contracts
  const raw = await Promise.all(
    listing.tokens.map(({ address }) =>
      calls.read({
        ...{ address: spot as Hex, abi: spotAbi, functionName: 'balanceOf' },
        args: [account, address],
      }),
    ),
  )
  return listing.tokens.flatMap(({ symbol, decimals }, at) => {
    const free = raw[at] ?? 0n
    return free === 0n ? [] : [{ symbol, decimals, free }]
  })
}
