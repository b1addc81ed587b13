// Classifies channels by name. docs/SOCKETS.md lists them.

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
  'liquidations',
  'fills',
  'fundings',
  'transactions',
  'notifications',
])
const kindOf = (channel: string): string => channel.split(':', 1)[0] as string

/** Returns whether the channel belongs to the account of the key. */
export const isPrivate = (channel: string): boolean => PRIVATE.has(kindOf(channel))

/** Returns whether the messages are one-time events rather than changes of a state. */
export const carriesEvents = (channel: string): boolean => EVENTS.has(kindOf(channel))
