// Limits of one client's requests to the sockets.

/** Room for a subscribe of a thousand channels, each with a `from_seq`. */
export const MESSAGE_BYTES_MAX = 128 * 1024
/** No operation needs more than 4. */
export const NESTING_MAX = 16
/** Longer than the name of any channel. */
export const CHANNEL_LENGTH_MAX = 128
/** Longer than any API key or secret ever issued. */
export const CREDENTIAL_LENGTH_MAX = 256
/** Maximum length of an `id` given as text. */
export const ID_LENGTH_MAX = 64
/** Channels in one message that count as one operation, so that snapshots are limited too. */
export const CHANNELS_PER_OPERATION = 50
/** Messages that may wait behind an operation that reads the database or waits for a slot. */
export const QUEUE_MAX = 256
/** Concurrent orders, cancels and previews of a connection. */
export const UNDER_WAY_MAX = { orders: 128, cancels: 128, previews: 4 } as const
/** Messages of one channel that may wait while its snapshot is read from the database. */
export const WAITING_MAX = 1000
