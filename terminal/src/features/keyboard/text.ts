// Texts of the keyboard shortcuts, their help and the command palette.

// Commands
export const buy = 'Buy'
export const sell = 'Sell'
export const clearOrder = 'Clear the order'
export const cancelOrdersOfMarket = 'Cancel all orders of this market'
export const chooseMarket = 'Choose a market'
export const readMarket = 'Read out the market'
export const keys = 'Keyboard shortcuts'
export const cancelAllOrders = 'Cancel all orders of all markets'
export const closeAllPositions = 'Close all positions'
export const closePosition = (market: string) => `Close the position in ${market}`
export const openMarket = (market: string) => `Open ${market}`
export const showPage = (page: string) => `Show ${page}`

// Announcements
export const noPositionsClosed = 'No positions closed'
export const noOrdersCancelled = 'No orders cancelled'
export const ordersCancelled = (count: number) =>
  count === 1 ? '1 order cancelled' : `${count} orders cancelled`
export const noPosition = 'no position'
export const noPrice = 'none'
export const marketFacts = (
  facts: Readonly<Record<'market' | 'bid' | 'ask' | 'spread' | 'position', string>>,
) =>
  `${facts.market}: bid ${facts.bid}, ask ${facts.ask}, spread ${facts.spread}, ${facts.position}`

// Command palette
export const palette = 'Command palette'
export const command = 'Command'
export const paletteHint = 'Market or command'

// Help
export const allCommands = 'Command palette'
export const bookKeys = 'On a book row: use its price. Arrows move between rows'
export const candleKeys = 'On the chart: previous or next candle, in words'
export const zoomKeys = 'On the chart: zoom in or out'
export const latestCandle = 'On the chart: latest candle'
export const singleKeys = 'Single-key shortcuts'
export const close = 'Close'
