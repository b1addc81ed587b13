// A NATS server of a test, which can be stopped, killed and frozen.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@openvenue/core/test/until'

export class NatsServer {
  readonly port: number
  readonly #program: string
  readonly #folder: string
  readonly #args: readonly string[]
  #process: ChildProcess | undefined

  private constructor(program: string, folder: string, port: number, args: readonly string[]) {
    this.#program = program
    this.#folder = folder
    this.port = port
    this.#args = args
  }

  /** Starts the server `program` on a free port. */
  static async start(program: string, args: readonly string[] = []): Promise<NatsServer> {
    const folder = await mkdtemp(join(tmpdir(), 'openvenue-nats-'))
    const server = new NatsServer(program, folder, await freePort(), args)
    await server.restart()
    return server
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`
  }

  /** Starts the server on the same port, unless it runs. */
  async restart(): Promise<void> {
    if (this.#process !== undefined) return
    const own = ['-js', '-a', '127.0.0.1', '-p', `${this.port}`, '-sd', this.#folder]
    this.#process = spawn(this.#program, [...own, ...this.#args], { stdio: 'ignore' })
    await until('NATS accepts connections', () => accepts(this.port))
  }

  freeze(): void {
    this.#process?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#process?.kill('SIGCONT')
  }

  /** Ends the server without a goodbye. */
  async kill(): Promise<void> {
    const running = this.#process
    this.#process = undefined
    if (running === undefined || running.exitCode !== null) return
    const exited = once(running, 'exit')
    running.kill('SIGKILL')
    await exited
  }

  async close(): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP port')
  return address.port
}

async function accepts(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
