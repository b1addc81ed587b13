// Reads markets, accounts and events from the chain.
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { compileVenueLogs } from '@openvenue/contracts/events/venue-logs'
import type { LoggedEvent } from '@openvenue/core/events'
import { marketEngine, marketId } from '@openvenue/core/ids'
import { PERP_DECIMALS } from '@openvenue/core/markets'
import type { Hex } from 'viem'
import type { MarketUnits } from '../chain/market-text.ts'
import { type ChainLog, numberTopic } from '../chain/rpc.ts'
import type { VenueContracts } from '../chain/venue-contracts.ts'
import { UnexpectedAnswerError } from '../errors.ts'
import type { BlockView } from './block-view.ts'
import { expectSame } from './differences.ts'

/** A market as the chain has it. */
export type ChainMarket = MarketUnits &
  Readonly<{
    engine: string
    number: number
    /** Tokens of a spot market, lower case. */
    base: string | undefined
    quote: string | undefined
  }>

const DECIMALS_ABI = [
  {
    type: 'function',
    name: 'decimals',
    inputs: [],
    outputs: [{ name: '', type: 'uint8' }],
    stateMutability: 'view',
  },
] as const

const MARKET_ID = /^0x[0-9a-f]{48}$/i

/** Returns market `id`. Throws a MismatchError if it does not belong to a pinned engine. */
export async function readMarket(
  view: BlockView,
  contracts: VenueContracts,
  id: string,
): Promise<ChainMarket> {
  if (!MARKET_ID.test(id))
    throw new UnexpectedAnswerError(`instrument_id: got ${id}, expected the id of a market`)
  const engine = marketEngine(id.toLowerCase())
  const type = engineType(contracts, engine)
  expectSame(`market ${id}`, [['engine', type === undefined ? engine : 'known', 'known']])
  return readListed(view, type ?? 'SPOT', { engine, number: Number.parseInt(id.slice(-8), 16) })
}

function engineType({ spot, perps }: VenueContracts, engine: string) {
  if (engine === spot.toLowerCase()) return 'SPOT' as const
  return engine === perps.toLowerCase() ? ('PERPETUAL' as const) : undefined
}

/** Returns market `number` of an engine. */
export async function readListed(
  view: BlockView,
  type: ChainMarket['type'],
  { engine, number }: Readonly<{ engine: string; number: number }>,
): Promise<ChainMarket> {
  const at = { address: engine as Hex, abi: spotAbi } as const
  const units = await view.read({ ...at, functionName: 'unitsOf', args: [number] })
  const id = marketId(engine.toLowerCase(), number)
  expectSame(`market ${id}`, [['is listed', true, units.amountStep > 0n]])
  const tokens =
    type === 'SPOT' ? await view.read({ ...at, functionName: 'tokensOf', args: [number] }) : []
  const [base, quote] = tokens.map((token) => token.toLowerCase())
  return {
    id,
    type,
    engine: engine.toLowerCase(),
    number,
    // The listing derives quotePerLotTick from both steps without a remainder.
    priceStep: (units.quotePerLotTick * 10n ** BigInt(units.baseDecimals)) / units.amountStep,
    amountStep: units.amountStep,
    quotePerLotTick: units.quotePerLotTick,
    baseDecimals: units.baseDecimals,
    quoteDecimals: quote === undefined ? PERP_DECIMALS : await readDecimals(view, quote),
    base,
    quote,
  }
}

/** Returns the decimals of a token. */
export const readDecimals = (view: BlockView, token: string): Promise<number> =>
  view.read({ address: token as Hex, abi: DECIMALS_ABI, functionName: 'decimals' })

/** Returns the account number of a wallet; 0 if it has none. */
export const readAccount = (
  view: BlockView,
  { accounts }: VenueContracts,
  wallet: string,
): Promise<number> =>
  view.read({
    address: accounts as Hex,
    abi: accountsAbi,
    functionName: 'accountOf',
    args: [wallet as Hex],
  })

/** An event and its log. */
export type ReadEvent = Readonly<{ event: LoggedEvent; log: ChainLog }>

/**
 * Yields the events of `engines` since block `from`, range by range; only those of one market if
 * `market` is its number.
 */
export async function* readEvents(
  view: BlockView,
  contracts: VenueContracts,
  {
    from,
    engines,
    market,
  }: Readonly<{ from: number; engines: readonly string[]; market?: number }>,
): AsyncGenerator<readonly ReadEvent[]> {
  const logs = compileVenueLogs(contracts)
  const topics = market === undefined ? [logs.topics] : [logs.topics, [numberTopic(market)]]
  for await (const page of view.logs({ address: engines, topics }, from))
    yield page.flatMap((log) => {
      const event = logs.decode(log)
      return event === undefined ? [] : [{ event, log }]
    })
  await view.confirm()
}

/** Throws a MismatchError unless market `id` was listed under `name`. */
export async function expectName(
  view: BlockView,
  contracts: VenueContracts,
  { id, engine, number, name }: Pick<ChainMarket, 'id' | 'engine' | 'number'> & { name: string },
): Promise<void> {
  const filter = { from: contracts.fromBlock, engines: [engine], market: number }
  for await (const events of readEvents(view, contracts, filter))
    for (const { event } of events)
      if (event.type === 'SpotListed' || event.type === 'PerpListed')
        return expectSame(`market ${id}`, [['instrument_name', name, event.name]])
  expectSame(`market ${id}`, [['instrument_name', name, undefined]])
}
