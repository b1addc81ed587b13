// Clients that send junk as fast as possible. A client that is closed or refused reconnects.
// Arguments: port, kind of junk, connections.
import { setImmediate as turn } from 'node:timers/promises'
import WebSocket from 'ws'

export type JunkFigures = Readonly<{ sent: number; refused: number; ended: number }>

/** Units per write, so that writing is not the bottleneck. */
const BATCH = 200
/** A client continues to write below this amount of unsent data. */
const UNSENT_BYTES_MAX = 64 * 1024
/** Wait of a refused client before it reconnects. */
const AGAIN_MS = 20

const [port = '', kind = 'messages', connections = '1'] = process.argv.slice(2)
const path = kind === 'packets' ? 'socket.io/?EIO=4&transport=websocket' : 'ws'
const figures = { sent: 0, refused: 0, ended: 0 }

const write = (socket: WebSocket) => {
  if (kind === 'pings') socket.ping()
  else socket.send(kind === 'packets' ? '42["junk",1]' : '{"op')
}

async function flood(): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${path}`, { perMessageDeflate: false })
  socket.on('error', () => {})
  socket.once('message', () => kind === 'packets' && socket.send('40'))
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true))
    socket.once('close', () => resolve(false))
  })
  if (!isOpen) {
    figures.refused += 1
    setTimeout(() => void flood(), AGAIN_MS)
    return
  }
  while (socket.readyState === WebSocket.OPEN) {
    if (socket.bufferedAmount < UNSENT_BYTES_MAX)
      for (let unit = 0; unit < BATCH; unit++, figures.sent++) write(socket)
    await turn()
  }
  figures.ended += 1
  void flood()
}

process.on('message', () => process.send?.(figures))
process.once('disconnect', () => process.exit(0))
for (let index = 0; index < Number(connections); index++) void flood()
process.send?.({ isReady: true })
