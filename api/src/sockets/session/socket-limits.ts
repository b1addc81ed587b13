// Limits what one client may ask of the sockets.

/** A subscribe of a thousand channels with a `from_seq` each fits. */
export const MESSAGE_BYTES_MAX = 128 * 1024
/** No operation is nested deeper than 4. */
export const NESTING_MAX = 16
/** Longer than the name of any channel. */
export const CHANNEL_LENGTH_MAX = 128
/** Longer than any API key or secret that was ever issued. */
export const CREDENTIAL_LENGTH_MAX = 256
/** Text that a client may have echoed as `id`. */
export const ID_LENGTH_MAX = 64
/** So many channels in one message count as one operation, so that snapshots are limited too. */
export const CHANNELS_PER_OPERATION = 50
/** Messages that wait while an operation before them asks the database, or for their room. */
export const QUEUE_MAX = 256
/** Orders, cancels and previews of a connection that are under way at a time. */
export const UNDER_WAY_MAX = { orders: 128, cancels: 128, previews: 4 } as const
/** Messages of one channel that wait while its snapshot is read from the database. */
export const WAITING_MAX = 1000
