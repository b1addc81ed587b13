// Compares an order book of the API with the resting orders of the contract.
import { lensAbi } from '@openvenue/contracts/abi/lens'
import type { Hex } from 'viem'
import type { OrderBook } from '../../generated/shapes.ts'
import type { ChainRpc } from '../chain/rpc.ts'
import { namedContracts, type VenueContracts } from '../chain/venue-contracts.ts'
import type { Rest } from '../rest/rest.ts'
import { BlockView, type ChainReading, type VerifiedBlock } from './block-view.ts'
import { type ChainMarket, expectName, readMarket } from './contracts.ts'
import { expectSame, type MemberComparison, membersOf } from './differences.ts'

/** Options of a check. */
export type VerifyOptions = ChainReading &
  Readonly<{
    /**
     * Contracts of the venue. The default, from `GET /info`, trusts the venue: it could name
     * contracts of its own. Pin them.
     */
    contracts?: VenueContracts | undefined
  }>

/** A verified book. */
export type VerifiedBook = Readonly<{ block: VerifiedBlock; market: ChainMarket; book: OrderBook }>

/** Maximum number of orders per side that the API, and therefore the check, reads. */
export const ORDERS_PER_SIDE_MAX = 500n

/**
 * Requests the book of `market`, by name or id, and compares every level with the resting orders of
 * the contract at the block of the answer, up to 500 per side. A name is resolved by the listing's
 * log; an id needs no lookup.
 *
 * @throws MismatchError with each level that differs; ChainError if the node fails.
 */
export async function verifyBook(
  rest: Rest,
  rpc: ChainRpc,
  market: string,
  options: VerifyOptions = {},
): Promise<VerifiedBook> {
  const contracts = options.contracts ?? (await namedContracts(rest))
  const { signal } = options
  const isId = market.startsWith('0x')
  const id = isId
    ? market
    : await rest
        .call('GET /markets/{instrument_id}', { path: { instrument_id: market } }, { signal })
        .then((listed) => listed.instrument_id)
  const answer = await rest.ask(
    'GET /orderbook/{instrument_name}',
    { path: { instrument_name: market } },
    { signal },
  )
  const view = await BlockView.of(answer, rpc, options)
  const chainMarket = await readMarket(view, contracts, id)
  if (!isId) await expectName(view, contracts, { ...chainMarket, name: market })
  const resting = await readResting(view, contracts, chainMarket)
  const { bids, asks } = answer.body
  expectSame(`book of ${market} at block ${view.block.number}`, [
    ...compareLevels('bids', bids, levelsOf(chainMarket, resting.bids)),
    ...compareLevels('asks', asks, levelsOf(chainMarket, resting.asks)),
  ])
  return { block: view.block, market: chainMarket, book: answer.body }
}

/** A resting order with the account and order numbers of the contracts. */
export type RestingOrder = Readonly<{ order: number; account: number; tick: number; lots: bigint }>

/** Returns the best 500 orders per side that can still trade, best first. */
export async function readResting(
  view: BlockView,
  { lens }: VenueContracts,
  { engine, number }: Pick<ChainMarket, 'engine' | 'number'>,
): Promise<Readonly<{ bids: readonly RestingOrder[]; asks: readonly RestingOrder[] }>> {
  const [bids, asks] = await view.read({
    address: lens as Hex,
    abi: lensAbi,
    functionName: 'books',
    args: [engine as Hex, number, ORDERS_PER_SIDE_MAX],
  })
  return { bids, asks }
}

type BookLevel = OrderBook['bids'][number]

function levelsOf(market: ChainMarket, orders: readonly RestingOrder[]): BookLevel[] {
  const levels = new Map<number, { lots: bigint; orders: number }>()
  for (const { tick, lots } of orders) {
    const level = levels.get(tick) ?? { lots: 0n, orders: 0 }
    levels.set(tick, { lots: level.lots + lots, orders: level.orders + 1 })
  }
  return [...levels].map(([tick, level]) => ({
    price: String(BigInt(tick) * market.priceStep),
    amount: String(level.lots * market.amountStep),
    orders: level.orders,
  }))
}

/** Matches levels by price: an index would report every level after a missing one. */
function compareLevels(
  side: string,
  venue: readonly BookLevel[],
  chain: readonly BookLevel[],
): MemberComparison[] {
  const served = new Map(venue.map((level) => [level.price, level]))
  const resting = new Map(chain.map((level) => [level.price, level]))
  const prices = new Set([...served.keys(), ...resting.keys()])
  return [
    ...[...prices].flatMap((price) =>
      membersOf(`${side}[${price}].`, served.get(price), resting.get(price)),
    ),
    [
      `${side}.order`,
      venue.map(({ price }) => price).join(),
      chain.map(({ price }) => price).join(),
    ],
  ]
}
