// The positions of each account, so that what an account is worth costs its own positions and not
// the markets of the venue.
import type { AccountNumber } from './record-schema.ts'
import type { Position } from './records.ts'

/**
 * By account, of all engines. Most accounts have one position, which stands for itself: a million
 * lists of one would weigh more than what they hold.
 */
export type AccountPositions = Map<number, Position | Position[]>

const NONE: readonly Position[] = []

/** Returns the positions of `account`, in no order. The list is valid until the next change. */
export function heldPositions(
  { accountPositions }: Readonly<{ accountPositions: AccountPositions }>,
  account: AccountNumber,
): readonly Position[] {
  const held = accountPositions.get(account)
  if (held === undefined) return NONE
  return Array.isArray(held) ? held : [held]
}

/** Moves `index` from holding `before` to holding `after`, two states of one position. */
export function positionChange(
  index: AccountPositions,
  before: Position | undefined,
  after: Position | undefined,
): void {
  const either = after ?? before
  if (either === undefined) return
  const { account, market } = either
  const held = index.get(account)
  if (Array.isArray(held)) changeMany(index, held, { account, market, after })
  else if (held !== undefined && held.market !== market) {
    if (after !== undefined) index.set(account, [held, after])
  } else if (after !== undefined) index.set(account, after)
  else index.delete(account)
}

type Slot = Pick<Position, 'account' | 'market'> & Readonly<{ after: Position | undefined }>

function changeMany(
  index: AccountPositions,
  held: Position[],
  { account, market, after }: Slot,
): void {
  const at = held.findIndex((position) => position.market === market)
  if (after !== undefined) {
    if (at < 0) held.push(after)
    else held[at] = after
    return
  }
  if (at < 0) return
  const last = held.pop()
  if (last !== undefined && at < held.length) held[at] = last
  const [only] = held
  if (held.length === 1 && only !== undefined) index.set(account, only)
}
