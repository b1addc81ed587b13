// Texts that several pages show.

// Without an account
export const loadingAccount = 'Loading your account …'
export const enableTrading = 'Connect a wallet and enable trading'
export const first = 'first.'

// A page that could not be read
export const loading = 'Loading …'
export const refresh = 'Refresh'
