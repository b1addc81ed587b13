// Hears what other processes notify, over one connection whatever the number of channels.
import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { Hear } from './db.ts'

/** Pause before another try to listen; up to half of it is added by chance. */
const RETRY_MS = 500

export class PostgresListener {
  readonly #config: ClientConfig
  readonly #channels = new Map<string, Set<Hear>>()
  #client: Client | undefined
  #stopping: AbortController | undefined

  constructor(config: ClientConfig) {
    this.#config = config
  }

  /** Calls `hear` as `Db.listen` says, until the function that is returned is called. */
  listen(channel: string, hear: Hear): () => void {
    // One function may be given twice: each gets its own place in the set.
    const own: Hear = (payload) => hear(payload)
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

  #leave(channel: string, own: Hear): void {
    const hearers = this.#channels.get(channel)
    hearers?.delete(own)
    if (hearers?.size === 0) this.#channels.delete(channel)
    if (this.#channels.size === 0) this.close()
  }

  /** Listens until stopped, over as many connections as it takes. `ping` tells of failures. */
  async #follow(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const client = new Client(this.#config)
      const ended = new Promise<void>((resolve) => {
        client.on('error', () => resolve())
        client.on('end', () => resolve())
        stopped.addEventListener('abort', () => resolve(), { once: true })
      })
      client.on('notification', ({ channel, payload = '' }) => {
        if (!stopped.aborted) for (const hear of this.#channels.get(channel) ?? []) hear(payload)
      })
      try {
        await client.connect()
        // Whoever listens by now, after a stop, has a connection of their own on its way.
        if (!stopped.aborted) await this.#joinAll(client)
        await ended
      } catch {
        // The database is down: `ping` says so; here it is tried again.
      }
      if (this.#client === client) this.#client = undefined
      await client.end().catch(() => {})
      const pause = RETRY_MS * (1 + Math.random() / 2)
      if (!stopped.aborted)
        await delay(pause, undefined, { ref: false, signal: stopped }).catch(() => {})
    }
  }

  async #joinAll(client: Client): Promise<void> {
    this.#client = client
    for (const [channel, hearers] of this.#channels) await this.#join(client, channel, [...hearers])
  }

  /** A connection that fails is ended; over the next one every channel is joined. */
  async #joinNow(client: Client, channel: string, own: Hear): Promise<void> {
    await this.#join(client, channel, [own]).catch(() => client.end())
  }

  /** Listens on `channel`, and tells `hearers` that they missed what was notified before now. */
  async #join(client: Client, channel: string, hearers: readonly Hear[]): Promise<void> {
    await client.query(`LISTEN ${channel}`)
    for (const hear of hearers) if (this.#channels.get(channel)?.has(hear)) hear(undefined)
  }
}
