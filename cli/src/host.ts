// The parts of the process that a command may use.
import type { WebSocketClass } from 'openvenue'

/** Standard output or standard error. */
export type Sink = Readonly<{
  write: (text: string) => void
  isTerminal: boolean
  /** Size of the terminal; 80 by 24 without a terminal. */
  columns: number
  rows: number
}>

export type Environment = Readonly<Record<string, string | undefined>>

export type Host = Readonly<{
  env: Environment
  /** Results go here, and nothing else. */
  out: Sink
  /** Errors, progress and hints go here. */
  err: Sink
  /** Class of the npm package ws: Node 20 has no WebSocket of its own. */
  WebSocket: WebSocketClass
  /** Aborted when the user ends the program. */
  signal: AbortSignal
  /** Version of Node, for `doctor`. */
  nodeVersion: string
  homeDir: string
}>
