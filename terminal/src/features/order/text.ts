// Texts of the order form, its dialogs, and the news of orders.
import type { OrderDraft } from './order-protocol.ts'

/** An amount in a market, as text. */
type Size = Readonly<{ side: OrderDraft['side']; amount: string; market: string }>

// The order form
export const orderForm = 'Order'
export const sideChoice = 'Side'
export const buy = 'Buy'
export const sell = 'Sell'
export const orderType = 'Order type'
export const typeLimit = 'Limit'
export const typeMarket = 'Market'
export const typeStop = 'Stop'
export const typeTakeProfit = 'Take profit'
export const price = 'Price'
export const triggerPrice = 'Trigger'
export const size = 'Size'
/** Prices of the book that a button fills in. */
export const picks = ['Bid', 'Mid', 'Ask'] as const
export const nothing = '–'
export const enterAmountIn = (unit: string) => `Enter it in ${unit}`
export const amountUnit = (unit: string, other: string) => `in ${unit}, enter it in ${other}`
export const buyingPowerShare = 'Share of the maximum position'
export const slippage = 'Slippage'
export const atMark = 'mark'
export const timeInForce = 'Time in force'
export const goodTilCancelled = 'Good til cancelled'
export const immediateOrCancel = 'Immediate or cancel'
export const fillOrKill = 'Fill or kill'
export const goodTilDate = 'Good til date'
export const expires = 'Expires'
export const expiresInWeek = 'In 7 days'
export const expiresAtTime = 'At a date and time'
export const until = 'Until'
export const postOnly = 'Post-only'
export const reduceOnly = 'Reduce-only'
export const exits = 'TP/SL'
export const takeProfit = 'Take profit'
export const stopLoss = 'Stop loss'
export const enterPrice = 'Enter a price, or click a row of the book'
export const turnOff = 'turn it off'
export const useSide = (buyOrSell: string) => `${buyOrSell} instead`
export const useValue = (value: string) => `use ${value}`

// Preview
export const checking = 'asking the venue …'
export const updating = 'updating …'
export const exactAtBlock = (block: string) => `exact at block ${block}`
export const levels = 'levels'
export const estimatedFill = 'Est. filled'
export const ifTriggeredNow = 'if triggered now'
export const filledOf = (filled: string, total: string) => `${filled} of ${total}`
export const resting = 'Resting'
export const cancelled = 'Unfilled (cancelled)'
export const bookTooThin = (amount: string) =>
  `The book cannot fill the whole order within the slippage: ${amount} would be cancelled`
export const averagePrice = 'Est. avg. price'
export const worstFill = 'Worst fill'
export const fee = 'Fee'
export const position = 'Position'
export const marginUsed = 'Margin used'
export const available = 'Available'
export const beforeAfter = (before: string, after: string) => `${before} → ${after}`
export const liquidationPrice = 'Liq. price'
export const noLiquidation = '—'
export const coveredByCollateral = 'collateral covers the whole position'
export const noPositionLeft = 'no position'

// The button, and its warnings
export const placing = 'Signing and sending …'
export const retryIn = (seconds: number) => `Retry in ${seconds} s`
export const orderLost = (order: string) =>
  `The page was reloaded while it sent an order: ${order}. Check Orders and History first.`
export const stalePrices = 'Prices may be outdated.'
export const placeAnyway = 'Place anyway'
export const venueDown = 'No new orders until the venue responds: nothing relays them now.'

// Leverage
export const setLeverage = 'Set leverage'
export const marketLimits = 'Market limits'
export const leverageLabel = 'Leverage'
export const leverageIn = (market: string) => `Leverage in ${market}`
export const leverageMax = (max: string) => `Leverage, max. ${max}×`
export const setLeverageTo = (leverage: string) => `Set ${leverage}×`
export const confirmInWallet = 'Confirm in the wallet …'
export const marginInMarket = 'Margin here'
export const freeMargin = 'Free margin'
export const shortOfMargin = (missing: string) => `Insufficient margin: ${missing} short.`
export const wholeNumberTo = (max: string) => `A whole number from 1 to ${max}`
export const leverageEffect = (market: string, leverage: bigint) =>
  `The wallet sends one transaction, setLeverage(${market}, ${leverage}): it costs gas and moves ` +
  'no funds. Margin for the position and all orders in this market becomes their value ' +
  `divided by ${leverage}. The liquidation price does not change: it depends on the market's maximum.`
export const settingLeverage = (market: string, leverage: number) =>
  `Set leverage in ${market} to ${leverage}×`
export const leverageMarket = 'Market'
export const fundsMoved = 'Funds moved'
export const noFunds = 'none'

// Closing a position
export const closePosition = (market: string) => `Close position in ${market}`
export const amountToClose = 'Amount to close'
export const closeAt = 'Close at'
export const closeAtLimit = 'Limit'
export const closeAtMarket = 'Market, max. slippage 3 %'
export const reversePosition = (market: string) => `Reverse position in ${market}`
export const reverse = 'Reverse'
export const closePercent = (percent: number) => `Close ${percent} %`
export const noPosition = (market: string) => `No open position in ${market}`

// Confirmation of cancels and closes
export const cancelOrders = (count: number) => `Cancel ${count} order${count === 1 ? '' : 's'}`
export const ordersOf = (market: string) => (market === '' ? 'of all markets' : `of ${market}`)
export const ordersInMarket = (market: string, count: number) =>
  `${market}: ${count} order${count === 1 ? '' : 's'}`
export const closePositions = (count: number) => `Close ${count} position${count === 1 ? '' : 's'}`
export const closedAtMarket = 'Each by a reduce-only market order, max. slippage 3 % from the mark.'
export const dontShowAgain = "Don't show again"

// Editing an order
export const editOrder = 'Edit order'
export const editOrderIn = (market: string) => `Edit order in ${market}`
export const editedNow = (words: string) => `Now: ${words}`
export const editTrigger = 'Trigger (mark)'
export const editWorstPrice = 'Price limit'
export const oneSignature = 'One signature cancels the old order and places this one.'
export const modifyOrder = 'Modify order'
export const cancel = 'Cancel'
export const noOrderToEdit = 'The order has ended and cannot be edited.'
export const endedNotModified = 'The order has ended and was not modified.'
/** `filled` is empty if nothing was filled. */
export const alreadyEnded = (status: string, filled: string) =>
  `The order is already ${status}${filled === '' ? '' : `, ${filled} of it filled`}: not modified.`
export const statusNames = {
  ...{ opened: 'open', partial: 'partly filled', pending: 'pending', stop_order: 'untriggered' },
  ...{ filled: 'filled', cancelled: 'cancelled', rejected: 'rejected', expired: 'expired' },
} as const
/** `trigger` and `filled` are empty if there is none. */
export const editedOrder = (
  size: Omit<Size, 'market'>,
  at: Readonly<{ price: string; trigger: string; filled: string }>,
) => {
  const when = at.trigger === '' ? '' : ` when the mark reaches ${at.trigger}`
  const filled = at.filled === '' ? '' : `, ${at.filled} of it filled`
  return `${size.side} ${size.amount} at ${at.price}${when}${filled}`
}
export const alreadyFilled = (filled: string) => `${filled} already filled`
export const alreadyFilledLeft = (words: string, filled: string, left: string) =>
  `${words} ${filled} already filled: ${left} left.`
export const noChanges = 'No changes yet.'
export const unlinksPair = 'If it is one of a pair, its fill no longer cancels the other order'
export const limitBeyondTrigger = 'The price limit is better than the trigger: it may not fill'

// Rules of fields
export const atLeast = (minimum: string) => `At least ${minimum}`
export const atLeastOneStep = (step: string) => `At least one step, ${step}`
export const multipleOf = (step: string) => `Must be a multiple of ${step}`
export const slippageRange = 'Slippage must be above 0 and at most 20 %'
export const chooseTime = 'Choose a date and a time'
export const atLeastOneMinute = 'At least one minute from now'
export const latestTime = 'The contract allows no later time'
export const keyEndsThen = 'The signing key expires then: enable trading again to extend it'
export const noReduceOnlySpot = 'A spot market has no positions to reduce'
export const noPriceToMatch = 'No orders to match, and no mark price'
export const neverRests = (force: string) => `${force} fills immediately and never rests`
export const mustBeAbove = (entry: string) => `Must be above ${entry}`
export const mustBeBelow = (entry: string) => `Must be below ${entry}`
export const alreadyTriggered = 'Trigger price already reached: this order executes immediately'

// Description of what is signed
const capital = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1)
const bound = (buyOrSell: Size['side']) => (buyOrSell === 'buy' ? 'up to' : 'at least')
/** `trigger` is empty without one; `total` is amount times price limit, with its asset. */
export const signedOrder = (
  signed: Size &
    Readonly<Record<'trigger' | 'price' | 'base' | 'total', string> & { rules: readonly string[] }>,
) => {
  const when = signed.trigger === '' ? '' : `Triggers at mark ${signed.trigger}: `
  const size = `${signed.side} ${signed.amount} ${signed.market}`
  const worst = `${bound(signed.side)} ${signed.price} per ${signed.base}, ${signed.total} in total`
  return capital(`${when}${size} for ${worst}; ${signed.rules.join('; ')}.`)
}
export const rulePostOnly = 'post-only'
export const ruleReduceOnly = 'reduce-only'
export const ruleTriggered = 'then immediate or cancel'
export const ruleExpires = (time: string) => `expires ${time}`
export const ruleFillOrKill = 'fill or kill'
export const ruleImmediate = 'immediate or cancel: any unfilled size is cancelled'
export const ruleGoodTilCancelled = 'good til cancelled'
export const ruleGoodTil = (time: string) => `good til ${time}`
export const signedExits = (
  signed: readonly (Pick<Size, 'side'> &
    Readonly<{ isTakeProfit: boolean; trigger: string; price: string }>)[],
) => {
  const each = signed.map((exit) => {
    const kind = exit.isTakeProfit ? 'take profit' : 'stop'
    return `${kind} at mark ${exit.trigger} (for ${bound(exit.side)} ${exit.price})`
  })
  return `Once filled: ${each.join(' or ')}${each.length > 1 ? ', whichever comes first' : ''}.`
}
export const exactCost = (cost: string) => `= ${cost}`
export const costBound = (buyOrSell: Size['side'], cost: string) => `${bound(buyOrSell)} ${cost}`

// News of orders
const sizeOf = (size: Size) => `${size.side} ${size.amount} ${size.market}`
export const newsFilled = (size: Size, average: string) => `Filled: ${sizeOf(size)} at ${average}`
export const newsPartlyFilled = (size: Size, filled: string, average: string) =>
  `Partially filled: ${filled} of ${sizeOf(size)} at ${average}`
export const newsOpen = (size: Size, at: string) => `Open: ${sizeOf(size)} at ${at}`
/** `reason` is empty if it is unknown. */
export const newsCancelled = (size: Size, reason: string) =>
  `Cancelled: ${sizeOf(size)}${inBrackets(reason)}`
export const newsRestCancelled = (size: Size, filled: string, average: string) =>
  `Filled ${filled} of ${sizeOf(size)} at ${average}; the rest is cancelled`
export const newsExpired = (size: Size) => `Expired: ${sizeOf(size)}`
export const newsRejected = (size: Size, reason: string) =>
  `Rejected by the chain: ${sizeOf(size)}${inBrackets(reason)}`
export const newsSubmitted = (size: Size) => `Submitted: ${sizeOf(size)}`
export const newsUntriggered = (size: Size) => `Untriggered: ${sizeOf(size)}`
export const newsEdited = (size: Size, from: string, to: string) =>
  `${newsUntriggered(size)} at ${to} instead of ${from}`
export const newsEditSubmitted = (size: Size, from: string, to: string) =>
  `${newsSubmitted(size)} at ${to} instead of ${from}`
export const placedWithoutStop = (reason: string) => `Order placed without its stop: ${reason}`
export const placedWithoutTakeProfit = (reason: string) =>
  `Order placed without its take profit: ${reason}`
export const notListed = 'The venue does not list this market'
export const unanswered =
  'The venue did not answer: the order may or may not have arrived. Placing it again ' +
  'resends the same order, never a second one.'
const inBrackets = (reason: string) => (reason === '' ? '' : ` (${reason})`)

// The orders placed last
export const placedLast = 'Placed last'
export const signedByVenue = 'Signed by the venue.'
export const outcome = 'The outcome'
export const outcomeIsPublic = 'is in its public ledger ten seconds later;'
export const ledgerCheck = 'check-relay'
export const comparesLedger = 'compares the ledger with the chain.'
export const promiseHeld = (number: string) =>
  `Receipt #${number} · held by the venue until it triggers or its parent fills`
export const promiseBy = (number: string, block: string) =>
  `Receipt #${number} · settles by block ${block}`
export const receiptOrder = 'Order'
export const receiptNumber = 'Number'
export const receiptReceived = 'Received'
export const receiptLane = 'Lane'
export const receiptBlock = 'By block'
export const receiptSignature = 'Signature'

// The chart
export const chartOrder = (
  { side: buyOrSell, amount: remaining }: Omit<Size, 'market'>,
  kind: '' | 'STOP_LOSS' | 'TAKE_PROFIT',
  isPending: boolean,
) => {
  const name = { STOP_LOSS: 'stop ', TAKE_PROFIT: 'take profit ', '': '' }[kind]
  return `${name}${buyOrSell} ${remaining}${isPending ? ', pending' : ''}`
}
export const chartEntry = (buyOrSell: Size['side'], size: string) =>
  `${buyOrSell === 'buy' ? 'long' : 'short'} ${size}, entry`
export const chartLiquidation = 'liquidation'
export const chartFill = (size: string, at: string) => `${size} at ${at}`
