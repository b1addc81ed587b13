// Texts of the account panel, of its wallet, and of the rows of its tables.

export const title = 'Account'
export const connecting = 'Connecting …'
export const loadingAccount = 'Loading account …'
export const isConnected = (wallet: string) => `${wallet} is connected.`

// Enabling trading
export const firstDeposit = 'Deposit USDC as margin'
export const firstDepositHint = 'none'
export const getTestMoney = 'Get test money'
export const stepStates = {
  waiting: 'waiting',
  now: 'in progress',
  done: 'done',
  failed: 'failed',
} as const

// Summary
export const equity = 'Equity'
export const free = 'Available'
export const unrealizedPnl = 'Unrealized PnL'
export const initialMargin = 'Initial margin'
export const maintenanceMargin = 'Maintenance margin'
export const marginRatio = 'Margin ratio'
export const marginRatioTerms =
  'Maintenance margin as a share of equity: at 100 % positions may be liquidated'
export const warnings = {
  '': '',
  near: '▲ liquidation is near',
  liquidatable: '▲ may be liquidated now',
} as const
export const balances = 'Balances'
export const balanceColumns = ['Balance', 'Total', 'Available']
export const balanceKinds = { margin: 'margin', spot: 'spot' } as const
export const buyingPower = 'Buying power'
export const buyingPowerAt = (leverage: string) => `Max. position (${leverage}x)`
export const spotBuyingPower = (market: string, quote: string) =>
  `Value of a 100 % order in ${market}: the ${quote} not reserved by orders.`
export const perpetualBuyingPower = (market: string) =>
  `Value of a 100 % order in ${market} at the mark: available margin times leverage, less the taker fee.`

// Wallet
export const connectWallet = (wallet: string) => `Connect ${wallet}`
export const noWallet = 'No wallet found. Install one, and reload the page.'
export const wrongChain = (wallet: string, current: string, expected: string) =>
  `▲ ${wallet} is on ${current}. This venue is on ${expected}.`
export const switchTo = (network: string) => `Switch to ${network}`
export const chain = (id: number | undefined) => `chain ${id}`
export const networkChain = (network: string, id: number) => `${network} (chain ${id})`
export const waitingForWallet = (wallet: string) =>
  `… Waiting for your answer in ${wallet || 'the wallet'}.`
export const stopWaiting = 'Stop waiting'
export const unfinished = (steps: string) =>
  `Not done yet: ${steps}. The venue and the chain are checked first; nothing is done twice.`
export const unfinishedDeposit = (amount: string) => `a deposit of ${amount}`
export const unfinishedEnabling = 'enabling trading'
export const unfinishedSteps = (steps: readonly string[]) => steps.join(' and ')
export const resume = 'Resume'
export const transactions = 'Transactions'
export const transactionsCount = (count: number) => `Transactions (${count})`
export const transactionStates = { sent: 'pending', done: 'confirmed', failed: 'failed' } as const
export const transaction = (title: string, state: string) => `${title}: ${state}`
export const continueInWallet = 'Continue in the wallet'
export const cancel = 'Cancel'

// Steps and problems
export const testWallet = 'Test wallet'
export const devnetOnly = 'test wallets are for devnets: the key is kept in this browser only'
export const connectFirst = 'connect a wallet first'
export const otherAccount = (address: string) => `the account of the wallet is not ${address}`
export const busy = 'complete the previous step first'
export const signedOut = 'the account has been signed out'
export const tradingEnabled = 'Trading is enabled'
export const accountFunded = 'The account is funded'
export const registerKey = 'Register a signing key: it can trade, not withdraw'
export const allowVenue = 'Allow the venue to cancel orders, nothing else'

// Wallet transactions
export const revokeSigningKey = 'Revoke the signing key of this page'
export const letVenueCancel = 'Allow venue to cancel'
export const revokeCanceller = 'Revoke cancel permission'
export const openSubAccount = (index: number) => `Open sub-account ${index}`
export const sendToSubAccount = (money: string) => `Send ${money} to a sub-account`
export const returnFromSubAccount = (money: string) => `Return ${money} from a sub-account`

// Cells of the tables
export const sides = { buy: '▲ buy', sell: '▼ sell' } as const
export const positionSize = (isLong: boolean, size: string) =>
  `${isLong ? '▲ long' : '▼ short'} ${size}`
export const nearBadge = 'near'
export const exitNames = { STOP_LOSS: 'SL', TAKE_PROFIT: 'TP', '': '' } as const
export const orderStates = {
  opened: 'open',
  partial: 'partly filled',
  filled: 'filled',
  cancelled: 'cancelled',
  pending: 'pending',
  stop_order: 'untriggered',
  rejected: 'rejected',
  expired: 'expired',
} as const
export const postOnly = 'post-only'
export const reduceOnly = 'RO'
export const liquidation = 'liquidation'
export const liquidityRoles = { maker: 'maker', taker: 'taker' } as const
export const orderTypes = { limit: 'limit', market: 'market' } as const
export const stopTypes = { STOP_LOSS: 'stop', TAKE_PROFIT: 'take profit' } as const
export const transferKinds = {
  deposit: '▲ deposit',
  receive: '▲ receive',
  withdraw: '▼ withdraw',
  send: '▼ send',
} as const
