// Texts of the trades.
export const trades = 'Trades'
export const price = 'Price'
export const amount = 'Amount'
export const time = 'Time'
export const boughtAt = 'bought at '
export const soldAt = 'sold at '
