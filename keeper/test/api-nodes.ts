// Runs API nodes as processes that are killed, and sends them orders and cancels like a careful
// client, which repeats an unanswered request on another node.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { issueKey } from '@openvenue/api/test/keyed'
import { until } from '@openvenue/core/test/until'
import { freePort } from '@openvenue/indexer/test/anvil-venue'
import type { SeededRandom } from '@openvenue/indexer/test/seeded-random'
import type { NewIntent, OrderMembers } from '@openvenue/store/intents/intents'
import { KeeperProcess } from './keeper-process.ts'
import type { LiveOrders } from './live-orders.ts'
import { CHAIN_ID } from './live-sender.ts'
import type { LiveVenue } from './live-venue.ts'

const MAIN = fileURLToPath(new URL('../../api/src/node/main.ts', import.meta.url))
const NODES = 3
const READY_MS_MAX = 60_000
const ANSWER_MS_MAX = 3_000
/** Attempts of a patient client: restarting all three nodes takes some seconds. */
const TRIES_MAX = 40
const RETRY_MS = 150
const KEY_LIFE_MS = 86_400_000
const POST_ONLY = 3
const RECEIPT_KEY = `0x${'5e'.repeat(32)}`
const UNLIMITED = {
  RATE_LIMIT_PUBLIC: 'off',
  RATE_LIMIT_PRIVATE: 'off',
  RATE_LIMIT_ORDERS: 'off',
  RELAY_BUDGET_INITIAL: 'off',
}

type ApiNodesOptions = Readonly<{
  live: LiveVenue
  orders: LiveOrders
  random: SeededRandom
  databaseUrl: string
  deploymentFile: string
  canceller: string
}>

type Answer = Readonly<{
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what comes
  body: any
}>

export class ApiNodes {
  /** Number of requests by status and code. */
  readonly counts: Record<string, number> = {}
  readonly #options: ApiNodesOptions
  readonly #nodes: { port: number; process: KeeperProcess }[] = []
  readonly #keys = new Map<string, Readonly<Record<string, string>>>()

  private constructor(options: ApiNodesOptions) {
    this.#options = options
  }

  /** Starts three nodes, and returns once they accept orders of `wallets`. */
  static async start(options: ApiNodesOptions, wallets: readonly string[]): Promise<ApiNodes> {
    const nodes = new ApiNodes(options)
    for (const wallet of wallets) {
      const { headers } = await issueKey(
        options.live.store,
        wallet,
        options.live.clock.nowMs(),
        KEY_LIFE_MS,
      )
      nodes.#keys.set(wallet, headers)
    }
    for (let at = 0; at < NODES; at++) {
      const port = await freePort()
      nodes.#nodes.push({ port, process: nodes.#spawn(port) })
    }
    await until('all answer', async () => (await nodes.#up()) === NODES, READY_MS_MAX).catch(
      (cause) => {
        throw new Error(nodes.words().join('\n'), { cause })
      },
    )
    return nodes
  }

  /** Sends an order or a cancel until a node answers; undefined when none did. */
  async send(intent: NewIntent): Promise<Answer | undefined> {
    const [path, method, body] = requestOf(intent)
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const at = this.#options.random.below(this.#nodes.length)
      const answer = await this.#ask(at, [path, method, intent.wallet], body)
      if (answer !== undefined && answer.status < 500) return this.#count(answer)
      await sleep(RETRY_MS)
    }
    return this.#count(undefined)
  }

  /** Kills a random node or all; returns once one answers, so that there is always a load. */
  async kill(which: 'one' | 'all'): Promise<void> {
    const at = this.#options.random.below(this.#nodes.length)
    const killed = which === 'all' ? this.#nodes : this.#nodes.slice(at, at + 1)
    await Promise.all(killed.map(({ process }) => process.end('SIGKILL')))
    // A node that starts while the database is down exits.
    const isUp = async () => {
      this.restart()
      return (await this.#up()) > 0
    }
    await until('a node answers', isUp, READY_MS_MAX).catch((cause) => {
      throw new Error(this.words().join('\n'), { cause })
    })
  }

  /** Restarts ended nodes like a supervisor. */
  restart(): void {
    for (const node of this.#nodes) if (node.process.hasEnded) node.process = this.#spawn(node.port)
  }

  async end(): Promise<void> {
    await Promise.all(this.#nodes.map(({ process }) => process.end('SIGKILL')))
  }

  /** Returns the last lines of each node. */
  words(): readonly string[] {
    return this.#nodes.flatMap(({ process }) => process.lines.slice(-3))
  }

  #spawn(port: number): KeeperProcess {
    const { live, orders, databaseUrl, deploymentFile, canceller } = this.#options
    const { accounts } = live.deployment
    return new KeeperProcess(
      {
        ...UNLIMITED,
        ...{ NETWORK: 'devnet', LOG_LEVEL: 'warn' },
        ...{ PORT: String(port), DATABASE_URL: databaseUrl, DEPLOYMENT_FILE: deploymentFile },
        // There is no indexer here; only the readiness check needs the URL.
        ...{ RPC_URL: live.venue.url, INDEXER_URL: live.venue.url, CHAIN_ID: String(CHAIN_ID) },
        ...{ TYPED_DATA_DOMAIN: orders.domainName, ACCOUNTS_ADDRESS: accounts },
        ...{ RELAY_RECEIPT_KEY: RECEIPT_KEY, CANCELLER_ADDRESS: canceller },
      },
      MAIN,
    )
  }

  /** Returns the number of nodes that answer. */
  async #up(): Promise<number> {
    const answers = await Promise.all(
      this.#nodes.map(({ port }) =>
        fetch(`http://127.0.0.1:${port}/markets`).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    )
    return answers.filter((status) => status === 200).length
  }

  async #ask(
    at: number,
    [path, method, wallet]: readonly [string, string, string],
    body: object | undefined,
  ): Promise<Answer | undefined> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.#nodes[at]?.port}${path}`, {
        method,
        headers: { ...this.#keys.get(wallet), 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      })
      return { status: answer.status, body: await answer.json() }
    } catch {
      return undefined
    }
  }

  #count(answer: Answer | undefined): Answer | undefined {
    const code = answer === undefined ? 'no answer' : (answer.body.error ?? 'done')
    const word = `${answer?.status ?? 0} ${code}`
    this.counts[word] = (this.counts[word] ?? 0) + 1
    return answer
  }

  /** Asserts that every node returns the order with the same promise. */
  async compareAnswers(intent: NewIntent): Promise<void> {
    const [path, method, body] = requestOf(intent)
    const call = [path, method, intent.wallet] as const
    const answers: (Answer | undefined)[] = []
    const answered = async (at: number) => {
      answers[at] = await this.#ask(at, call, body)
      return answers[at]?.status === 200
    }
    await Promise.all(
      this.#nodes.map((_, at) => until('a node answers', () => answered(at), READY_MS_MAX)),
    ).catch((cause) => {
      throw new Error(`of ${intent.id}: ${JSON.stringify(answers)}`, { cause })
    })
    const receipts = answers.map((answer) => JSON.stringify(answer?.body.receipt))
    assert.equal(new Set(receipts).size, 1, receipts.join('\n'))
    assert.equal(answers[0]?.body.receipt?.order_id, intent.id, JSON.stringify(answers[0]))
  }
}

function requestOf({ payload, market }: NewIntent): readonly [string, string, object | undefined] {
  if (payload.kind === 'cancel') return [`/orders/${payload.target}`, 'DELETE', undefined]
  if (payload.kind === 'order') return ['/orders', 'POST', bodyOf(market, payload)]
  throw new Error('an order, or a cancel by the key')
}

const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'GTC']

const bodyOf = (
  market: string,
  { order, signature }: Readonly<{ order: OrderMembers; signature: string }>,
) => ({
  instrument: market,
  maker: order.account,
  is_buy: order.isBuy,
  limit_price: order.limitPrice,
  amount: order.amount,
  time_in_force: TIMES_IN_FORCE[order.timeInForce],
  post_only: order.timeInForce === POST_ONLY,
  salt: order.salt,
  deadline: order.deadline,
  signature,
})
