// The command openvenue: connects the program to its process and sets the exit code.
import { homedir } from 'node:os'
import type { WebSocketClass } from 'openvenue'
import { WebSocket } from 'ws'
import { EXIT } from './exit-codes.ts'
import type { Host, Sink } from './host.ts'
import { run } from './program.ts'

const COLUMNS = 80
const ROWS = 24

const sinkOf = (stream: NodeJS.WriteStream): Sink => ({
  write: (text) => void stream.write(text),
  isTerminal: stream.isTTY === true,
  columns: stream.columns ?? COLUMNS,
  rows: stream.rows ?? ROWS,
})

const stopping = new AbortController()
let signals = 0
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    // A second signal exits immediately.
    if (++signals > 1) process.exit(EXIT.interrupted)
    stopping.abort(new Error('interrupted'))
  })
// A reader such as `head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.internal)
})

const host: Host = {
  env: process.env,
  out: sinkOf(process.stdout),
  err: sinkOf(process.stderr),
  WebSocket: WebSocket as unknown as WebSocketClass,
  signal: stopping.signal,
  nodeVersion: process.versions.node,
  homeDir: homedir(),
}

// Not process.exit: data written to a pipe may not have arrived yet.
process.exitCode = await run(process.argv.slice(2), host)
