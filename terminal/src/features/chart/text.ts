// Texts of the chart.

export const title = 'Chart'
export const views = 'Chart view'
export const priceTab = 'price'
export const depthTab = 'depth'
export const fundingTab = 'funding'
export const lines = 'Lines'
export const lineNames = { mark: 'mark', index: 'index' } as const
export const interval = 'Candle interval'
export const allIntervals = 'All candle intervals'
export const intervals = {
  ...{ '1': '1m', '3': '3m', '5': '5m', '15': '15m', '30': '30m', '60': '1h', '120': '2h' },
  ...{ '240': '4h', '360': '6h', '480': '8h', '720': '12h' },
  ...{ '1D': '1D', '3D': '3D', '1W': '1W', '1M': '1M' },
} as const

export const look = 'Chart options'
export const chartType = 'Chart type'
export const chartTypes = {
  ...{ candles: 'Candles', hollow: 'Hollow', bars: 'Bars', area: 'Area' },
} as const
export const scale = 'Price scale'
export const scales = { linear: 'Linear', log: 'Log', percent: 'Percent' } as const
export const indicators = 'Indicators'
export const drawings = 'Drawings'
export const fullScreen = 'Full screen'

// Candles
export const candles = 'Candles: arrow keys move, + and − zoom, End shows the latest'
export const visibleRange = 'Visible range'
export const moreCandles = 'More candles'
export const fewerCandles = 'Fewer candles'
export const tallerCandles = 'Taller candles'
export const lowerCandles = 'Lower candles'
export const earlierCandles = 'Earlier candles'
export const laterCandles = 'Later candles'
export const toLatest = 'To the latest candle'
export const open = 'O'
export const high = 'H'
export const low = 'L'
export const close = 'C'
export const change = 'Change'
export const volume = 'Volume'
export const spokenCandle = (
  time: string,
  candle: Readonly<Record<'open' | 'high' | 'low' | 'close' | 'change' | 'volume', string>>,
) =>
  `${time}: open ${candle.open}, high ${candle.high}, low ${candle.low}, close ${candle.close}, change ${candle.change}, volume ${candle.volume}`
export const orderAtPrice = 'Order at this price'
export const buyLimit = (price: string) => `Buy limit ${price}`
export const sellLimit = (price: string) => `Sell limit ${price}`
export const buyStop = (price: string) => `Buy stop ${price}`
export const sellStop = (price: string) => `Sell stop ${price}`
export const editOrder = (order: string, price: string) => `edit ${order} at ${price}`
export const dragHint = 'Drag to another price, or press to enter one'

// Depth
export const span = 'Distance from mid'
export const spanOf = (percent: string) => (percent === 'all' ? 'all' : `±${percent} %`)
export const emptySide = 'none'
export const bidsTo = (depth: string) => `bids to ${depth}`
export const asksTo = (depth: string) => `asks to ${depth}`
export const bothSides = (bids: string, asks: string) => `bids to ${bids} · asks to ${asks}`

// Funding
export const averageFunding = (hours: number, hourly: string, yearly: string) =>
  `average of ${hours} hours: ${hourly} per hour, ${yearly} per year`
export const noFunding = 'No funding settled yet.'
export const fundingTerms = 'Longs pay shorts hourly when the rate is above zero.'
export const fundingHours = 'Funding by hour'
export const hourUntil = 'Hour until'
export const hourlyRate = 'Rate, 1h'
export const yearlyRate = 'Rate, 1y'
export const mark = 'Mark'
