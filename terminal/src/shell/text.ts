// Texts of the page's frame: header, banners, tabs and the order sheet.
export const skipToPage = 'Skip to the page'
export const brand = 'openvenue'

// The market and its prices
export const market = 'Market'
export const chooseMarket = 'Choose a market (/)'
export const favourites = 'Favourite markets'
export const unknownMarket = (asked: string, shown: string) =>
  `There is no market ${asked} here: ${shown} is shown.`
export const last = 'Last'
export const mark = 'Mark'
export const change = '24h'
export const index = 'Index'
export const high = '24h high'
export const low = '24h low'
export const volume = '24h volume'
export const openInterest = 'Open interest'
export const funding = 'Funding, 1h'
export const showLess = 'Less'
export const showMore = 'More'

// Freshness of the data
export const networkOf = (network: string) => `The venue's network: ${network}`
export const loadingChain = '▲ loading from the chain …'
export const chain = 'chain'
export const chainTerms = "Read from the contracts, without the venue's API"
export const chainAge = (block: string, age: string) => ` · block ${block} · ${age} old`
export const connecting = 'connecting …'
export const catchingUp = '▲ catching up …'
export const noAnswer = '▲ no answer, trying again'
export const connectionLost = '▲ connection lost, reconnecting'
export const delayed = '▲ Delayed'
export const block = 'block'
export const exact = '✓ exact'
export const exactTerms = 'Book checksum verified on every update'

// Banners
export const passingConnecting = '… Connecting to the venue'
export const passingResync = '… Reconnected: catching up'
export const passingStale = '▲ Live data delayed'
export const passingLost = '▲ Connection lost: data is outdated. Reconnecting'
export const venueDown =
  'The venue does not respond. Data is outdated. Open orders stay on the chain; this page resumes once the venue responds.'
/** Lists the functions that work without the API, and those that do not. */
export const chainOnly =
  'The venue does not respond: this page uses the chain only. Book, orders, positions and balances are read from its contracts; your wallet can cancel, close and withdraw. No new orders, candles, trades or history until the venue is back.'
export const chainOld = 'The chain node sends nothing new: data is from the block shown.'
export const chainUnread = (reason: string) =>
  `The chain can't be read now: ${reason}. Trying again.`
export const notLive = 'Trading is not live on this network yet: look around.'
export const cancelsOnly = 'Maintenance: cancels only.'
export const partMissing =
  'A part of this page could not be loaded; retrying. If the venue has a new version, reload the page.'
export const updatesPaused = 'Updates are paused: resume them before you trade.'
export const liquidatable = 'The account may be liquidated now.'
export const nearLiquidation = 'Liquidation is near.'
export const marginUsed = (share: string) => `Maintenance margin is ${share} of equity.`
export const depositOrClose = 'Deposit margin, or close a part of a position.'

// Views
export const views = 'Views'
export const chart = 'Chart'
export const book = 'Book'
export const trades = 'Trades'
export const positions = 'Positions'
export const account = 'Account'
export const panelHeight = 'Height of the panel below'

// The order sheet
export const order = 'Order'
export const buy = 'Buy'
export const sell = 'Sell'
export const goToAccount = 'Go to your account to begin'
export const closeForm = 'Close the order form'
