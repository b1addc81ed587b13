// The driver's pool over the servers of a URL: each new connection goes to the next server that may
// be fit, and a caller gets an error only when none is.
import {
  Client,
  type ClientBase,
  type ClientConfig,
  Pool,
  type PoolClient,
  type PoolConfig,
} from 'pg'
import { type DbServer, judgeServer, SERVER_STATE, type Servers } from './servers.ts'

type ServerPoolOptions = Readonly<{
  servers: Servers
  /** Settings of each session. */
  parameters: Readonly<Record<string, string | number>>
  isPipelined: boolean
  /** Silence after which a new connection has failed. */
  waitMs: number
  /** Runs on each connection before its first use; it is closed when that throws. */
  check: (client: ClientBase) => Promise<void>
}>

/** The server of each error of a new connection. */
type Failures = WeakMap<object, DbServer>

export class ServerPool extends Pool {
  readonly #servers: Servers
  readonly #failures: Failures

  constructor(config: PoolConfig, options: ServerPoolOptions) {
    const failures: Failures = new WeakMap()
    const ServerClient = clientOf(options.servers, failures)
    super({
      ...config,
      pipeline: true,
      Client: ServerClient,
      onConnect: async (client) => {
        const { server } = client as ClientBase & Readonly<{ server: DbServer }>
        try {
          await begin(client, server, options)
        } catch (error) {
          if (error instanceof Error) failures.set(error, server)
          throw error
        }
        options.servers.served(server)
      },
    })
    this.#servers = options.servers
    this.#failures = failures
  }

  /** Like the driver's; it calls this method with a callback for each query. */
  override connect(): Promise<PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<PoolClient> | undefined {
    const client = this.#connect()
    if (callback === undefined) return client
    client.then(
      (connected) => callback(undefined, connected, connected.release),
      (error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  async #connect(): Promise<PoolClient> {
    const startMs = performance.now()
    for (;;) {
      try {
        return await super.connect()
      } catch (error) {
        const server = this.#serverOf(error)
        // Otherwise it was the wait for a free connection.
        if (server === undefined) throw error
        this.#servers.failed(server, error)
        this.#servers.rethrowIfAllFailed(error, startMs)
      }
    }
  }

  /** The driver puts the error of a late connection into one of its own. */
  #serverOf(error: unknown): DbServer | undefined {
    const { cause = error } = error as Error
    return this.#failures.get(error as Error) ?? this.#failures.get(cause as Error)
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: PoolClient['release'],
) => void

/** Returns a client that chooses its server, and notes that of a failure. */
const clientOf = (servers: Servers, failures: Failures) =>
  class extends Client {
    readonly server: DbServer

    constructor(config?: ClientConfig) {
      const server = servers.next()
      super({ ...config, connectionString: server.url })
      this.server = server
    }

    override connect(): Promise<Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
      if (callback === undefined) return super.connect()
      super.connect((error: Error) => {
        if (error) failures.set(error, this.server)
        callback(error)
      })
      return undefined
    }
  }

/** Sets the session's parameters, judges its server and checks it, in one round trip. */
async function begin(client: ClientBase, server: DbServer, options: ServerPoolOptions) {
  const { parameters, waitMs, check, isPipelined } = options
  const set = Object.entries(parameters).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  )
  const text = `SELECT ${SERVER_STATE}, ${set.join(', ')}`
  const state = client.query({ text, query_timeout: waitMs } as { text: string })
  const checked = check(client)
  // The state explains the failure of the check.
  checked.catch(() => {})
  judgeServer(server, (await state).rows[0])
  await checked
  Object.assign(client, { pipeline: isPipelined })
}
