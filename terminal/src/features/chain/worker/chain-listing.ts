// Reads the markets of a venue with their units, and its tokens. The contracts return all of it
// except the names of markets, which are in the logs of their listing.
import { ChainError, type ChainLog } from 'openvenue/chain'
import { type Hex, toEventSelector } from 'viem'
import { foreignName } from '../../../text/foreign-text.ts'
import * as text from '../text.ts'
import { type BlockCalls, pagesOn } from './block-calls.ts'
import { engineAbi, tokenAbi } from './venue-abi.ts'
import type { VenueContracts } from './venue-config.ts'

/** Maximum number of markets per engine; the contract itself allows 64 perpetuals. */
const MARKETS_MAX = 200
const TOKENS_MAX = 100
/** Markets are listed soon after a venue is deployed: names in later logs are not searched for. */
const PAGES_MAX = 50
const PERP_DECIMALS = 18
const WORD = 64

export const LISTED_TOPICS = [
  toEventSelector('Listed(uint32,bytes32,address,address,uint256,uint256,uint256,uint256)'),
  toEventSelector(
    'Listed(uint32,bytes32,bytes32,address,uint256,uint256,(uint128,uint128,uint128,uint64,uint16,int32,int32))',
  ),
] as const

type ChainToken = Readonly<{ address: Hex; symbol: string; decimals: number }>

export type ChainMarket = Readonly<{
  name: string
  kind: 'SPOT' | 'PERPETUAL'
  engine: Hex
  number: number
  /** 0x + engine + number, as in the API. */
  id: string
  isHalted: boolean
  /** Raw units: price = tick * priceStep, amount = lots * amountStep. */
  priceStep: bigint
  amountStep: bigint
  quotePerLotTick: bigint
  baseDecimals: number
  quoteDecimals: number
}>

export type ChainListing = Readonly<{
  markets: readonly ChainMarket[]
  /** Tokens of both engines. */
  tokens: readonly ChainToken[]
  /** The token in which perpetual margin is held. */
  collateral: string
}>

/** Reads markets and tokens at a block. */
export async function readListing(
  calls: BlockCalls,
  contracts: VenueContracts,
): Promise<ChainListing> {
  const engines = [contracts.spot as Hex, contracts.perps as Hex] as const
  const [spotTokens, perpTokens, counts] = await Promise.all([
    readTokens(calls, engines[0]),
    readTokens(calls, engines[1]),
    Promise.all(engines.map((engine) => readCount(calls, engine, 'marketCount', MARKETS_MAX))),
  ])
  const marketCount = counts.reduce((sum, count) => sum + count, 0)
  const names = await readNames(calls, contracts, marketCount)
  const each = engines.flatMap((engine, at) =>
    numbersTo(counts[at] ?? 0).map((number) => ({ engine, number, isSpot: at === 0 })),
  )
  const markets = await Promise.all(
    each.map((market) => readMarket(calls, { ...market, tokens: spotTokens, names })),
  )
  const tokens = new Map([...spotTokens, ...perpTokens].map((token) => [token.address, token]))
  const collateral = perpTokens[0]?.symbol ?? ''
  return { markets: markets.sort(byName), tokens: [...tokens.values()], collateral }
}

const byName = (a: ChainMarket, b: ChainMarket): number => (a.name < b.name ? -1 : 1)

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

async function readCount(
  calls: BlockCalls,
  address: Hex,
  functionName: 'marketCount' | 'tokenCount',
  most: number,
): Promise<number> {
  const count = await calls.read({ address, abi: engineAbi, functionName })
  return Math.min(count, most)
}

async function readTokens(calls: BlockCalls, engine: Hex): Promise<readonly ChainToken[]> {
  const count = await readCount(calls, engine, 'tokenCount', TOKENS_MAX)
  return Promise.all(numbersTo(count).map((number) => readToken(calls, engine, number)))
}

async function readToken(calls: BlockCalls, engine: Hex, number: number): Promise<ChainToken> {
  const at = { address: engine, abi: engineAbi, functionName: 'tokenAt', args: [number] } as const
  const address = (await calls.read(at)).toLowerCase() as Hex
  const token = { address, abi: tokenAbi } as const
  const [decimals, symbol] = await Promise.all([
    calls.read({ ...token, functionName: 'decimals' }),
    // A token without a text symbol is named by its number.
    calls.read({ ...token, functionName: 'symbol' }).catch(() => text.unnamedToken(number)),
  ])
  return { address, symbol: foreignName(symbol), decimals }
}

type MarketRequest = Readonly<{
  engine: Hex
  number: number
  isSpot: boolean
  tokens: readonly ChainToken[]
  names: ReadonlyMap<string, string>
}>

async function readMarket(calls: BlockCalls, request: MarketRequest): Promise<ChainMarket> {
  const { engine, number, isSpot, tokens, names } = request
  const units = await calls.read({
    ...{ address: engine, abi: engineAbi, functionName: 'unitsOf', args: [number] },
  })
  if (units.amountStep === 0n) throw new ChainError(text.noUnits(number, engine))
  const id = `${engine}${number.toString(16).padStart(8, '0')}`
  const quote = tokens[units.quote - 1]
  return {
    name: names.get(id) ?? text.unnamedMarket(number),
    kind: isSpot ? 'SPOT' : 'PERPETUAL',
    ...{ engine, number, id, isHalted: units.halted, amountStep: units.amountStep },
    // Inverts the listing, which computed this from both steps; the division is exact.
    priceStep: (units.quotePerLotTick * 10n ** BigInt(units.baseDecimals)) / units.amountStep,
    quotePerLotTick: units.quotePerLotTick,
    baseDecimals: units.baseDecimals,
    quoteDecimals: isSpot ? (quote?.decimals ?? PERP_DECIMALS) : PERP_DECIMALS,
  }
}

/** Returns names by market id; stops as soon as `count` names are found. */
async function readNames(
  calls: BlockCalls,
  { spot, perps, fromBlock }: VenueContracts,
  count: number,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  const filter = { address: [spot, perps], topics: [LISTED_TOPICS] }
  for (const page of pagesOn(fromBlock, calls.head.number, PAGES_MAX)) {
    if (names.size >= count) break
    for (const log of await calls.logs(filter, page)) names.set(...nameOf(log))
  }
  return names
}

/** Both kinds of the log have the market as a topic, and their data starts with its name. */
export function nameOf({
  address,
  topics,
  data,
}: Pick<ChainLog, 'address' | 'topics' | 'data'>): readonly [string, string] {
  const number = Number(BigInt(topics[1] ?? '0x0'))
  const bytes = data.slice(2, 2 + WORD).match(/../g) ?? []
  const characters = bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join('')
  const name = characters.replace(/\0+$/, '').replaceAll(/[^\x21-\x7e]/g, '?')
  return [`${address}${number.toString(16).padStart(8, '0')}`, name]
}
