// Knows the kinds of channels by their names. docs/SOCKETS.md lists them.

const PRIVATE = new Set([
  'orders',
  'fills',
  'positions',
  'account',
  'balances',
  'fundings',
  'transactions',
  'notifications',
])
const EVENTS = new Set([
  'trades',
  'trades-block',
  'fills',
  'fundings',
  'transactions',
  'notifications',
])
const kindOf = (channel: string): string => channel.split(':', 1)[0] as string

/** Whether it is of the account of the key. */
export const isPrivate = (channel: string): boolean => PRIVATE.has(kindOf(channel))

/** Whether each message says what happened once, and not how something is now. */
export const carriesEvents = (channel: string): boolean => EVENTS.has(kindOf(channel))
