// Texts of indicators and drawings.

export const indicators = 'Indicators'
export const findIndicator = 'Search indicators'
export const noIndicator = 'No indicator of this name.'
export const removeIndicator = (name: string) => `Remove ${name}`
export const closeMenu = 'Close'
export const drawings = 'Drawings'
export const drawingHint = 'Click on the chart to draw. Escape cancels.'
export const removeDrawing = 'Remove drawing'
export const removeDrawings = 'Remove all drawings'
export const note = 'Note'
export const noteText = 'Text of a note or a label'
export const indicatorNames = {
  ...{ AO: 'Awesome oscillator', AVP: 'Average price', BBI: 'Bull and bear index' },
  ...{ BIAS: 'Bias from the average', BOLL: 'Bollinger bands', BRAR: 'Emotion index' },
  ...{ CCI: 'Commodity channel index', CR: 'Current ratio', DMA: 'Difference of averages' },
  ...{ DMI: 'Directional movement', EMA: 'Exponential moving average', EMV: 'Ease of movement' },
  ...{ KDJ: 'Stochastic', MA: 'Moving average', MACD: 'Moving average convergence' },
  ...{ MTM: 'Momentum', OBV: 'On-balance volume', PSY: 'Psychological line' },
  ...{ PVT: 'Price and volume trend', ROC: 'Rate of change', RSI: 'Relative strength index' },
  ...{ SAR: 'Parabolic stop and reverse', SMA: 'Smoothed moving average' },
  ...{ TRIX: 'Triple exponential average', VOL: 'Volume', VR: 'Volume ratio' },
  ...{ WR: 'Williams %R' },
} as const
export const drawingTools = {
  ...{ segment: 'Trend line', rayLine: 'Ray', straightLine: 'Extended line' },
  ...{ horizontalStraightLine: 'Horizontal line', horizontalRayLine: 'Horizontal ray' },
  ...{ horizontalSegment: 'Horizontal segment', verticalStraightLine: 'Vertical line' },
  ...{ verticalRayLine: 'Vertical ray', verticalSegment: 'Vertical segment' },
  ...{ priceLine: 'Price line', priceChannelLine: 'Price channel' },
  ...{ parallelStraightLine: 'Parallel lines', fibonacciLine: 'Fibonacci retracement' },
  ...{ brush: 'Brush', simpleAnnotation: 'Note', simpleTag: 'Label on the axis' },
} as const
