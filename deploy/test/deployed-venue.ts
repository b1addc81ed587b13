// A venue deployed by the tool to a chain that behaves like Arc, with its services as separate
// processes that know only deployment.json and their environment. On PostgreSQL.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { until } from '@openvenue/core/test/until'
import { freePort } from '@openvenue/devnet/anvil'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { KeeperProcess } from '@openvenue/keeper/test/keeper-process'
import type { Engine, TestDatabase } from '@openvenue/store/test/engines'
import type { Hex } from 'viem'
import { type ArcChain, createToken, startArcChain } from './arc-chain.ts'
import { readRecord, run } from './deploying.ts'
import { writeVenue } from './venue.ts'
import { pricesText, type TradingContext, wholeVenue } from './whole-venue.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const [DEPLOYER, PUSHER] = [9, 3]
/** Wallets of the relayer: the canceller, and a lane. */
const RELAYERS = [14, 15]
const RECEIPTS = 16
const READY_WITHIN_MS = 120_000

export class DeployedVenue {
  readonly chain: ArcChain
  readonly trading: TradingContext
  apiUrl = ''
  indexerUrl = ''
  integratedUrl = ''
  readonly #folder: string
  readonly #database: TestDatabase
  readonly #prices: Server
  readonly #processes: KeeperProcess[] = []
  /** Processes that may exit on their own. */
  readonly #others: KeeperProcess[] = []
  #env: Readonly<Record<string, string>> = {}

  private constructor(
    { chain, folder }: Readonly<{ chain: ArcChain; folder: string }>,
    database: TestDatabase,
    prices: Server,
  ) {
    this.chain = chain
    this.#folder = folder
    this.trading = { rpc: chain.rpc, record: readRecord(folder) }
    this.#database = database
    this.#prices = prices
  }

  /** Deploys the markets of the devnet; services have `also` in their environment. */
  static async start(
    postgres: Engine,
    also: (chain: ArcChain) => Readonly<Record<string, string>> = () => ({}),
  ): Promise<DeployedVenue> {
    const chain = await startArcChain()
    const folder = await deploy(chain)
    const prices = createServer((_, response) => response.end(pricesText())).listen(0, '127.0.0.1')
    await once(prices, 'listening')
    const database = await postgres.createBareDatabase()
    const venue = new DeployedVenue({ chain, folder }, database, prices)
    await venue.#startServices(also(chain))
    return venue
  }

  async #startServices(also: Readonly<Record<string, string>>): Promise<void> {
    const [api, indexer, keeper] = [await freePort(), await freePort(), await freePort()]
    const integrated = await freePort()
    this.integratedUrl = `http://127.0.0.1:${integrated}`
    this.apiUrl = `http://127.0.0.1:${api}`
    this.indexerUrl = `http://127.0.0.1:${indexer}`
    const env = {
      NETWORK: 'testnet',
      RPC_URL: this.chain.url,
      RPC_WS_URL: this.chain.wsUrl,
      DATABASE_URL: this.#database.options.databaseUrl ?? '',
      DEPLOYMENT_FILE: join(this.#folder, 'deployment.json'),
      PORT: String(api),
      INDEXER_PORT: String(indexer),
      RATE_LIMIT_PUBLIC: 'off',
      KEEPER_KEY: derivePrivateKey(PUSHER),
      KEEPER_PRICE_URL: `http://127.0.0.1:${(this.#prices.address() as AddressInfo).port}`,
      KEEPER_PORT: String(keeper),
      INTEGRATED_PORT: String(integrated),
      RELAY_KEYS: RELAYERS.map(derivePrivateKey).join(','),
      RELAY_RECEIPT_KEY: derivePrivateKey(RECEIPTS),
      LOG_LEVEL: 'warn',
      ...also,
    }
    this.#env = env
    const start = (main: string) => this.#processes.push(new KeeperProcess(env, join(ROOT, main)))
    const isWaiting = async (port: number) =>
      (await fetch(`http://127.0.0.1:${port}/ready`)).status === 503
    // In reverse order, each running before the next starts: services need no order.
    start('keeper/src/main.ts')
    await this.until('the keeper waits', () => isWaiting(keeper))
    start('api/src/node/main.ts')
    await this.until('the API waits', () => isWaiting(api))
    start('api/src/integrated/main.ts')
    await this.until('the second host waits', () => isWaiting(integrated))
    start('indexer/src/main.ts')
    for (const url of [this.apiUrl, this.integratedUrl])
      await this.until(`${url} is ready`, async () => (await fetch(`${url}/ready`)).ok)
  }

  /** Starts one more API node, which is expected to exit. Returns its output. */
  async runApi(also: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const node = new KeeperProcess(
      { ...this.#env, PORT: '0', ...also },
      join(ROOT, 'api/src/node/main.ts'),
    )
    this.#others.push(node)
    assert.equal(await node.ended(), 1)
    return node.lines
  }

  async until(condition: string, isSo: () => Promise<boolean>): Promise<void> {
    const look = async () => {
      if (await isSo().catch(() => false)) return true
      // Another process may answer on the port of an exited one.
      const hasEnded = this.#processes.some((process) => process.hasEnded)
      assert.ok(!hasEnded, `${condition}: a process has ended\n${this.lastLines}`)
      return false
    }
    await until(() => `${condition}\n${this.lastLines}`, look, READY_WITHIN_MS)
  }

  /** Last lines of each service. */
  get lastLines(): string {
    return this.#processes.map(({ lines }) => lines.slice(-4).join('\n')).join('\n')
  }

  /** Returns the API's answer. */
  async ask(path: string): Promise<unknown> {
    return (await fetch(`${this.apiUrl}${path}`)).json()
  }

  wallet(index: number): Hex {
    return this.chain.wallets[index] as Hex
  }

  async stop(): Promise<void> {
    const all = [...this.#processes, ...this.#others]
    await Promise.all(all.map((process) => process.end('SIGKILL')))
    this.#prices.close()
    this.#prices.closeAllConnections()
    await this.chain.stop()
    await this.#database.remove()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Returns the folder of the deployment. */
async function deploy(chain: ArcChain): Promise<string> {
  const owner = chain.wallets[0] as Hex
  const tokens = {
    EURC: await createToken(chain.rpc, owner, ['Euro Coin', 'EURC', 6]),
    ETH: await createToken(chain.rpc, owner, ['Ether', 'ETH', 18]),
    BTC: await createToken(chain.rpc, owner, ['Bitcoin', 'BTC', 8]),
  }
  const { folder, path } = writeVenue(wholeVenue(chain.wallets, tokens))
  const paths = { chain, folder, config: path, key: derivePrivateKey(DEPLOYER) }
  const { code, out, err } = await run(paths, 'deploy', ['--yes'])
  assert.equal(code, 0, `${out}${err}`)
  return folder
}
