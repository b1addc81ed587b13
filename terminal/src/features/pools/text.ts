// Texts of the page of pools.
export const pools = 'Pools'
export const columns = ['Pool', 'Kind', 'Value', '24h volume', 'Fee']
export const address = 'Address'
export const noHost = 'No pool host is configured.'
export const fullRange = 'full range (v2)'
export const concentrated = 'concentrated (v3)'
export const tooLarge = 'too large'
export const hostStatus = (status: number) => `The pool host returned status ${status}.`
export const hostDown = 'The pool host does not respond.'
