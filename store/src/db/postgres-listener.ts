// Receives notifications of other processes over one connection for all channels. Polling detects a
// connection that is open but dead.
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import type { Client, ClientConfig } from 'pg'
import type { Hear } from './db.ts'
import { createSession } from './postgres-lease.ts'

/** Pause before a reconnection, milliseconds; up to half of it is added at random. */
const RETRY_MS = 500
/** Poll interval of the connection. */
const LISTEN_BEAT_MS = 1000
/** Time without an answer after which a connection, new or old, counts as dead. */
const LISTEN_SILENCE_MS_MAX = 1500

type Hearer = Readonly<{ hear: Hear; deaf: () => void }>

export class PostgresListener {
  readonly #config: ClientConfig
  readonly #channels = new Map<string, Set<Hearer>>()
  #client: Client | undefined
  #stopping: AbortController | undefined

  constructor(config: ClientConfig) {
    this.#config = { ...config, connectionTimeoutMillis: LISTEN_SILENCE_MS_MAX }
  }

  /** Calls `hear` and `deaf` like `Db.listen`, until the returned function is called. */
  listen(channel: string, hear: Hear, deaf: () => void): () => void {
    // A function may be passed twice: each call is a separate entry of the set.
    const own: Hearer = { hear, deaf }
    const hearers = this.#channels.get(channel)
    if (hearers === undefined) this.#channels.set(channel, new Set([own]))
    else hearers.add(own)
    if (this.#stopping === undefined) {
      this.#stopping = new AbortController()
      void this.#follow(this.#stopping.signal)
    } else if (this.#client !== undefined) void this.#joinNow(this.#client, channel, own)
    return () => this.#leave(channel, own)
  }

  close(): void {
    this.#channels.clear()
    this.#stopping?.abort()
    this.#stopping = undefined
  }

  #leave(channel: string, own: Hearer): void {
    const hearers = this.#channels.get(channel)
    hearers?.delete(own)
    if (hearers?.size === 0) this.#channels.delete(channel)
    if (this.#channels.size === 0) this.close()
  }

  /** Listens until stopped, reconnecting as needed. `ping` reports failures. */
  async #follow(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const { client, close } = createSession(this.#config)
      const ended = new Promise<void>((resolve) => {
        client.on('error', () => resolve())
        client.on('end', () => resolve())
        stopped.addEventListener('abort', () => resolve(), { once: true })
      })
      client.on('notification', ({ channel, payload = '' }) => {
        if (stopped.aborted) return
        for (const { hear } of this.#channels.get(channel) ?? []) hear(payload)
      })
      try {
        await client.connect()
        // Listeners added after a stop have their own connection.
        if (!stopped.aborted) await Promise.race([ended, this.#carry(client, stopped)])
      } catch {
        // The database is down, which `ping` reports; here it is retried.
      }
      if (this.#client === client) this.#client = undefined
      // Without a goodbye message, for which a dead connection would make us wait.
      close()
      if (!stopped.aborted) this.#deafen()
      const pause = RETRY_MS * (1 + Math.random() / 2)
      if (!stopped.aborted)
        await delay(pause, undefined, { ref: false, signal: stopped }).catch(() => {})
    }
  }

  /** Listens over `client` for as long as it answers in time. */
  async #carry(client: Client, stopped: AbortSignal): Promise<void> {
    if (!(await inTime(this.#joinAll(client)))) return
    while (!stopped.aborted && (await inTime(client.query('SELECT 1'))))
      await delay(LISTEN_BEAT_MS, undefined, { ref: false, signal: stopped }).catch(() => {})
  }

  #deafen(): void {
    for (const hearers of this.#channels.values()) for (const { deaf } of hearers) deaf()
  }

  async #joinAll(client: Client): Promise<void> {
    this.#client = client
    for (const [channel, hearers] of this.#channels) await this.#join(client, channel, [...hearers])
  }

  /** A connection that fails is ended; every channel is joined over the next one. */
  async #joinNow(client: Client, channel: string, own: Hearer): Promise<void> {
    await this.#join(client, channel, [own]).catch(() => client.end())
  }

  /** Listens on `channel`; `hearers` learn that earlier notifications are lost. */
  async #join(client: Client, channel: string, hearers: readonly Hearer[]): Promise<void> {
    await client.query(`LISTEN ${channel}`)
    for (const one of hearers) if (this.#channels.get(channel)?.has(one)) one.hear(undefined)
  }
}

/** Returns whether `answer` arrives in time; one that is already there counts. */
async function inTime(answer: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController()
  const late = delay(LISTEN_SILENCE_MS_MAX, undefined, { ref: false, signal: waiting.signal })
    .then(() => turn())
    .then(() => false)
  const isIn = answer.then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([isIn, late])
  } finally {
    waiting.abort()
    late.catch(() => {})
  }
}
