// Indexes positions by account, so that valuing an account costs only its own positions and not a
// scan of all markets.
import type { AccountNumber } from './record-schema.ts'
import type { Position } from './records.ts'

/**
 * Positions by account, across all engines. Most accounts have a single position, which is stored
 * without a list: a million one-element lists would take more memory than the positions.
 */
export type AccountPositions = Map<number, Position | Position[]>

const NONE: readonly Position[] = []

/** Returns the positions of `account`, unordered. The list is valid until the next change. */
export function heldPositions(
  { accountPositions }: Readonly<{ accountPositions: AccountPositions }>,
  account: AccountNumber,
): readonly Position[] {
  const positions = accountPositions.get(account)
  if (positions === undefined) return NONE
  return Array.isArray(positions) ? positions : [positions]
}

/** Updates the index from `before` to `after`, two states of one position. */
export function positionChange(
  index: AccountPositions,
  before: Position | undefined,
  after: Position | undefined,
): void {
  const either = after ?? before
  if (either === undefined) return
  const { account, market } = either
  const current = index.get(account)
  if (Array.isArray(current)) changeMany(index, current, { account, market, after })
  else if (current !== undefined && current.market !== market) {
    if (after !== undefined) index.set(account, [current, after])
  } else if (after !== undefined) index.set(account, after)
  else index.delete(account)
}

type Slot = Pick<Position, 'account' | 'market'> & Readonly<{ after: Position | undefined }>

function changeMany(
  index: AccountPositions,
  positions: Position[],
  { account, market, after }: Slot,
): void {
  const at = positions.findIndex((position) => position.market === market)
  if (after !== undefined) {
    if (at < 0) positions.push(after)
    else positions[at] = after
    return
  }
  if (at < 0) return
  const last = positions.pop()
  if (last !== undefined && at < positions.length) positions[at] = last
  const [only] = positions
  if (positions.length === 1 && only !== undefined) index.set(account, only)
}
