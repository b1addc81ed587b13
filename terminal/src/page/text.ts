// Texts of the links to the pages, and texts that several pages show.

// Pages
export const pages = 'Pages'
export const trade = 'Trade'
export const markets = 'Markets'
export const portfolio = 'Portfolio'
export const subAccounts = 'Sub-accounts'
export const keys = 'Keys'
export const viewAddress = 'View address'
export const faucet = 'Faucet'
export const pools = 'Pools'
export const status = 'Status'

// Without an account
export const loadingAccount = 'Loading your account …'
export const enableTrading = 'Connect a wallet and enable trading'
export const first = 'first.'

// A page that could not be read
export const loading = 'Loading …'
export const refresh = 'Refresh'

// Exports
export const exportRows = 'Export'
export const exportTable = (table: string) => `Export ${table}`

// Start of the page
export const walletNotConnected = 'the wallet is not connected: connect it again'
export const configMissing = 'config.json is missing: the venue is unknown.'
