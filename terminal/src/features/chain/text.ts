// Texts of the display from the chain, and of the transactions sent while the API is down.

export const chain = (id: number) => `chain ${id}`
export const unnamedToken = (number: number) => `token ${number}`
export const unnamedMarket = (number: number) => `market ${number}`
export const ageSeconds = (seconds: number) => `${seconds} s`
export const ageMinutes = (minutes: number) => `${minutes} min`
export const ageHours = (hours: number) => `${hours} h`

// Rows
export const sides = { buy: '▲ buy', sell: '▼ sell' } as const
export const limit = 'limit'
export const limitReduceOnly = 'limit reduce-only'
export const resting = 'open'
export const orderLine = (isBuy: boolean, amount: string) => `${isBuy ? 'buy' : 'sell'} ${amount}`

// Transactions
export const cancelOrder = (order: string) => `Cancel ${order}`
export const cancelOrders = (count: number, market: string) => `Cancel ${count} orders of ${market}`
export const order = (isBuy: boolean, size: string, price: string) =>
  `${isBuy ? 'buy' : 'sell'} ${size} at ${price}`
export const closePosition = (market: string, isBuy: boolean, amount: string) =>
  `Close ${market}: ${isBuy ? 'buy' : 'sell'} ${amount}`
export const market = 'Market'
export const orderName = 'Order'
export const closes = 'Closes'
export const positionIn = (market: string) => `your position in ${market}`
export const closingOrder = (isBuy: boolean, size: string) => `${isBuy ? 'Buy' : 'Sell'} ${size}`
export const price = 'Price'
export const priceBound = (isBuy: boolean, price: string) =>
  `${isBuy ? 'at most' : 'at least'} ${price}`
export const mark = 'Mark'
export const rules = 'Rules'
export const closingRules = 'reduce-only; immediate or cancel; the rest stays open'
export const noMark = (market: string) => `no mark price for ${market}`
export const notOnChain = 'not available from the chain'

// Problems of the node
export const noMarkets = 'the contracts list no market'
export const noUnits = (market: number, engine: string) =>
  `market ${market} of ${engine} has no units`
export const noBlock = 'the node has no newest block'
