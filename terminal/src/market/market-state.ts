// Says in words what a market takes while it is halted, and a venue while it takes no orders.
import type { MarketRow, Network } from '../worker/protocol.ts'

type Trading = Network['trading']
type Kind = MarketRow['kind']

/** Whether the venue takes orders, as far as it has said. */
export const isLive = (trading: Trading): boolean => trading === 'live' || trading === ''

/** Returns why the venue takes no orders; empty where it does. */
export function closedText(trading: Trading): string {
  if (trading === 'coming_soon')
    return 'Trading is not live on this network yet. Deposits, withdrawals and cancels work.'
  if (trading === 'cancel_only')
    return 'Maintenance: no new orders are taken. Cancels, deposits and withdrawals go on.'
  return ''
}

type Traded = Pick<MarketRow, 'kind' | 'state'>

/** Returns the state of a market for a column of its own. */
export const stateText = ({ state }: Pick<MarketRow, 'state'>): string =>
  state === 'active' ? state : `▲ ${state}`

/**
 * Returns what the market takes while it is not active; empty where it is. A spot market has no
 * positions: there is nothing that an order could reduce.
 */
export function stateBanner({ name, kind, state }: Traded & Pick<MarketRow, 'name'>): string {
  if (state === 'active') return ''
  if (state === 'ended')
    return `${name} has ended: it takes no orders, and its positions close at the final mark. Orders can be cancelled.`
  return kind === 'PERPETUAL'
    ? `${name} is halted: only orders that reduce a position are taken, and cancels.`
    : `${name} is halted: no new orders are taken. Orders that rest can be cancelled.`
}

/** Returns what the order form says of such a market; empty where it is active. */
export function stoppedOrders({ kind, state }: Traded): string {
  if (state === 'active') return ''
  if (state === 'ended') return ENDED
  return kind === 'PERPETUAL'
    ? 'The market is halted: only orders that reduce a position are taken, so reduce-only is on. Cancels and withdrawals go on.'
    : 'The market is halted: it takes no new orders. Cancels and withdrawals go on.'
}

const ENDED =
  'The market has ended: it takes no orders, and its positions close at the final mark. Cancels go on.'

type Gated = readonly Pick<MarketRow, 'name' | 'withdrawalsStopped'>[]

const lossMarket = (markets: Gated) => markets.find((one) => one.withdrawalsStopped)?.name

/** Returns what is stopped, why and what still works; empty while margin may leave. */
export function withdrawalsBanner(markets: Gated): string {
  const name = lossMarket(markets)
  if (name === undefined) return ''
  return `Withdrawals and transfers of margin are stopped: a loss in ${name} is more than insurance can carry. They resume once it is covered. Trading, cancels, deposits and spot withdrawals still work.`
}

/** Returns why margin cannot leave; empty while it may. */
export function stoppedMargin(markets: Gated): string {
  const name = lossMarket(markets)
  return name === undefined ? '' : `margin cannot leave until a loss in ${name} is covered`
}

type Side = 'buy' | 'sell'

/** An order before it is typed whole, and what the account holds in its market. */
export type Meant = Readonly<{
  kind: Kind
  state: MarketRow['state']
  side: Side
  isReduceOnly: boolean
  /** It waits for the mark: what it reduces may not be there yet. */
  isHeld: boolean
  /** The side of the position; empty without one; undefined while that is not known. */
  position: Side | '' | undefined
}>

/** Returns why every such order would be refused; empty where one may be taken. */
export function certainRefusal(meant: Meant): string {
  const { kind, state, side, isReduceOnly, isHeld, position } = meant
  if (kind === 'SPOT' || state === 'ended') return stoppedOrders(meant)
  const isHalted = state === 'halted'
  if (isHalted && !isReduceOnly) return 'The market is halted: turn reduce-only on.'
  if (!isReduceOnly || isHeld || position === undefined) return ''
  if (position === '') return isHalted ? NOTHING_HALTED : NOTHING_TO_REDUCE
  if (position !== side) return ''
  const [held, needed] = position === 'buy' ? ['long', 'sells'] : ['short', 'buys']
  const other = isHalted ? '' : ', or turn reduce-only off'
  return `The position is ${held}: an order that reduces it ${needed}. Change the side${other}.`
}

/** As the venue's own refusal is written: it is said once. */
const NOTHING_TO_REDUCE = 'There is no position to reduce. Turn reduce-only off to open one.'
const NOTHING_HALTED = 'There is no position to reduce, and a halted market takes nothing else.'

type Offer = Readonly<{ title: string; words: string }>

/** What leads to an account: each title is that of a button. */
export type Offers = Readonly<{
  /** A test wallet, from nothing. */
  test: Offer
  /** The rest of what a test wallet needs. */
  goOn: string
  /** Keys for a wallet of the browser. */
  enable: Offer
  /** What the order form says without an account. */
  form: string
}>

/** Returns what leads to an account, and promises no trade where there is none. */
export const offersOf = (trading: Trading): Offers => (isLive(trading) ? LIVE : CLOSED)

const TEST_WORDS =
  'It is for play money alone: whoever uses this browser has it, and signing out forgets it.'
const FIRST_DEPOSIT = 'An account begins with its first deposit.'

const LIVE: Offers = {
  test: {
    title: 'Get test money',
    words: `Makes a wallet in this browser and a key that trades for it. ${TEST_WORDS}`,
  },
  goOn: 'Get test money and trade',
  enable: {
    title: 'Enable trading',
    words: `Then a key is registered that trades for a week, and cannot withdraw. ${FIRST_DEPOSIT}`,
  },
  form: 'To trade, connect a wallet and enable trading; on a devnet, get test money.',
}

const CLOSED: Offers = {
  test: {
    title: 'Get test money',
    words: `Makes a wallet in this browser and deposits some of the money: orders are not taken now. ${TEST_WORDS}`,
  },
  goOn: 'Get test money and deposit',
  enable: {
    title: 'Deposit and register a key',
    words: `Orders are not taken now; the key cannot withdraw, and ends in a week. ${FIRST_DEPOSIT}`,
  },
  form: '',
}
