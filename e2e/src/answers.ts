// Reads what the venue's public interface says.

/** An answer and the block whose data it is. */
export type Answer = Readonly<{ block: number; hash: string; body: unknown }>

export type Level = Readonly<{ price: string; amount: string; orders: number }>
export type OrderBook = Readonly<{ bids: readonly Level[]; asks: readonly Level[] }>
export type Trade = Readonly<{
  trade_id: string
  tx_hash: string
  price: string
  amount: string
  side: string
}>
export type Statistics = Readonly<{
  open_interest: Readonly<{ total: string | null }>
  funding_rate: string
  mark_price: string | null
}>
/** Name of the market, end of the hour in nanoseconds, rate, mark. */
export type FundingRow = readonly [string, string, string, string]
export type FundingNow = Readonly<{
  funding_rate: string
  estimated_rate: string
  protocol_funding_rate: string
}>
export type Market = Readonly<{ instrument_name: string; instrument_type: string }>

type AnswerRow = Readonly<Record<string, string | number>>
export type Snapshot = Readonly<{
  blockNumber: number
  blockHash: string
  isTruncated: boolean
  balances: readonly AnswerRow[]
  collaterals: readonly AnswerRow[]
  positions: readonly AnswerRow[]
}>

/** Of the second host. */
export type TokenAnswer = Readonly<{
  address: string
  name: string
  symbol: string
  decimals: number
  totalSupply: string
  logoUri: string
  priceUsd: number
}>
export type MarketAnswer = Readonly<{
  address: string
  token0: TokenAnswer
  token1: TokenAnswer
  type: string
  tvl: number
  volume24h: number
  fee: number
}>
export type PoolAnswer = Readonly<{
  poolId: string
  baseToken: TokenAnswer
  quoteToken: TokenAnswer
  price: number
  priceChange24h: number
  volume24h: number
  tvl: number
}>

/** Asks the API; throws unless it answers 200 with a block. */
export async function ask(apiUrl: string, path: string): Promise<Answer> {
  const response = await fetch(new URL(path, apiUrl))
  const block = response.headers.get('x-block-number')
  const hash = response.headers.get('x-block-hash')
  if (response.status !== 200 || block === null || hash === null)
    throw new Error(`${path} answers 200 with its block (${response.status}, block ${block})`)
  return { block: Number(block), hash, body: await response.json() }
}

/** Asks the indexer what accounts hold. */
export async function askSnapshot(indexerUrl: string): Promise<Answer> {
  const response = await fetch(new URL('/snapshot', indexerUrl))
  if (response.status !== 200) throw new Error(`/snapshot answers 200 (${response.status})`)
  const body = (await response.json()) as Snapshot
  return { block: body.blockNumber, hash: body.blockHash, body }
}
