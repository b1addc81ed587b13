// A listening node with sockets, for tests, which control its keys, clock and channels.
import { createHash } from 'node:crypto'
import { SCOPES } from '@openvenue/core/scopes'
import type { ApiKey, Identity } from '@openvenue/store/identity/identity'
import type { Host } from '../src/http/host-type.ts'
import type { BucketState } from '../src/http/limits.ts'
import { ACCOUNT_SETTINGS } from '../src/node/account-settings.ts'
import type { ApiHostDeps } from '../src/node/api-host.ts'
import type { SocketSettings } from '../src/sockets/session/socket-settings.ts'
import type { Sockets } from '../src/sockets/sockets.ts'
import { BROKEN_ACCOUNTS, scenarioNode } from './scenario-node.ts'
import { TEST_SEAL } from './signing.ts'
import { type Client, connectTo, type Transport } from './socket-client.ts'
import { TestChannels } from './test-channels.ts'

const HOUR_MS = 3_600_000
const ALLOWED: BucketState = { allowed: true, remaining: 1, resetMs: 0 }

export const ALICE = `0x${'a1'.repeat(20)}`
export const BOB = `0x${'b0'.repeat(20)}`

/** Rights of a key from a sign-in. */
export const ALL_RIGHTS = {
  name: undefined,
  scopes: SCOPES,
  ipAddresses: [],
  sealedSecret: undefined,
  version: 0,
}

/** The keys that a database would hold. */
class TestKeys {
  isDown = false
  lookups = 0
  /** Awaited before a lookup is answered. */
  before: Promise<unknown> = Promise.resolve()
  readonly live = new Map<string, ApiKey>()
  /** Used signatures of requests. */
  readonly used = new Set<string>()
  readonly #listeners = new Set<(keys: readonly string[] | undefined) => void>()

  readonly identity: Identity = {
    ...BROKEN_ACCOUNTS.identity,
    find: async (key, nowMs) => {
      if (this.isDown) throw new Error('the database is down')
      const found = this.live.get(key)
      this.lookups += 1
      await this.before
      return found !== undefined && found.expiresMs > nowMs ? found : undefined
    },
    liveAmong: async (keys, nowMs) => {
      if (this.isDown) throw new Error('the database is down')
      this.lookups += 1
      await this.before
      const found = keys.flatMap((key) => this.live.get(key) ?? [])
      const live = found.filter(({ expiresMs }) => expiresMs > nowMs)
      return new Map(live.map(({ key, version }) => [key, version]))
    },
    useSignature: async ({ signature }) => {
      if (this.isDown) throw new Error('the database is down')
      const isFirst = !this.used.has(signature)
      this.used.add(signature)
      return isFirst
    },
    markUsed: async () => {},
    onRevoked: (listener) => {
      this.#listeners.add(listener)
      return () => this.#listeners.delete(listener)
    },
  }

  /** Issues a key; returns its credentials. */
  issue(account: string, digit: string, expiresMs = HOUR_MS, rights: Partial<ApiKey> = {}) {
    const [key, secret] = [digit.repeat(32), digit.repeat(64)]
    const secretHash = createHash('sha256').update(secret).digest('hex')
    const dates = { createdMs: 0, expiresMs, lastUsedMs: undefined }
    const sealed = { ...ALL_RIGHTS, sealedSecret: TEST_SEAL.seal(secret, key) }
    const issued = { key, secretHash, account, signingKey: BOB, ...dates, ...sealed, ...rights }
    this.live.set(key, issued)
    return { key, secret }
  }

  /** Changes a key's rights, as PATCH /api-keys does on some node. */
  narrow(key: string, rights: Partial<ApiKey>): void {
    const before = this.live.get(key)
    if (before !== undefined)
      this.live.set(key, { ...before, ...rights, version: before.version + 1 })
    this.say([key])
  }

  revoke(key: string): void {
    this.live.delete(key)
    this.say([key])
  }

  say(keys: readonly string[] | undefined): void {
    for (const listener of this.#listeners) listener(keys)
  }
}

export type SocketNode = Readonly<{
  url: string
  host: Host
  sockets: Sockets
  keys: TestKeys
  channels: TestChannels
  /** Time, which begins at 0; `stepMs` is the step of the wall clock. */
  clock: { nowMs: number; stepMs: number }
  connect: (transport: Transport, headers?: object) => Promise<Client>
  get: (path: string) => Promise<Response>
  /** Stops the host while clients are connected. */
  stop: () => Promise<void>
  close: () => Promise<void>
}>

type Options = Readonly<{
  settings?: Partial<SocketSettings>
  host?: Partial<ApiHostDeps>
  /** Without it, stopping does not wait for clients. */
  delay?: ApiHostDeps['clock']['delay']
}>

/** Listens on a free port. Only the test calls the sweep. */
export async function socketNode(options: Options = {}): Promise<SocketNode> {
  const { settings, host: overrides, delay } = options
  const keys = new TestKeys()
  const channels = new TestChannels()
  const clock = { nowMs: 0, stepMs: 0 }
  const sockets = { ...ACCOUNT_SETTINGS.sockets, ...settings }
  const { host } = await scenarioNode([], undefined, {
    accounts: {
      ...BROKEN_ACCOUNTS,
      identity: keys.identity,
      settings: { ...ACCOUNT_SETTINGS, sockets, secretSeal: TEST_SEAL },
    },
    clock: {
      nowMs: () => clock.nowMs + clock.stepMs,
      monotonicMs: () => clock.nowMs,
      ...(delay === undefined ? {} : { delay }),
    },
    rates: { consume: async () => ALLOWED, publicRate: undefined, proxyHops: 0 },
    channels,
    ...overrides,
  })
  const url = await host.listen({ host: '127.0.0.1', port: 0 })
  const clients: Client[] = []
  return {
    url,
    host,
    sockets: host.sockets,
    keys,
    channels,
    clock,
    connect: async (transport, headers) => {
      const client = await connectTo(url, transport, headers)
      clients.push(client)
      return client
    },
    get: (path) => fetch(`${url}${path}`),
    stop: () => host.close(),
    close: async () => {
      for (const client of clients) client.close()
      await host.close()
    },
  }
}
