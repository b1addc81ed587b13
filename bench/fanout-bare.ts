// Baseline of the venue's fan-out: Socket.IO, one room, unmodified frames. Sends its port over IPC.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { answerCpuQuestions } from './cpu.ts'

const ROOM = 'orderbook:ETH-USDC'

const http = createServer()
const io = new Server(http, { serveClient: false, perMessageDeflate: false })
let texts: readonly string[] = []

io.on('connection', (socket) => {
  socket.on('message', () => {
    void socket.join(ROOM)
    socket.emit('message', '{"data":["subscribed"]}')
  })
})

/** One frame per turn of the event loop, like blocks: each is sent before the next is emitted. */
function emit(left: number): void {
  if (left === 0) return
  io.local.to(ROOM).emit('message', texts[left % texts.length])
  setImmediate(() => emit(left - 1))
}

answerCpuQuestions()
process.on('message', ({ frames }: { frames?: number | readonly string[] }) => {
  if (typeof frames === 'number') emit(frames)
  else if (frames !== undefined) {
    texts = frames
    process.send?.({ isReady: true })
  }
})
process.once('disconnect', () => process.exit(0))
http.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (http.address() as AddressInfo).port })
})
