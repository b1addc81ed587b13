// Texts of the page of sub-accounts.
export const subAccounts = 'Sub-accounts'
export const openSubAccount = 'Open a sub-account'
export const explanation =
  'A sub-account has its own margin: its losses do not affect the others. Only your wallet owns it ' +
  'and can move its funds.'
export const needsWallet = 'Sub-accounts belong to a wallet.'

// Table
export const accounts = 'Accounts'
export const accountsCaption = 'Accounts of this wallet'
export const columns = ['Account', 'Address', 'Equity']
export const selection = 'Orders and tables'
export const selected = 'Active'
export const switchTo = (name: string) => `Switch to ${name}`
export const main = 'Main'
export const sub = (index: number) => `Sub ${index}`
export const loading = 'Loading …'
export const notLoaded = "Couldn't load."

// Transfers
export const transferMargin = 'Transfer margin'
export const direction = 'Direction'
export const fromMain = 'Main to sub-account'
export const toMain = 'Sub-account to Main'
export const subAccount = 'Sub-account'
export const amount = 'Amount, USDC'
export const allAvailable = 'All available'
export const transfer = 'Transfer'
export const noTransfers = (reason: string) => `▲ Transfers unavailable: ${reason}.`

// Steps, and why they fail
export const registerKey = 'Register a signing key of the sub-account'
export const allowVenueToCancel = 'Allow the venue to cancel its orders, nothing else'
export const switchToSubAccount = 'Switch to the sub-account'
export const tooMany = (max: number) => `this page shows at most ${max} sub-accounts`
export const notOfWallet = (address: string) => `${address} is not a sub-account of this wallet`
export const enableTradingFirst = 'connect a wallet and enable trading first'
export const noNode = 'the venue publishes no chain node'
