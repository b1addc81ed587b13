// Names what a command gets from its process: nothing else of it is used.
import type { WebSocketClass } from 'openvenue'

/** Standard output, or standard error. */
export type Sink = Readonly<{
  write: (text: string) => void
  isTerminal: boolean
  /** Width and height of the terminal; 80 by 24 where it is none. */
  columns: number
  rows: number
}>

export type Environment = Readonly<Record<string, string | undefined>>

export type Host = Readonly<{
  env: Environment
  /** What was asked for goes here, and nothing else. */
  out: Sink
  /** Errors, progress and hints go here. */
  err: Sink
  /** Of the npm package ws: Node 20 has none of its own. */
  WebSocket: WebSocketClass
  /** Aborted when the user ends the program. */
  signal: AbortSignal
  /** Of the runtime, for `doctor`. */
  nodeVersion: string
  homeDir: string
}>
