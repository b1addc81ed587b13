// Selects the endpoints that become tools. A GET is a tool unless it is excluded here; an endpoint
// that changes something is a tool only if it is listed here.

/** Excluded: another tool returns the same data, or it is of no use to a language model. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  getHealth: 'liveness of a process: getReady is more detailed',
  getAbiByFile: 'long, and only useful for sending transactions',
  getInstrumentByInstrumentName: 'getMarketsByInstrumentId',
  getOrderbookByInstrumentName: 'getOrderbook',
  getMarketsByInstrumentIdOrderbook: 'getOrderbook',
  getInstrumentByInstrumentNameTradeHistory: 'getMarketsByInstrumentIdTrades',
  getStatisticsByAssetByInstrumentType: 'getStatistics',
  getFundingByInstrumentName: 'getFunding',
  getFundingHistoryByInstrumentName: 'getFundingHistory',
  getIndexByAsset: 'getIndex',
  getCoingeckoStatistics: 'getTickers, in the form of another site',
  getLastTradedTradingviewHistory: 'getCandles, in the form of a chart',
  getLastTradedTradingviewConfig: 'for charts',
  getLastTradedTradingviewTime: 'getTime',
  getLastTradedTradingviewSymbols: 'for charts',
  getLastTradedTradingviewSearch: 'for charts',
  getLastTradedTradingviewQuotes: 'getTickers, in the form of a chart',
  getAccountTradesCsv: 'getTradeHistory, as a table',
  getAccountTransactionsCsv: 'getTransactionHistory, as a table',
}

/** Cancelling endpoints, with their tool names. */
export const CANCELS: Readonly<Record<string, string>> = {
  deleteOrdersByOrderId: 'cancel_order',
  deleteOrders: 'cancel_orders',
  postAccountCancelAfter: 'cancel_after',
}

/** Paths that repeat the account are aliases: the key determines the account. */
export const isAlias = (path: string): boolean => path.startsWith('/account/{address}')
