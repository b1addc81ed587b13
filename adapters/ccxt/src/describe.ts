// Describes the venue for ccxt: its features, addresses and limits.
import { EXACT } from './exceptions.ts'
import { REST_API } from './rest-api.ts'

/** Timeframes of ccxt with the venue's resolutions. */
export const TIMEFRAMES: Readonly<Record<string, string>> = {
  '1m': '1',
  '3m': '3',
  '5m': '5',
  '15m': '15',
  '30m': '30',
  '1h': '60',
  '2h': '120',
  '4h': '240',
  '6h': '360',
  '8h': '480',
  '12h': '720',
  '1d': '1D',
  '3d': '3D',
  '1w': '1W',
  '1M': '1M',
}

/** Venue of `npm start`; set `urls.api.rest` of the constructor for another. */
const LOCAL_URL = 'http://127.0.0.1:3000'
/** The venue's default limit is 600 requests in 60 s per address. */
const RATE_LIMIT_MS = 100
/** Ping interval. The venue closes a socket after 15 minutes without an operation. */
const KEEP_ALIVE_MS = 15_000

const KINDS = {
  CORS: true,
  dex: true,
  spot: true,
  swap: true,
  margin: false,
  future: false,
  option: false,
  sandbox: false,
  publicAPI: true,
  privateAPI: true,
  ws: true,
}

const MARKET_DATA = {
  fetchCurrencies: true,
  fetchFundingHistory: true,
  fetchFundingInterval: false,
  fetchFundingRate: true,
  fetchFundingRateHistory: true,
  fetchFundingRates: true,
  fetchIndexOHLCV: true,
  fetchMarkOHLCV: true,
  fetchMarkets: true,
  fetchOHLCV: true,
  fetchOpenInterest: true,
  fetchOrderBook: true,
  fetchPremiumIndexOHLCV: false,
  fetchStatus: true,
  fetchTicker: true,
  fetchTickers: true,
  fetchTime: true,
  fetchTrades: true,
}

const ACCOUNT = {
  fetchBalance: true,
  fetchLeverage: true,
  fetchLeverages: true,
  fetchLeverageTiers: true,
  fetchMarketLeverageTiers: 'emulated',
  fetchPosition: true,
  fetchPositions: true,
  fetchPositionMode: true,
  fetchTradingFee: 'emulated',
  fetchTradingFees: true,
  fetchDeposits: true,
  fetchWithdrawals: true,
  setLeverage: true,
  setMarginMode: true,
  setPositionMode: false,
  deposit: false,
  fetchDepositAddress: false,
  transfer: false,
  withdraw: false,
}

const ORDERS = {
  cancelAllOrders: true,
  cancelAllOrdersAfter: true,
  cancelOrder: true,
  cancelOrders: true,
  closePosition: true,
  createLimitOrder: true,
  createMarketOrder: true,
  createOrder: true,
  createOrders: true,
  createPostOnlyOrder: true,
  createReduceOnlyOrder: true,
  createStopLimitOrder: true,
  createStopLossOrder: true,
  createStopMarketOrder: true,
  createStopOrder: true,
  createTakeProfitOrder: true,
  createTriggerOrder: true,
  createMarketBuyOrderWithCost: false,
  createTrailingAmountOrder: false,
  createTrailingPercentOrder: false,
  editOrder: true,
  fetchCanceledAndClosedOrders: true,
  fetchCanceledOrders: true,
  fetchClosedOrders: true,
  fetchMyTrades: true,
  fetchOpenOrders: true,
  fetchOrder: true,
  fetchOrders: false,
  fetchOrderTrades: true,
}

const SOCKETS = {
  createOrderWs: false,
  watchBalance: true,
  watchMyTrades: true,
  watchOHLCV: true,
  watchOrderBook: true,
  watchOrders: true,
  watchPositions: true,
  watchTicker: true,
  watchTickers: false,
  watchTrades: true,
}

/** Description of the adapter, which ccxt merges into the defaults of every exchange. */
export const DESCRIPTION = {
  id: 'openvenue',
  name: 'openvenue',
  countries: [],
  version: '1',
  rateLimit: RATE_LIMIT_MS,
  pro: true,
  dex: true,
  has: { ...KINDS, ...MARKET_DATA, ...ACCOUNT, ...ORDERS, ...SOCKETS },
  timeframes: TIMEFRAMES,
  urls: { api: { rest: LOCAL_URL } },
  api: REST_API,
  requiredCredentials: { apiKey: true, secret: true, walletAddress: false, privateKey: false },
  exceptions: { exact: EXACT },
  streaming: { keepAlive: KEEP_ALIVE_MS },
  options: {
    /** Balance that `fetchBalance` reads: `swap` is margin, `spot` the tokens of spot markets. */
    defaultType: 'swap',
    /** Maximum distance of a market order from the best price, as a fraction. */
    slippage: '0.05',
    /** Lifetime of signed orders and cancels, seconds. */
    deadlineSeconds: 3600,
    /** Cost of a socket operation in requests: 20 operations a second. */
    ws: { cost: 0.5 },
  },
}
