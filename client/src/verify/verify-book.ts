// Compares an order book of the API with the orders that rest in the contract.
import { lensAbi } from '@openvenue/contracts/abi/lens'
import type { Hex } from 'viem'
import type { OrderBook } from '../../generated/shapes.ts'
import type { ChainRpc } from '../chain/rpc.ts'
import { namedContracts, type VenueContracts } from '../chain/venue-contracts.ts'
import type { Rest } from '../rest/rest.ts'
import { BlockView, type ChainReading, type VerifiedBlock } from './block-view.ts'
import { type ChainMarket, expectName, readMarket } from './contracts.ts'
import { type Compared, expectSame, membersOf } from './differences.ts'

/** How an answer is checked. */
export type VerifyOptions = ChainReading &
  Readonly<{
    /**
     * Where the venue stands. Without it they are asked of `GET /info`, which trusts the venue: it
     * could name contracts of its own. Pin them.
     */
    contracts?: VenueContracts | undefined
  }>

/** A book that the chain has, level by level. */
export type VerifiedBook = Readonly<{ block: VerifiedBlock; market: ChainMarket; book: OrderBook }>

/** Orders of a side that the API reads, and so the chain. */
export const ORDERS_PER_SIDE_MAX = 500n

/**
 * Asks the book of `market`, its name or id, and compares every level with the orders that rest in
 * the contract at the block of the answer, up to 500 a side. A name is looked up in the log of the
 * listing; an id needs no look-up.
 *
 * @throws MismatchError with each level that differs; ChainError when the node cannot say.
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
  const found = await readMarket(view, contracts, id)
  if (!isId) await expectName(view, contracts, { ...found, name: market })
  const resting = await readResting(view, contracts, found)
  const { bids, asks } = answer.body
  expectSame(`book of ${market} at block ${view.block.number}`, [
    ...compareLevels('bids', bids, levelsOf(found, resting.bids)),
    ...compareLevels('asks', asks, levelsOf(found, resting.asks)),
  ])
  return { block: view.block, market: found, book: answer.body }
}

/** An order that rests: its account and number are those of the contracts. */
export type RestingOrder = Readonly<{ order: number; account: number; tick: number; lots: bigint }>

/** Returns the best 500 orders of each side that can still trade, best first. */
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

type Level = OrderBook['bids'][number]

function levelsOf(market: ChainMarket, orders: readonly RestingOrder[]): Level[] {
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

/** A level that only one of both has would shift all that follow: levels are matched by price. */
function compareLevels(side: string, venue: readonly Level[], chain: readonly Level[]): Compared[] {
  const said = new Map(venue.map((level) => [level.price, level]))
  const resting = new Map(chain.map((level) => [level.price, level]))
  const prices = new Set([...said.keys(), ...resting.keys()])
  return [
    ...[...prices].flatMap((price) =>
      membersOf(`${side}[${price}].`, said.get(price), resting.get(price)),
    ),
    [
      `${side}.order`,
      venue.map(({ price }) => price).join(),
      chain.map(({ price }) => price).join(),
    ],
  ]
}
