// The resting orders of a market, read from the contract itself.
import { spotAbi } from '@openvenue/contracts/abi/spot'
import type { RestingOrder } from './resting.ts'
import type { ChainRpc } from './rpc.ts'
import { readViews, type View } from './views.ts'

/** Sides are walked to this many levels: the traders keep fewer. */
const LEVELS_MAX = 200
/** `Ticks.NONE_BELOW` and `Ticks.NONE_ABOVE`: no level has these. */
const NONE_BELOW = 0
const NONE_ABOVE = 2 ** 24 - 1

type Book = Readonly<{ rpc: ChainRpc; engine: string; number: number; block: string }>
type Level = Readonly<{ head: number; count: number }>
type Order = Readonly<{ account: number; lots: bigint; next: number; tick: number; flags: number }>
/** `Book.BUY` */
const BUY = 1

/** Returns every order that rests at `block`: bids from the best down, then asks from the best up. */
export async function readBook(
  rpc: ChainRpc,
  engine: string,
  number: number,
  block = 'latest',
): Promise<RestingOrder[]> {
  const book = { rpc, engine, number, block }
  const sides = await Promise.all([
    ticksOf(book, 'tickBelow', NONE_ABOVE),
    ticksOf(book, 'tickAbove', NONE_BELOW),
  ])
  // Bids and asks share the ticks: all of them are met either way.
  const ticks = [...new Set(sides.flat())]
  const levels = (await views(book, 'levelAt', ticks)) as Level[]
  return queuesOf(
    book,
    levels.map(({ head }) => head),
    levels.map(({ count }) => count),
  )
}

async function ticksOf(
  book: Book,
  functionName: 'tickBelow' | 'tickAbove',
  from: number,
): Promise<number[]> {
  const ticks: number[] = []
  for (let tick = from; ticks.length < LEVELS_MAX; ) {
    tick = (await views(book, functionName, [tick]))[0] as number
    if (tick === NONE_BELOW || tick === NONE_ABOVE) break
    ticks.push(tick)
  }
  return ticks
}

/** Follows all queues at once, one place further in each request. */
async function queuesOf(book: Book, heads: readonly number[], counts: readonly number[]) {
  const found: RestingOrder[] = []
  let places = heads.map((number, index) => ({ number, left: counts[index] ?? 0 }))
  while (places.length > 0) {
    const orders = (await views(
      book,
      'orderAt',
      places.map(({ number }) => number),
    )) as Order[]
    for (const [index, { account, lots, tick, flags }] of orders.entries()) {
      const number = places[index]?.number ?? 0
      found.push({ number, account, tick, lots: Number(lots), isBuy: (flags & BUY) !== 0 })
    }
    places = places.flatMap(({ left }, index) =>
      left > 1 ? [{ number: orders[index]?.next ?? 0, left: left - 1 }] : [],
    )
  }
  return found
}

/** Both engines have the same functions for their books. */
const views = ({ rpc, engine, number, block }: Book, functionName: string, args: number[]) =>
  readViews(
    rpc,
    args.map((arg): View => ({ to: engine, abi: spotAbi, functionName, args: [number, arg] })),
    block,
  )
