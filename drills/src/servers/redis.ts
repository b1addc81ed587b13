// Runs a Redis without persistence, as the venue needs.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { freePort } from '../net/ports.ts'
import { Child } from './child.ts'
import { until } from './until.ts'

const READY_MS_MAX = 20_000

export class Redis {
  readonly port: number
  readonly #logPath: string
  #child: Child | undefined

  private constructor(port: number, logPath: string) {
    this.port = port
    this.#logPath = logPath
  }

  static async open(logPath: string): Promise<Redis> {
    if (spawnSync('redis-server', ['--version']).error !== undefined)
      throw new Error('redis-server is missing: node scripts/services.ts true installs it')
    const server = new Redis(await freePort(), logPath)
    await server.start()
    return server
  }

  async start(): Promise<void> {
    const args = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--save', '', '--dir', '/tmp']
    this.#child = Child.start({ command: 'redis-server', args, logPath: this.#logPath })
    await until('Redis is ready', () => this.#answers(), READY_MS_MAX)
  }

  async kill(): Promise<void> {
    this.#child?.signal('SIGKILL')
    await this.#child?.ended
  }

  async stop(): Promise<void> {
    await this.#child?.end('SIGTERM')
  }

  async #answers(): Promise<boolean> {
    const socket = createConnection(this.port, '127.0.0.1')
    try {
      socket.write('PING\r\n')
      const [answer] = await once(socket, 'data')
      return String(answer).startsWith('+PONG')
    } finally {
      socket.destroy()
    }
  }
}
