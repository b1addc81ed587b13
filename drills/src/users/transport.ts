// Connects to the sockets in both ways: plain WebSocket and Socket.IO, with the same JSON.
import { io } from 'socket.io-client'
import { WebSocket } from 'ws'

const CONNECTED_MS_MAX = 3_000

export type Transport = 'plain' | 'socket.io'

export type Connection = Readonly<{
  send(message: object): void
  close(): void
}>

type SocketEvents = Readonly<{
  open(): void
  message(text: string): void
  closed(): void
}>

/** Connects to an API node; `closed` is called once, even if it never opened. */
export function connect(transport: Transport, apiUrl: string, listener: SocketEvents): Connection {
  return transport === 'plain' ? connectPlain(apiUrl, listener) : connectSocketIo(apiUrl, listener)
}

function connectPlain(apiUrl: string, { open, message, closed }: SocketEvents): Connection {
  const url = `${apiUrl.replace('http', 'ws')}/ws`
  const socket = new WebSocket(url, { handshakeTimeout: CONNECTED_MS_MAX })
  socket.on('open', open)
  socket.on('message', (text) => message(String(text)))
  socket.on('error', () => {})
  socket.once('close', closed)
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
    },
    close: () => socket.terminate(),
  }
}

function connectSocketIo(apiUrl: string, { open, message, closed }: SocketEvents): Connection {
  const socket = io(apiUrl, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    timeout: CONNECTED_MS_MAX,
  })
  let isOver = false
  const end = () => {
    if (!isOver) closed()
    isOver = true
  }
  socket.on('connect', open)
  socket.on('message', message)
  socket.on('connect_error', end)
  socket.on('disconnect', end)
  return {
    send: (message) => void socket.emit('message', message),
    close: () => {
      socket.disconnect()
      end()
    },
  }
}
