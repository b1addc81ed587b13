// Receives notifications of other processes over one connection for all channels. Polling detects a
// connection that is open but dead.
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import type { Client, ClientConfig } from 'pg'
import type { MessageHandler } from './db.ts'
import { createSession } from './postgres-lease.ts'
import type { DbServer, Servers } from './servers.ts'

/** Pause before a reconnection, milliseconds; up to half of it is added at random. */
const RETRY_MS = 500
/** Poll interval of the connection. */
const LISTEN_BEAT_MS = 1000
/** Time without an answer after which a connection, new or old, counts as dead. */
const LISTEN_SILENCE_MS_MAX = 1500

type Subscriber = Readonly<{ onMessage: MessageHandler; onLost: () => void }>

export class PostgresListener {
  readonly #servers: Servers
  readonly #ageMsMax: number
  readonly #config: ClientConfig
  readonly #channels = new Map<string, Set<Subscriber>>()
  #client: Client | undefined
  #stopping: AbortController | undefined

  /** A connection is replaced at the age of `ageMsMax`. */
  constructor(servers: Servers, config: ClientConfig, ageMsMax: number) {
    this.#servers = servers
    this.#ageMsMax = ageMsMax
    this.#config = { ...config, connectionTimeoutMillis: LISTEN_SILENCE_MS_MAX }
  }

  /** Calls `onMessage` and `onLost` like `Db.listen`, until the returned function is called. */
  listen(channel: string, onMessage: MessageHandler, onLost: () => void): () => void {
    // A function may be passed twice: each call is a separate entry of the set.
    const subscriber: Subscriber = { onMessage, onLost }
    const members = this.#channels.get(channel)
    if (members === undefined) this.#channels.set(channel, new Set([subscriber]))
    else members.add(subscriber)
    if (this.#stopping === undefined) {
      this.#stopping = new AbortController()
      void this.#follow(this.#stopping.signal)
    } else if (this.#client !== undefined) void this.#joinNow(this.#client, channel, subscriber)
    return () => this.#leave(channel, subscriber)
  }

  close(): void {
    this.#channels.clear()
    this.#stopping?.abort()
    this.#stopping = undefined
  }

  #leave(channel: string, subscriber: Subscriber): void {
    const members = this.#channels.get(channel)
    members?.delete(subscriber)
    if (members?.size === 0) this.#channels.delete(channel)
    if (this.#channels.size === 0) this.close()
  }

  /** Listens until stopped, reconnecting as needed. `ping` reports failures. */
  async #follow(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const server = this.#servers.next()
      const { client, close } = createSession(server, this.#config)
      const ended = new Promise<void>((resolve) => {
        client.on('error', () => resolve())
        client.on('end', () => resolve())
        stopped.addEventListener('abort', () => resolve(), { once: true })
      })
      client.on('notification', ({ channel, payload = '' }) => {
        if (stopped.aborted) return
        for (const { onMessage } of this.#channels.get(channel) ?? []) onMessage(payload)
      })
      let isOld = false
      try {
        await client.connect()
        // Listeners added after a stop have their own connection.
        if (!stopped.aborted)
          isOld = (await Promise.race([ended, this.#carry(client, server, stopped)])) === 'old'
      } catch (error) {
        // The database is down, which `ping` reports; here it is retried.
        this.#servers.failed(server, error)
      }
      if (this.#client === client) this.#client = undefined
      // Without a goodbye message, for which a dead connection would make us wait.
      close()
      // The next connection has every subscriber look for what it missed.
      if (isOld) continue
      if (!stopped.aborted) this.#notifyLoss()
      const pause = RETRY_MS * (1 + Math.random() / 2)
      if (!stopped.aborted)
        await delay(pause, undefined, { ref: false, signal: stopped }).catch(() => {})
    }
  }

  /** Listens over `client` for as long as it answers in time, or until it is too old. */
  async #carry(client: Client, server: DbServer, stopped: AbortSignal) {
    const startMs = performance.now()
    // A standby does not listen.
    if (!(await inTime(this.#joinAll(client)))) throw new Error('does not listen')
    this.#servers.served(server)
    while (!stopped.aborted && (await inTime(client.query('SELECT 1')))) {
      if (performance.now() - startMs >= this.#ageMsMax) return 'old'
      await delay(LISTEN_BEAT_MS, undefined, { ref: false, signal: stopped }).catch(() => {})
    }
    return undefined
  }

  #notifyLoss(): void {
    for (const members of this.#channels.values()) for (const { onLost } of members) onLost()
  }

  async #joinAll(client: Client): Promise<void> {
    this.#client = client
    for (const [channel, members] of this.#channels) await this.#join(client, channel, [...members])
  }

  /** A connection that fails is ended; every channel is joined over the next one. */
  async #joinNow(client: Client, channel: string, subscriber: Subscriber): Promise<void> {
    await this.#join(client, channel, [subscriber]).catch(() => client.end())
  }

  /** Listens on `channel`; `members` learn that earlier notifications are lost. */
  async #join(client: Client, channel: string, members: readonly Subscriber[]): Promise<void> {
    await client.query(`LISTEN ${channel}`)
    for (const subscriber of members)
      if (this.#channels.get(channel)?.has(subscriber)) subscriber.onMessage(undefined)
  }
}

/** Returns whether `answer` arrives in time; one that is already there counts. */
async function inTime(answer: Promise<unknown>): Promise<boolean> {
  const timeout = new AbortController()
  const late = delay(LISTEN_SILENCE_MS_MAX, undefined, { ref: false, signal: timeout.signal })
    .then(() => turn())
    .then(() => false)
  const isIn = answer.then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([isIn, late])
  } finally {
    timeout.abort()
    late.catch(() => {})
  }
}
