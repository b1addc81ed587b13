// Texts of the session: steps of an account, and why they fail.
export const enableTradingFirst = 'connect a wallet and enable trading first'
export const waitingForTab = 'Waiting for another tab of this page'
export const notConfirmed = 'not confirmed on chain yet: continue later'
export const noNode = 'the venue publishes no chain node'
