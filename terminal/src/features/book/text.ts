// Texts of the order book.

export const region = 'Order book'
export const title = 'Book'
export const grouping = 'Group prices by'

// Columns
export const price = 'Price'
export const amount = 'Amount'
export const total = 'Total'
export const ahead = 'Ahead'
export const aheadHint = 'Max. size ahead of your order at its price'
export const spread = 'spread'

// Rows
export const usePrice = 'Use this price in the order (Enter)'
export const ownSize = (size: string) => `yours: ${size}`
export const ownSizeAt = (size: string) => ` yours: ${size} at `
export const firstInQueue = 'first'
export const aheadAtMost = (size: string) => `≤${size}`
