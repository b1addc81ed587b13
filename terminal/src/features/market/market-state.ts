// Describes what a halted market accepts, and a venue that accepts no orders.
import type { OrderSide } from 'openvenue'
import type { NetworkStatus } from '../status/status-protocol.ts'
import type { MarketRow } from './market-protocol.ts'
import * as text from './text.ts'

type TradingState = NetworkStatus['trading']
type MarketKind = MarketRow['kind']

/** Returns true unless the venue has reported that it accepts no orders. */
export const isLive = (trading: TradingState): boolean => trading === 'live' || trading === ''

/** Returns why the venue accepts no orders; empty if it does. */
export function closedText(trading: TradingState): string {
  if (trading === 'coming_soon') return text.comingSoon
  return trading === 'cancel_only' ? text.cancelOnly : ''
}

type MarketPhase = Pick<MarketRow, 'kind' | 'state'>

/** Returns the state of a market for its own column. */
export const stateText = ({ state }: Pick<MarketRow, 'state'>): string => text.states[state]

/**
 * Returns what an inactive market accepts; empty if it is active. A spot market has no positions,
 * so there is nothing to reduce.
 */
export function stateBanner({ name, kind, state }: MarketPhase & Pick<MarketRow, 'name'>): string {
  if (state === 'active') return ''
  if (state === 'ended') return text.endedBanner(name)
  return kind === 'PERPETUAL' ? text.haltedPerpetualBanner(name) : text.haltedSpotBanner(name)
}

/** Returns the order form's warning for an inactive market; empty if it is active. */
export function stoppedOrders({ kind, state }: MarketPhase): string {
  if (state === 'active') return ''
  if (state === 'ended') return text.ended
  return kind === 'PERPETUAL' ? text.haltedPerpetual : text.haltedSpot
}

type WithdrawalStops = readonly Pick<MarketRow, 'name' | 'withdrawalsStopped'>[]

const lossMarket = (markets: WithdrawalStops) =>
  markets.find((market) => market.withdrawalsStopped)?.name

/** Returns what is paused, why, and what still works; empty while margin can be withdrawn. */
export function withdrawalsBanner(markets: WithdrawalStops): string {
  const name = lossMarket(markets)
  return name === undefined ? '' : text.withdrawalsPaused(name)
}

/** Returns why margin cannot be withdrawn; empty while it can. */
export function stoppedMargin(markets: WithdrawalStops): string {
  const name = lossMarket(markets)
  return name === undefined ? '' : text.marginPaused(name)
}

/** An incomplete order, and the account's position in its market. */
export type OrderIntent = Readonly<{
  kind: MarketKind
  state: MarketRow['state']
  side: OrderSide
  isReduceOnly: boolean
  /** True for a trigger order: the position that it reduces may not exist yet. */
  isHeld: boolean
  /** Side of the position; empty without one; undefined while unknown. */
  position: OrderSide | '' | undefined
}>

/** Returns why every such order would be refused; empty if one may be accepted. */
export function certainRefusal(intent: OrderIntent): string {
  const { kind, state, side, isReduceOnly, isHeld, position } = intent
  if (kind === 'SPOT' || state === 'ended') return stoppedOrders(intent)
  const isHalted = state === 'halted'
  if (isHalted && !isReduceOnly) return text.haltedNeedsReduceOnly
  if (!isReduceOnly || isHeld || position === undefined) return ''
  if (position === '') return isHalted ? text.noPositionHalted : text.noPosition
  return position === side ? text.wrongSide(position, isHalted) : ''
}

type AccountOffer = Readonly<{ title: string; words: string }>

/** The ways to an account; each title is the label of a button. */
export type Offers = Readonly<{
  /** A test wallet, set up from nothing. */
  test: AccountOffer
  /** The remaining steps of a test wallet. */
  goOn: string
  /** Keys for a browser wallet. */
  enable: AccountOffer
  /** Text of the order form without an account. */
  form: string
}>

/** Returns the ways to an account; without live trading they do not promise trades. */
export const offersOf = (trading: TradingState): Offers => (isLive(trading) ? LIVE : CLOSED)

const LIVE: Offers = {
  test: { title: text.getTestMoney, words: text.liveTestTerms },
  goOn: text.liveContinue,
  enable: { title: text.liveEnable, words: text.liveEnableTerms },
  form: text.liveForm,
}

const CLOSED: Offers = {
  test: { title: text.getTestMoney, words: text.closedTestTerms },
  goOn: text.closedContinue,
  enable: { title: text.closedEnable, words: text.closedEnableTerms },
  form: '',
}
