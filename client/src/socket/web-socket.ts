// Declares the subset of WebSocket in use, for any class that has it.

/** Method parameters are bivariant: handlers of more specific events are assignable. */
type Handler<Event> = { handle(event: Event): void }['handle'] | null

/** Subset of WebSocket that the client uses. Browsers, Node and `ws` have it. */
export type WebSocketLike = {
  /** Called once the socket is connected. */
  onopen: Handler<unknown>
  /** Called with each message; `data` is its text. */
  onmessage: Handler<Readonly<{ data: unknown }>>
  /** Called when the connection fails. */
  onerror: Handler<unknown>
  /** Called when the connection has ended. */
  onclose: Handler<unknown>
  /** Sends a message. */
  send(text: string): void
  /** Closes the connection. */
  close(): void
}

/** Browsers, Workers, Bun and Node from version 22 have one; otherwise use the class of `ws`. */
export type WebSocketClass = new (url: string) => WebSocketLike

/** Returns the given class or the platform's. */
export function webSocketClass(given: WebSocketClass | undefined): WebSocketClass {
  const implementation = given ?? (globalThis as { WebSocket?: WebSocketClass }).WebSocket
  if (implementation === undefined)
    throw new TypeError('WebSocket is missing on this platform: pass the one of the npm package ws')
  return implementation
}
