// Names the part of WebSocket that is used, so that any class that has it will do.

/** A method's parameters are compared both ways: handlers of more specific events fit. */
type Handler<Event> = { handle(event: Event): void }['handle'] | null

/** The part of a WebSocket that is used: those of browsers, of Node and of `ws` have it. */
export type WebSocketLike = {
  /** Called once, when it is connected. */
  onopen: Handler<unknown>
  /** Called with each message; `data` is its text. */
  onmessage: Handler<Readonly<{ data: unknown }>>
  /** Called when the connection fails. */
  onerror: Handler<unknown>
  /** Called when the connection has ended. */
  onclose: Handler<unknown>
  /** Sends a message. */
  send(text: string): void
  /** Ends the connection. */
  close(): void
}

/** Browsers, Workers, Bun and Node from 22 on have one; before that, the one of `ws` will do. */
export type WebSocketClass = new (url: string) => WebSocketLike

/** Returns the class that was given, or the one of the platform. */
export function webSocketClass(given: WebSocketClass | undefined): WebSocketClass {
  const found = given ?? (globalThis as { WebSocket?: WebSocketClass }).WebSocket
  if (found === undefined)
    throw new TypeError('no WebSocket here: pass one, as `WebSocket` of the npm package ws')
  return found
}
