// Describes what a halted market accepts, and a venue that accepts no orders.
import type { Network } from '../status/status-protocol.ts'
import type { MarketRow } from './market-protocol.ts'

type TradingState = Network['trading']
type Kind = MarketRow['kind']

/** Returns true unless the venue has reported that it accepts no orders. */
export const isLive = (trading: TradingState): boolean => trading === 'live' || trading === ''

/** Returns why the venue accepts no orders; empty if it does. */
export function closedText(trading: TradingState): string {
  if (trading === 'coming_soon')
    return 'Trading is not live on this network yet. Deposits, withdrawals and cancels work.'
  if (trading === 'cancel_only')
    return 'Maintenance: no new orders. Cancels, deposits and withdrawals work.'
  return ''
}

type MarketPhase = Pick<MarketRow, 'kind' | 'state'>

/** Returns the state of a market for its own column. */
export const stateText = ({ state }: Pick<MarketRow, 'state'>): string =>
  state === 'active' ? state : `▲ ${state}`

/**
 * Returns what an inactive market accepts; empty if it is active. A spot market has no positions,
 * so there is nothing to reduce.
 */
export function stateBanner({ name, kind, state }: MarketPhase & Pick<MarketRow, 'name'>): string {
  if (state === 'active') return ''
  if (state === 'ended')
    return `${name} has ended: no new orders; positions close at the final mark. Orders can be cancelled.`
  return kind === 'PERPETUAL'
    ? `${name} is halted: only reduce-only orders and cancels are accepted.`
    : `${name} is halted: no new orders. Open orders can be cancelled.`
}

/** Returns the order form's warning for an inactive market; empty if it is active. */
export function stoppedOrders({ kind, state }: MarketPhase): string {
  if (state === 'active') return ''
  if (state === 'ended') return ENDED
  return kind === 'PERPETUAL'
    ? 'The market is halted: only reduce-only orders are accepted, so reduce-only is on. Cancels and withdrawals work.'
    : 'The market is halted: no new orders. Cancels and withdrawals work.'
}

const ENDED =
  'The market has ended: no new orders; positions close at the final mark. Cancels work.'

type WithdrawalStops = readonly Pick<MarketRow, 'name' | 'withdrawalsStopped'>[]

const lossMarket = (markets: WithdrawalStops) => markets.find((one) => one.withdrawalsStopped)?.name

/** Returns what is paused, why, and what still works; empty while margin can be withdrawn. */
export function withdrawalsBanner(markets: WithdrawalStops): string {
  const name = lossMarket(markets)
  if (name === undefined) return ''
  return `Margin withdrawals and transfers are paused: a loss in ${name} exceeds the insurance. They resume once it is covered. Trading, cancels, deposits and spot withdrawals still work.`
}

/** Returns why margin cannot be withdrawn; empty while it can. */
export function stoppedMargin(markets: WithdrawalStops): string {
  const name = lossMarket(markets)
  return name === undefined
    ? ''
    : `margin withdrawals are paused until a loss in ${name} is covered`
}

type Side = 'buy' | 'sell'

/** An incomplete order, and the account's position in its market. */
export type OrderIntent = Readonly<{
  kind: Kind
  state: MarketRow['state']
  side: Side
  isReduceOnly: boolean
  /** True for a trigger order: the position that it reduces may not exist yet. */
  isHeld: boolean
  /** Side of the position; empty without one; undefined while unknown. */
  position: Side | '' | undefined
}>

/** Returns why every such order would be refused; empty if one may be accepted. */
export function certainRefusal(meant: OrderIntent): string {
  const { kind, state, side, isReduceOnly, isHeld, position } = meant
  if (kind === 'SPOT' || state === 'ended') return stoppedOrders(meant)
  const isHalted = state === 'halted'
  if (isHalted && !isReduceOnly) return 'The market is halted: turn reduce-only on.'
  if (!isReduceOnly || isHeld || position === undefined) return ''
  if (position === '') return isHalted ? NOTHING_HALTED : NOTHING_TO_REDUCE
  if (position !== side) return ''
  const [held, needed] = position === 'buy' ? ['long', 'sells'] : ['short', 'buys']
  const other = isHalted ? '' : ', or turn reduce-only off'
  return `The position is ${held}: a reducing order ${needed}. Change the side${other}.`
}

/** Same wording as the venue's own refusal, so that duplicates are removed. */
const NOTHING_TO_REDUCE = 'There is no position to reduce. Turn reduce-only off to open one.'
const NOTHING_HALTED = 'There is no position to reduce, and a halted market accepts nothing else.'

type Offer = Readonly<{ title: string; words: string }>

/** The ways to an account; each title is the label of a button. */
export type Offers = Readonly<{
  /** A test wallet, set up from nothing. */
  test: Offer
  /** The remaining steps of a test wallet. */
  goOn: string
  /** Keys for a browser wallet. */
  enable: Offer
  /** Text of the order form without an account. */
  form: string
}>

/** Returns the ways to an account; without live trading they do not promise trades. */
export const offersOf = (trading: TradingState): Offers => (isLive(trading) ? LIVE : CLOSED)

const TEST_WORDS =
  'For test money only: anyone with this browser can use it, and signing out deletes it.'
const FIRST_DEPOSIT = 'The first deposit opens the account.'

const LIVE: Offers = {
  test: {
    title: 'Get test money',
    words: `Creates a wallet in this browser and a key to trade with. ${TEST_WORDS}`,
  },
  goOn: 'Get test money and trade',
  enable: {
    title: 'Enable trading',
    words: `Registers a key that can trade for a week, not withdraw. ${FIRST_DEPOSIT}`,
  },
  form: 'To trade, connect a wallet and enable trading; on a devnet, get test money.',
}

const CLOSED: Offers = {
  test: {
    title: 'Get test money',
    words: `Creates a wallet in this browser and deposits some of the money: orders are not accepted. ${TEST_WORDS}`,
  },
  goOn: 'Get test money and deposit',
  enable: {
    title: 'Deposit and register a key',
    words: `Orders are not accepted; the key cannot withdraw and ends in a week. ${FIRST_DEPOSIT}`,
  },
  form: '',
}
