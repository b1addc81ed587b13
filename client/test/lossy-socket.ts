// Makes WebSockets whose connection a test cuts, and that lose messages when it says so.
import type { WebSocketClass } from '../src/socket/web-socket.ts'

/** All WebSockets of one client. */
export class Wires {
  readonly sockets: WebSocket[] = []
  /** Where the next connection goes. */
  url: (asked: string) => string = (asked) => asked
  /** Whether a message is lost on its way to the client. */
  isLost: (message: { channel?: string; seq?: number }) => boolean = () => false

  /** Cuts the connection under the client. */
  cut(): void {
    this.sockets.at(-1)?.close()
  }

  readonly class: WebSocketClass = (() => {
    const wires = this
    return class extends WebSocket {
      constructor(asked: string) {
        super(wires.url(asked))
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
