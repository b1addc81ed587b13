// Runs the chain of a run, with the venue deployed and traders funded. The run mines it, so that it
// can be slowed, reorganised, killed and restarted from its save.
import { deployAmm } from '@openvenue/devnet/amm/deploy'
import { PoolTrading } from '@openvenue/devnet/amm/pool-trading'
import { type Chain, startChain } from '@openvenue/devnet/chain'
import { deploy } from '@openvenue/devnet/deploy'
import { type WholeDeployment, writeDeployment } from '@openvenue/devnet/deployment'
import { produceHistory } from '@openvenue/devnet/history'
import { Loop } from '@openvenue/devnet/loop'
import { Money } from '@openvenue/devnet/money'
import { PricePusher } from '@openvenue/devnet/price-pusher'
import { seededRandom } from '@openvenue/devnet/random'
import { RandomWalk } from '@openvenue/devnet/random-walk'
import { ROLES } from '@openvenue/devnet/roles'
import type { ChainRpc } from '@openvenue/devnet/rpc'
import { keepRunning, type Traders } from '@openvenue/devnet/traders'
import { Trading } from '@openvenue/devnet/trading'
import { TxSender } from '@openvenue/devnet/tx-sender'
import { freePort } from '../net/ports.ts'
import { trackProcess } from '../servers/child.ts'
import { signal } from '../servers/postgres.ts'
import type { WalletTraderOptions } from './traders-main.ts'

/** Maximum wait of a transaction for its block, as on the devnet. */
const BLOCK_MS = 200
const PULSE_MS = 1_000
/** Block time during comparisons, so that a block stays the newest for a while. */
const SLOW_BLOCK_MS = 2_500
/** Maximum loss of a killed chain. */
const SAVE_MS = 5_000
const TRADERS = new URL('./traders-main.ts', import.meta.url)
const HISTORY_SECONDS = 200

type ChainOptions = Readonly<{ dataDir: string; seed: number; warn(text: string): void }>

export class VenueChain {
  readonly url: string
  readonly rpc: ChainRpc
  readonly deployment: WholeDeployment
  readonly randomWalk: RandomWalk
  readonly #options: ChainOptions
  readonly #miner: Loop
  readonly #saver: Loop
  readonly #port: number
  #chain: Chain
  #traders: Traders
  #minedMs = 0
  isSlow = false

  private constructor(
    options: ChainOptions,
    parts: Readonly<{
      chain: Chain
      port: number
      deployment: WholeDeployment
      randomWalk: RandomWalk
    }>,
  ) {
    const { chain, port, deployment, randomWalk } = parts
    this.#options = options
    this.#port = port
    this.#chain = chain
    this.url = chain.url
    this.rpc = chain.rpc
    this.deployment = deployment
    this.randomWalk = randomWalk
    const warn = (error: unknown) => options.warn(`chain: ${String(error)}`)
    this.#miner = new Loop(
      () => this.#mineWhenDue(),
      (tookMs) => BLOCK_MS - tookMs,
      warn,
    )
    this.#saver = new Loop(
      () => this.#save(),
      () => SAVE_MS,
      warn,
    )
    void chain.ended.then(trackProcess(chain.pid))
    this.#traders = this.#startTraders()
    this.#miner.start()
    this.#saver.start()
  }

  /** Starts a new chain in `dataDir`, with a few minutes of trading. */
  static async start(options: ChainOptions): Promise<VenueChain> {
    const { dataDir, seed } = options
    const port = await freePort()
    const genesisSeconds = nowSeconds() - HISTORY_SECONDS
    const chain = await startChain({ dataDir, port, genesisSeconds, onError: options.warn })
    try {
      const wallets = (await chain.rpc.call('eth_accounts')) as string[]
      const at = { chain, wallets, seconds: genesisSeconds }
      const venue = await deploy({ ...at, domainName: 'openvenue' })
      const amm = await deployAmm({ ...at, tokens: venue.tokens })
      const deployment = { ...venue, ...amm }
      writeDeployment(dataDir, deployment)
      const randomWalk = await makeHistory({ chain, wallets, deployment, seed, genesisSeconds })
      await chain.save()
      return new VenueChain(options, { chain, port, deployment, randomWalk })
    } catch (error) {
      await chain.stop()
      throw error
    }
  }

  async head(): Promise<number> {
    return Number(await this.rpc.call('eth_blockNumber'))
  }

  /** Replaces the newest `depth` blocks by empty ones. */
  async reorganise(depth: number): Promise<void> {
    // With two miners at the same time anvil loses blocks, and may stop mining.
    await this.#miner.stop()
    await this.#chain.reorganise(depth)
    this.#miner.start()
    // The traders know nonces of undone transactions, and would wait forever.
    await this.#traders.stop()
    this.#traders = this.#startTraders()
  }

  /** Kills the node at once; blocks since its last save are lost. */
  async kill(): Promise<void> {
    await Promise.all([this.#miner.stop(), this.#saver.stop(), this.#traders.stop()])
    signal(this.#chain.pid, 'SIGKILL')
    await this.#chain.ended
  }

  /** Restarts the node at the same address, from its last save. */
  async restart(): Promise<void> {
    const { dataDir, warn } = this.#options
    const options = { dataDir, port: this.#port, genesisSeconds: nowSeconds() }
    this.#chain = await startChain({ ...options, onError: warn })
    void this.#chain.ended.then(trackProcess(this.#chain.pid))
    this.#traders = this.#startTraders()
    this.#miner.start()
    this.#saver.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#miner.stop(), this.#saver.stop(), this.#traders.stop()])
    await this.#chain.stop()
  }

  #startTraders(): Traders {
    const { dataDir, seed, warn } = this.#options
    const options: WalletTraderOptions = { rpcUrl: this.url, dataDir, seed }
    return keepRunning(TRADERS, options, (reason) => warn(`the traders ended (${reason})`))
  }

  #save(): Promise<void> {
    return this.#chain.save()
  }

  async #mineWhenDue(): Promise<void> {
    const ageMs = performance.now() - this.#minedMs
    if (this.isSlow && ageMs < SLOW_BLOCK_MS) return
    const { pending } = (await this.rpc.call('txpool_status')) as { pending: string }
    if (Number(pending) === 0 && ageMs < PULSE_MS) return
    this.#minedMs = performance.now()
    await this.#chain.mine(nowSeconds())
  }
}

type HistoryOptions = Readonly<{
  chain: Chain
  wallets: readonly string[]
  deployment: WholeDeployment
  seed: number
  genesisSeconds: number
}>

/** Lets the traders deposit and trade for some minutes; returns the final prices. */
async function makeHistory({ chain, wallets, deployment, seed, genesisSeconds }: HistoryOptions) {
  const { rpc } = chain
  const sender = new TxSender(rpc)
  const random = seededRandom(seed)
  const randomWalk = await RandomWalk.start(rpc, deployment, random)
  const traders = ROLES.traders.map((index) => wallets[index] ?? '')
  const poolTrading = await PoolTrading.start({ rpc, deployment, wallets, sender, random })
  const deps = { rpc, deployment, traders, sender, random }
  const [trading, money] = [await Trading.start(deps), new Money(deps)]
  const keeper = wallets[ROLES.keeper] ?? ''
  const pusher = new PricePusher({ deployment, keeper, sender, randomWalk })
  const fromSeconds = genesisSeconds + 1
  await produceHistory({ chain, pusher, trading, money, poolTrading, fromSeconds, nowSeconds })
  return randomWalk
}

const nowSeconds = () => Math.floor(Date.now() / 1000)
