// Texts of the list of markets, of the states of a market and of the venue, and of the ways to an
// account.

// Table of markets
export const title = 'Markets'
export const titleCount = (count: number) => `Markets (${count})`
export const columns = {
  name: 'Market',
  mark: 'Mark',
  change: '24h',
  volume: '24h volume',
  openInterest: 'Open interest',
  funding: 'Funding, 1h',
} as const
export const last = 'Last'
export const kind = 'Kind'
export const state = 'State'
export const sparkColumn = '24 hours'
export const find = 'Find a market'
export const findHint = 'Find'
export const listed = 'Listed markets'
export const menuTabs = {
  ...{ favourites: 'Favourites', all: 'All', perpetuals: 'Perpetuals', spot: 'Spot' },
} as const
export const favourite = (market: string) => `Favourite: ${market}`
export const noMatches = 'No matching markets.'
export const kinds = { SPOT: 'spot', PERPETUAL: 'perpetual' } as const
export const states = { active: 'active', halted: '▲ halted', ended: '▲ ended' } as const

// A venue that accepts no orders
export const comingSoon =
  'Trading is not live on this network yet. Deposits, withdrawals and cancels work.'
export const cancelOnly = 'Maintenance: no new orders. Cancels, deposits and withdrawals work.'

// Banner of an inactive market
export const endedBanner = (market: string) =>
  `${market} has ended: no new orders; positions close at the final mark. Orders can be cancelled.`
export const haltedPerpetualBanner = (market: string) =>
  `${market} is halted: only reduce-only orders and cancels are accepted.`
export const haltedSpotBanner = (market: string) =>
  `${market} is halted: no new orders. Open orders can be cancelled.`

// Order form of an inactive market
export const ended =
  'The market has ended: no new orders; positions close at the final mark. Cancels work.'
export const haltedPerpetual =
  'The market is halted: only reduce-only orders are accepted, so reduce-only is on. Cancels and withdrawals work.'
export const haltedSpot = 'The market is halted: no new orders. Cancels and withdrawals work.'
export const haltedNeedsReduceOnly = 'The market is halted: turn reduce-only on.'

// Orders that are certain to be refused, in the words of the venue, so that duplicates are removed
export const noPosition = 'There is no position to reduce. Turn reduce-only off to open one.'
export const noPositionHalted =
  'There is no position to reduce, and a halted market accepts nothing else.'
export const wrongSide = (position: 'buy' | 'sell', isHalted: boolean) => {
  const [direction, needed] = position === 'buy' ? ['long', 'sells'] : ['short', 'buys']
  const other = isHalted ? '' : ', or turn reduce-only off'
  return `The position is ${direction}: a reducing order ${needed}. Change the side${other}.`
}

// Paused margin withdrawals
export const withdrawalsPaused = (market: string) =>
  `Margin withdrawals and transfers are paused: a loss in ${market} exceeds the insurance. They resume once it is covered. Trading, cancels, deposits and spot withdrawals still work.`
export const marginPaused = (market: string) =>
  `margin withdrawals are paused until a loss in ${market} is covered`

// Ways to an account, while trading is live and while it is not
const testWalletTerms =
  'For test money only: anyone with this browser can use it, and signing out deletes it.'
const firstDeposit = 'The first deposit opens the account.'
export const getTestMoney = 'Get test money'
export const liveTestTerms = `Creates a wallet in this browser and a key to trade with. ${testWalletTerms}`
export const liveContinue = 'Get test money and trade'
export const liveEnable = 'Enable trading'
export const liveEnableTerms = `Registers a key that can trade for a week, not withdraw. ${firstDeposit}`
export const liveForm =
  'To trade, connect a wallet and enable trading; on a devnet, get test money.'
export const closedTestTerms = `Creates a wallet in this browser and deposits some of the money: orders are not accepted. ${testWalletTerms}`
export const closedContinue = 'Get test money and deposit'
export const closedEnable = 'Deposit and register a key'
export const closedEnableTerms = `Orders are not accepted; the key cannot withdraw and expires in a week. ${firstDeposit}`
