// Clients that read slower than they are sent to: bounded first, then closed with a reason.
import type { Connection } from '../connection.ts'
import type { SocketCore } from '../core.ts'

/** A client that is behind has so long to catch up. */
const BEHIND_MS_MAX = 10_000
/** A client that falls behind again so soon after it caught up is closed. */
const AGAIN_MS = 60_000
/** Channels that a fresh snapshot makes whole: they stop while a client is behind. */
const BOOK = 'orderbook'

/** Tells whether a further snapshot must wait until the client has read more. */
export const isFull = ({ deps }: SocketCore, { socket }: Connection): boolean =>
  socket.unsentBytes() > deps.settings.bufferBytesMax / 2

/**
 * Looks how much the client has unread. Above the bound its books stop, and begin again with a
 * snapshot once it has read half; when it stays behind, or is soon behind again, it is closed.
 */
export function watchBacklog(core: SocketCore, connection: Connection, nowMs: number): void {
  const { socket, behindMs, lastBehindMs } = connection
  const { bufferBytesMax } = core.deps.settings
  const unsent = socket.unsentBytes()
  if (unsent <= bufferBytesMax / 2) {
    connection.behindMs = undefined
    resume(core, connection)
    return
  }
  const isAgain = lastBehindMs !== undefined && nowMs - lastBehindMs < AGAIN_MS
  const isTooLong = behindMs !== undefined && nowMs - behindMs >= BEHIND_MS_MAX
  const isNewlyBehind = behindMs === undefined && unsent > bufferBytesMax
  if (unsent > 2 * bufferBytesMax || isTooLong || (isNewlyBehind && isAgain)) {
    core.drop(connection, 'SLOW_CONSUMER')
    return
  }
  if (!isNewlyBehind) return
  connection.behindMs = nowMs
  connection.lastBehindMs = nowMs
  for (const [name, subscription] of connection.subscriptions)
    if (name.startsWith(BOOK)) subscription.pause()
}

/** Starts what waits, as long as the client takes it. */
function resume(core: SocketCore, connection: Connection): void {
  for (const subscription of connection.subscriptions.values()) {
    if (!subscription.isPaused) continue
    if (isFull(core, connection)) return
    core.start(connection, subscription)
  }
}
