// Checks after a drill that every socket has resubscribed, has every event exactly once, and that
// its book equals that of REST.
import { type EngineEvent, fillsIn, readEvents, tradesIn } from '@openvenue/e2e/fill-log'
import { formatUnits } from 'viem'
import { TimedOut, until } from '../servers/until.ts'
import { blockInId, bookText, type Rows } from '../users/folds.ts'
import { type Follower, MARKET, type Users } from '../users/users.ts'
import type { Venue } from '../venue/venue.ts'

const CAUGHT_UP_MS_MAX = 30_000
const SHOWN_MAX = 3
const DECIMALS = 18
/** ETH-PERP is the first market of its engine. */
const MARKET_NUMBER = 1
const BOOKS_EQUAL = 2

/** Throws when a socket has missing or duplicate rows, or another book. */
export async function checkSockets(venue: Venue, users: Users): Promise<void> {
  const { chain } = venue.parts
  const block = await chain.head()
  const logged = await readEvents(chain.rpc, chain.deployment)
  for (const follower of users.followers) {
    await checkRows(follower, { users, venue, logged, block })
    checkDuplicates(follower)
    await checkBook(follower, venue)
  }
}

type ChainState = Readonly<{
  users: Users
  venue: Venue
  logged: readonly EngineEvent[]
  block: number
}>

async function checkRows({ user, trades, fills }: Follower, state: ChainState): Promise<void> {
  const { users, venue, logged, block } = state
  const { perps } = venue.parts.chain.deployment
  const comparisons = [
    ['trades', trades, tradesIn(logged, perps, MARKET_NUMBER)],
    ['fills', fills, fillsIn(logged, users.account)],
  ] as const
  for (const [rowKind, rows, ids] of comparisons) {
    const isComplete = () => describeDifference(rows, ids, block) === undefined
    await until('every row is received', isComplete, CAUGHT_UP_MS_MAX).catch((error: unknown) => {
      if (!(error instanceof TimedOut)) throw error
      const difference = describeDifference(rows, ids, block)
      throw new Error(`${user.transport}: ${rowKind} differ from the chain (${difference})`)
    })
    await rows.filling
  }
}

/** Compares the blocks from the first subscription to `block`; undefined when they are equal. */
function describeDifference(
  rows: Rows,
  expected: readonly string[],
  block: number,
): string | undefined {
  const { sinceBlock = 0 } = rows
  const isInRange = (id: string) => blockInId(id) > sinceBlock && blockInId(id) <= block
  const expectedIds = new Set(expected.filter(isInRange))
  const actualIds = new Set([...rows.ids].filter(isInRange))
  const missing = [...expectedIds].filter((id) => !actualIds.has(id))
  const wrong = [...actualIds].filter((id) => !expectedIds.has(id))
  if (missing.length + wrong.length === 0) return undefined
  const shown = [...missing, ...wrong].slice(0, SHOWN_MAX).join(', ')
  return `${missing.length} of ${expectedIds.size} missing, ${wrong.length} wrong: ${shown}`
}

function checkDuplicates({ user, trades, fills, book }: Follower): void {
  for (const [rowKind, { doubled }] of [
    ['trades', trades],
    ['fills', fills],
  ] as const)
    if (doubled.length > 0)
      throw new Error(`${user.transport}: duplicate ${rowKind} (${doubled.slice(0, SHOWN_MAX)})`)
  if (book.wrongChecksums > 0)
    throw new Error(`${user.transport}: ${book.wrongChecksums} wrong checksums`)
}

type RestLevel = Readonly<{ price: string; amount: string }>

/** A lagging book may catch up; a different book at the same block is wrong. */
async function checkBook({ user, book }: Follower, { parts }: Venue): Promise<void> {
  const equal = new Set<number>()
  const isDecided = async () => {
    for (const { url } of parts.apis) {
      const { block, text } = await bookAt(url)
      const seen = [...book.texts.keys()].filter((number) => number <= block)
      const newest = Math.max(...seen)
      if (book.texts.get(newest) === text) equal.add(block)
      else if (newest === block) return true
    }
    return equal.size >= BOOKS_EQUAL
  }
  await until(`${user.transport}: the folded book equals that of REST`, isDecided, CAUGHT_UP_MS_MAX)
  if (equal.size < BOOKS_EQUAL)
    throw new Error(`${user.transport}: the folded book differs from REST at the same block`)
}

/** Returns a node's book over REST, in human units. */
async function bookAt(apiUrl: string): Promise<Readonly<{ block: number; text: string }>> {
  const response = await fetch(new URL(`/orderbook/${MARKET}`, apiUrl))
  const { bids, asks } = (await response.json()) as { bids: RestLevel[]; asks: RestLevel[] }
  const human = (side: RestLevel[]) =>
    side.map(({ price, amount }) =>
      [price, amount].map((raw) => formatUnits(BigInt(raw), DECIMALS)),
    )
  const block = Number(response.headers.get('x-block-number'))
  return { block, text: bookText(human(bids), human(asks)) }
}
