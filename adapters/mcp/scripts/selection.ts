// Says which endpoints are tools. A GET is one unless it is listed here; what changes something is
// none unless it is listed here.

/** The same answers are to be had from another tool, or they are nothing for a language model. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  getHealth: 'liveness of a process: getReady says more',
  getAbiByFile: 'long, and of no use to whoever sends no transactions',
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

/** What takes orders away, with names that say so. */
export const CANCELS: Readonly<Record<string, string>> = {
  deleteOrdersByOrderId: 'cancel_order',
  deleteOrders: 'cancel_orders',
  postAccountCancelAfter: 'cancel_after',
}

/** The key decides the account: paths that name it as well answer the same. */
export const isAlias = (path: string): boolean => path.startsWith('/account/{address}')
