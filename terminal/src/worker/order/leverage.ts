// Computes what another leverage changes, exactly as the contract does: the margin that a market's
// position and resting orders ask for, and what is free of the account.
import { fromRaw, type shapes, toRaw, toSteps } from 'openvenue'

const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)

type Side = 'buy' | 'sell'
type Held = Readonly<{ instrument_name: string; side: Side; amount: string }>
type Resting = Readonly<{ instrument_name: string; side: Side; remaining: string }>

export type LeverageQuestion = Readonly<{
  market: Pick<shapes.Market, 'instrument_name' | 'amount_step' | 'mark_price'>
  account: Pick<shapes.Account, 'equity' | 'initial_margin'>
  positions: readonly Held[]
  /** Those in the book. */
  orders: readonly Resting[]
}>

/** Decimal text. */
export type LeverageEffect = Readonly<{ margin: string; free: string; missing: string }>

/** Returns what an account's margin is at a leverage; undefined while a mark is not known. */
export function leverageEffect(
  question: LeverageQuestion,
  { from, to }: Readonly<{ from: bigint; to: bigint }>,
): Readonly<{ before: LeverageEffect; after: LeverageEffect }> | undefined {
  const { market, account } = question
  const { equity, initial_margin: initial } = account
  if (market.mark_price === null || equity === null || initial === null) return undefined
  const worth = exposureLots(question) * markPerLotDown(market.mark_price, market.amount_step)
  const others = raw(initial) - ceilDiv(worth, from)
  const at = (leverage: bigint): LeverageEffect => {
    const margin = ceilDiv(worth, leverage)
    const free = raw(equity) - others - margin
    return {
      margin: fromRaw(margin, DECIMALS),
      free: fromRaw(free > 0n ? free : 0n, DECIMALS),
      missing: fromRaw(free < 0n ? -free : 0n, DECIMALS),
    }
  }
  return { before: at(from), after: at(to) }
}

/** The lots that margin is asked for: as if the larger side of the orders had filled. */
function exposureLots({ market, positions, orders }: LeverageQuestion): bigint {
  const name = market.instrument_name
  const lots = (amount: string) => toSteps(amount, market.amount_step, 'down')
  const position = positions.find((one) => one.instrument_name === name)
  const held = position === undefined ? 0n : lots(position.amount)
  const signed = position?.side === 'sell' ? -held : held
  const resting = (side: Side) =>
    orders
      .filter((one) => one.instrument_name === name && one.side === side)
      .reduce((all, { remaining }) => all + lots(remaining), 0n)
  return larger(abs(signed + resting('buy')), abs(signed - resting('sell')))
}

const raw = (text: string): bigint => toRaw(text, DECIMALS)
const abs = (value: bigint): bigint => (value < 0n ? -value : value)
/** `Math.max` has no bigint. */
const larger = (a: bigint, b: bigint): bigint => [a, b].reduce((x, y) => (x > y ? x : y))
const ceilDiv = (value: bigint, by: bigint): bigint => (value + by - 1n) / by
const markPerLotDown = (mark: string, step: string): bigint => (raw(mark) * raw(step)) / ONE
