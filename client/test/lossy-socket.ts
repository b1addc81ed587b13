// WebSockets that lose messages and connections on command of a test.
import type { WebSocketClass } from '../src/socket/web-socket.ts'

/** All WebSockets of one client. */
export class Wires {
  readonly sockets: WebSocket[] = []
  /** Address of the next connection. */
  url: (url: string) => string = (url) => url
  /** Returns whether a message is lost on its way to the client. */
  isLost: (message: { channel?: string; seq?: number }) => boolean = () => false

  /** Cuts the connection without closing it properly. */
  cut(): void {
    this.sockets.at(-1)?.close()
  }

  readonly class: WebSocketClass = (() => {
    const wires = this
    return class extends WebSocket {
      constructor(url: string) {
        super(wires.url(url))
        wires.sockets.push(this)
      }

      override set onmessage(listener: ((event: MessageEvent) => void) | null) {
        super.onmessage = (event) => {
          if (!wires.isLost(JSON.parse(String(event.data)))) listener?.(event)
        }
      }
    } as unknown as WebSocketClass
  })()
}
