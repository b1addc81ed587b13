// Compares the fills of an account with the logs of the contracts: no extra and no missing fill.
import type { EventOf } from '@openvenue/core/events'
import { orderId } from '@openvenue/core/ids'
import { formatRaw } from '@openvenue/core/units'
import type { Fill } from '../../generated/shapes.ts'
import { amountText, priceText, quoteText } from '../chain/market-text.ts'
import type { ChainRpc } from '../chain/rpc.ts'
import { namedContracts, type VenueContracts } from '../chain/venue-contracts.ts'
import { UnexpectedAnswerError } from '../errors.ts'
import type { Rest } from '../rest/rest.ts'
import { BlockView, type VerifiedBlock } from './block-view.ts'
import { type ChainMarket, readAccount, readMarket } from './contracts.ts'
import { expectSame, membersOf } from './differences.ts'
import {
  type Exchange,
  type LoggedMembers,
  type PlacedOrders,
  readExchanges,
  takerBuys,
} from './exchanges.ts'
import type { VerifyOptions } from './verify-book.ts'

/** Number of newest rows to check; 100 by default, 1,000 at most. */
export type ListOptions = VerifyOptions & Readonly<{ limit?: number | undefined }>

const LIMIT = 100
/** Maximum number of rows per request of the API. */
const LIMIT_MAX = 1000

/** Returns the number of rows to request. */
export const limitOf = ({ limit = LIMIT }: ListOptions): number => Math.min(limit, LIMIT_MAX)

/** Verified fills of an account, newest first. */
export type VerifiedFills = Readonly<{ block: VerifiedBlock; fills: readonly Fill[] }>

/**
 * Requests the newest fills of `account` (a wallet or sub-account) and compares them with the logs
 * of both engines since the oldest: each must have its price, amount, side and fees, and none may
 * be missing. `rest` needs a key of the account.
 *
 * @throws MismatchError with each fill that differs; ChainError if the node fails; RangeError if
 * the oldest fill is more than 100 log ranges back: request fewer.
 */
export async function verifyFills(
  rest: Rest,
  rpc: ChainRpc,
  account: string,
  options: ListOptions = {},
): Promise<VerifiedFills> {
  const contracts = options.contracts ?? (await namedContracts(rest))
  const query = { limit: limitOf(options), sort_order: 'desc' } as const
  const answer = await rest.ask('GET /trade-history', { query }, { signal: options.signal })
  const fills = answer.body.trade_history.map(expectFill)
  const isAll = 'pagination' in answer.body && !answer.body.pagination.has_next
  const view = await BlockView.of(answer, rpc, options)
  const number = await readAccount(view, contracts, account)
  const first = isAll ? undefined : fills.at(-1)?.trade_id
  const chain = await readFills(view, contracts, { first, number })
  const served = new Map(fills.map((fill) => [fill.trade_id, fill]))
  const ids = [...new Set([...served.keys(), ...chain.keys()])]
  expectSame(
    `fills of ${account} at block ${view.block.number}`,
    ids.flatMap((id) => {
      const fill = served.get(id)
      const venue = fill && { ...fill, account: fill.account.toLowerCase() }
      const logged = chain.get(id)
      return membersOf(
        `fills[${id}].`,
        venue,
        logged && { ...logged, account: account.toLowerCase() },
      )
    }),
  )
  return { block: view.block, fills }
}

function expectFill(row: { trade_type: string }): Fill {
  if (row.trade_type === 'funding')
    throw new UnexpectedAnswerError('GET /trade-history: got funding, expected fills')
  return row as Fill
}

type FillRange = Readonly<{ first: string | undefined; number: number }>

async function readFills(
  view: BlockView,
  contracts: VenueContracts,
  { first, number }: FillRange,
): Promise<LoggedMembers> {
  const engines = [contracts.spot, contracts.perps].map((engine) => engine.toLowerCase())
  const markets = new Map<string, ChainMarket>()
  const fills: LoggedMembers = new Map()
  for await (const { event, log, id, placed } of readExchanges(view, contracts, { first, engines }))
    for (const side of sidesOf(event, number)) {
      const fillId = id + side.suffix
      if (first !== undefined && fillId < first) continue
      const market = markets.get(event.market) ?? (await readMarket(view, contracts, event.market))
      markets.set(event.market, market)
      fills.set(fillId, {
        trade_id: fillId,
        ...side.encode({ market, placed }),
        tx_hash: log.txHash,
        block_number: log.blockNumber,
        log_index: log.logIndex,
      })
    }
  return fills
}

type Facts = Readonly<{ market: ChainMarket; placed: PlacedOrders }>
/** One account's side of an exchange, with the suffix of its fill id. */
type FillSide = Readonly<{ suffix: string; encode(facts: Facts): Record<string, unknown> }>

/** Account 1 is the insurance fund, which takes over absorbed positions. */
const INSURANCE = 1

function sidesOf(event: Exchange, number: number): FillSide[] {
  if (event.type === 'Filled')
    return [
      { suffix: '-m', account: event.maker, isMaker: true },
      { suffix: '-t', account: event.taker, isMaker: false },
    ]
      .filter(({ account }) => account === number)
      .map(({ suffix, isMaker }) => ({
        suffix,
        encode: (facts) => encodeBooked(event, isMaker, facts),
      }))
  const [gave, got] =
    event.type === 'Absorbed' ? [event.account, INSURANCE] : [event.loser, event.winner]
  return [
    { suffix: '-f', account: gave, lots: -event.lots },
    { suffix: '-g', account: got, lots: event.lots },
  ]
    .filter(({ account }) => account === number)
    .map(({ suffix, lots }) => ({
      suffix,
      encode: ({ market }) => encodeForced(market, event, lots),
    }))
}

function encodeBooked(event: EventOf<'Filled'>, isMaker: boolean, { market, placed }: Facts) {
  const isBuy = takerBuys(event, placed) !== isMaker
  const number = isMaker ? event.makerOrder : event.takerOrder
  const order = placed.get(`${event.market}|${number}`)
  return {
    // The digest of a maker order from before the range is unknown.
    ...(order && { order_id: orderId({ market: event.market, number, ref: order.ref }) }),
    instrument_id: market.id,
    side: isBuy ? 'buy' : 'sell',
    price: priceText(market, event.tick),
    amount: amountText(market, event.lots),
    quote_amount: quoteText(market, BigInt(event.tick) * event.lots * market.quotePerLotTick),
    fees: quoteText(market, isMaker ? event.makerFee : event.takerFee),
    liquidity: isMaker ? 'maker' : 'taker',
  }
}

/** Off the book, a lot has a price of its own that need not be on a tick. */
function encodeForced(
  market: ChainMarket,
  { unit }: EventOf<'Absorbed'> | EventOf<'Deleveraged'>,
  lots: bigint,
) {
  const size = lots < 0n ? -lots : lots
  const price = floorDivide(unit * 10n ** BigInt(market.baseDecimals), market.amountStep)
  return {
    order_id: null,
    instrument_id: market.id,
    side: lots > 0n ? 'buy' : 'sell',
    price: formatRaw(price, market.quoteDecimals),
    amount: amountText(market, size),
    quote_amount: quoteText(market, unit * size),
    fees: '0',
    liquidity: null,
  }
}

const floorDivide = (dividend: bigint, divisor: bigint) =>
  dividend / divisor - (dividend < 0n && dividend % divisor !== 0n ? 1n : 0n)
