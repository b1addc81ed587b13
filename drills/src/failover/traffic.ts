// Users of the venue during failovers: they place orders and make keys until each is answered, and
// keep every answer for the comparison with the database.
import { setTimeout as sleep } from 'node:timers/promises'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { ROLES } from '@openvenue/devnet/roles'
import { Rest } from 'openvenue'
import {
  loadVenue,
  register,
  type SigningVenue,
  signOrder,
  signRegistration,
} from 'openvenue/signing'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { MARKET } from '../users/users.ts'

/** Pause between two new orders, which bounds the precision of the measured times. */
const ORDER_PAUSE_MS = 250
const KEY_PAUSE_MS = 1_000
/** Pause before an unanswered request is repeated at the other node. */
const RETRY_MS = 500
const ANSWER_MS_MAX = 3_000
/** Orders and keys that wait for an answer; above it no more are begun. */
const PENDING_MAX = 60
/** Every second key is revoked once this many newer ones exist. */
const KEYS_KEPT = 20
/** Far below any price, so that no order trades. */
const LOW = '100'
const RESTS_SECONDS = 60

/** The members of a receipt that the database has, too. */
export type AnsweredReceipt = Readonly<{ order_id: string; seq: number; include_by_block: number }>
type Reply = Readonly<{ isDone: boolean; status: number; body: unknown }>
type Trader = Readonly<{
  venue: SigningVenue
  key: ReturnType<typeof privateKeyToAccount>
  account: `0x${string}`
  headers: Readonly<Record<string, string>>
}>

export class Traffic {
  /** Receipts of answered orders, by order. */
  readonly receipts = new Map<string, AnsweredReceipt[]>()
  /** Monotonic times at which an order was answered. */
  readonly answeredMs: number[] = []
  readonly keys = new Set<string>()
  readonly revoked = new Set<string>()
  /** Refusals by status and code, also of attempts that were repeated. */
  readonly refusals = new Map<string, number>()
  /** Revocations of answered keys that were refused. */
  readonly unknownKeys: string[] = []
  readonly #urls: readonly string[]
  readonly #trader: Trader
  readonly #stopping = new AbortController()
  readonly #pending = new Set<Promise<void>>()
  readonly #loops: readonly Promise<void>[]
  readonly #secrets: (readonly [key: string, secret: string])[] = []
  #attempts = 0

  private constructor(urls: readonly string[], trader: Trader) {
    this.#urls = urls
    this.#trader = trader
    this.#loops = [
      this.#repeat(ORDER_PAUSE_MS, () => this.#place()),
      this.#repeat(KEY_PAUSE_MS, () => this.#makeKey()),
    ]
  }

  /** Registers a trader of the chain at the API nodes, and begins. */
  static async start(urls: readonly string[]): Promise<Traffic> {
    const open = new Rest({ url: urls[0] ?? '', patience: { retries: 5, waitMsMax: 10_000 } })
    const venue = await loadVenue(open)
    const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: ROLES.traders[0] })
    const key = privateKeyToAccount(generatePrivateKey())
    const apiKey = await register(open, venue, { wallet, key })
    const headers = { 'api-key': apiKey.key, 'api-secret': apiKey.secret }
    return new Traffic(urls, { venue, key, account: wallet.address, headers })
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#trader.headers
  }

  /** Begins nothing more, and waits until everything is answered. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#loops)
    await Promise.all(this.#pending)
  }

  async #repeat(pauseMs: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      if (this.#pending.size < PENDING_MAX) {
        const pending: Promise<void> = work().finally(() => this.#pending.delete(pending))
        this.#pending.add(pending)
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }

  async #place(): Promise<void> {
    const { venue, key, account, headers } = this.#trader
    const order = { market: MARKET, side: 'buy', amount: '0.1', price: LOW } as const
    const goodTilSeconds = Math.floor(Date.now() / 1000) + RESTS_SECONDS
    const body = await signOrder(venue, key, { ...order, account, goodTilSeconds })
    const reply = await this.#untilAnswered('POST', '/orders', body, headers)
    const { receipt } = reply.body as Readonly<{ receipt?: AnsweredReceipt }>
    if (!reply.isDone || receipt === undefined) return
    this.answeredMs.push(performance.now())
    const known = this.receipts.get(receipt.order_id) ?? []
    this.receipts.set(receipt.order_id, [...known, receipt])
  }

  /** Makes an API key for a new wallet, and revokes an older one. */
  async #makeKey(): Promise<void> {
    const wallet = privateKeyToAccount(generatePrivateKey())
    const key = privateKeyToAccount(generatePrivateKey())
    const { venue } = this.#trader
    const body = await signRegistration(venue, { wallet, key, onChain: false })
    const reply = await this.#untilAnswered('POST', '/register', body)
    const made = reply.body as Readonly<{ api_key?: string; api_secret?: string }>
    if (!reply.isDone || made.api_key === undefined) return
    this.keys.add(made.api_key)
    if (this.keys.size % 2 === 0) this.#secrets.push([made.api_key, made.api_secret ?? ''])
    if (this.#secrets.length > KEYS_KEPT / 2) await this.#revoke(this.#secrets.shift() ?? ['', ''])
  }

  async #revoke([key, secret]: readonly [string, string]): Promise<void> {
    const headers = { 'api-key': key, 'api-secret': secret }
    const first = this.#attempts
    const { isDone } = await this.#untilAnswered('DELETE', '/api-key', {}, headers)
    // A repeated revocation is refused when the first one was done and its answer was lost.
    if (isDone || this.#attempts > first + 1) this.revoked.add(key)
    else this.unknownKeys.push(key)
  }

  /** Repeats a request at alternate nodes until it is done or refused for good. */
  async #untilAnswered(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    for (let attempt = this.#attempts; ; attempt++) {
      this.#attempts++
      const url = `${this.#urls[attempt % this.#urls.length]}${path}`
      const reply = await this.#ask(url, { method, body: JSON.stringify(body) }, headers)
      if (reply !== undefined && reply.status < 500 && reply.status !== 429) return reply
      await sleep(RETRY_MS)
    }
  }

  async #ask(
    url: string,
    request: RequestInit,
    headers: Readonly<Record<string, string>>,
  ): Promise<Reply | undefined> {
    try {
      const response = await fetch(url, {
        ...request,
        headers: { 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      })
      const body: unknown = await response.json()
      if (!response.ok) this.#count(refusalText(response.status, body))
      return { isDone: response.ok, status: response.status, body }
    } catch (error) {
      this.#count((error as Error).name)
      return undefined
    }
  }

  #count(refusal: string): void {
    this.refusals.set(refusal, (this.refusals.get(refusal) ?? 0) + 1)
  }
}

/** Returns the status with the code and message of a refusal. */
function refusalText(status: number, body: unknown): string {
  const { error, message } = body as Readonly<Record<'error' | 'message', string>>
  return `${status} ${error}: ${message}`
}
