// Names the part of WebSocket that is used, so that any class that has it will do.

export type WebSocketLike = {
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onerror: (() => void) | null
  onclose: (() => void) | null
  send(text: string): void
  close(code?: number): void
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
