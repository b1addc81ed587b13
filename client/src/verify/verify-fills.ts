// Compares the fills of an account with the logs of the contracts: none other, none missing.
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
import { type Exchange, type Logged, type Placed, readExchanges, takerBuys } from './exchanges.ts'
import type { VerifyOptions } from './verify-book.ts'

/** Which of the newest are asked; 100 by default, 1,000 at most. */
export type ListOptions = VerifyOptions & Readonly<{ limit?: number | undefined }>

const LIMIT = 100
/** The API gives no more at once. */
const LIMIT_MAX = 1000

/** Returns how many rows are asked for. */
export const limitOf = ({ limit = LIMIT }: ListOptions): number => Math.min(limit, LIMIT_MAX)

/** Fills of an account, newest first, and how they were. */
export type VerifiedFills = Readonly<{ block: VerifiedBlock; fills: readonly Fill[] }>

/**
 * Asks the newest fills of `account` (a wallet or sub-account) and compares them with the logs of
 * both engines since the oldest of them: each is there with its price, amount, side and fees, and
 * none since is missing. `rest` needs a key of the account.
 *
 * @throws MismatchError with each fill that differs; ChainError when the node cannot say;
 * RangeError when the oldest lies further back than 100 ranges of logs: ask for fewer.
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
  const said = new Map(fills.map((fill) => [fill.trade_id, fill]))
  const ids = [...new Set([...said.keys(), ...chain.keys()])]
  expectSame(
    `fills of ${account} at block ${view.block.number}`,
    ids.flatMap((id) => {
      const fill = said.get(id)
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
  if (row.trade_type === 'funding') throw new UnexpectedAnswerError('/trade-history lists fills')
  return row as Fill
}

type Wanted = Readonly<{ first: string | undefined; number: number }>

async function readFills(
  view: BlockView,
  contracts: VenueContracts,
  { first, number }: Wanted,
): Promise<Logged> {
  const engines = [contracts.spot, contracts.perps].map((engine) => engine.toLowerCase())
  const markets = new Map<string, ChainMarket>()
  const fills: Logged = new Map()
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

type Facts = Readonly<{ market: ChainMarket; placed: Placed }>
/** One account's side of an exchange, by the suffix of its id. */
type Side = Readonly<{ suffix: string; encode(facts: Facts): Record<string, unknown> }>

/** Insurance is account 1: it takes over what is absorbed. */
const INSURANCE = 1

function sidesOf(event: Exchange, number: number): Side[] {
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
  const own = placed.get(`${event.market}|${number}`)
  return {
    // The digest of a maker that was placed before the range is not known.
    ...(own && { order_id: orderId({ market: event.market, number, ref: own.ref }) }),
    instrument_id: market.id,
    side: isBuy ? 'buy' : 'sell',
    price: priceText(market, event.tick),
    amount: amountText(market, event.lots),
    quote_amount: quoteText(market, BigInt(event.tick) * event.lots * market.quotePerLotTick),
    fees: quoteText(market, isMaker ? event.makerFee : event.takerFee),
    liquidity: isMaker ? 'maker' : 'taker',
  }
}

/** Off the book a lot has a price of its own, which need not be a tick. */
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
