// Runs a quiet chain with the venue, and compares the core with the contracts at every block.
import type { VenueBlock } from '@openvenue/core/events'
import { emptyState, type VenueState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import { assembleBlocks } from '@openvenue/indexer/assemble-blocks'
import { parseHeader, parseLogs } from '@openvenue/indexer/chain'
import { compileEvents, type EventReader } from '@openvenue/indexer/events'
import { quantity } from '@openvenue/runtime/node'
import { type Chain, startChain } from '../../src/chain.ts'
import { deploy } from '../../src/deploy.ts'
import type { DevnetDeployment } from '../../src/deployment.ts'
import type { MarketTerms } from '../../src/markets.ts'
import { TxSender } from '../../src/tx-sender.ts'
import { assertAgreement } from './agreement.ts'
import { type Call, type MarketCalls, marketCalls } from './market-calls.ts'

/** Upper bound of an order's gas in a recording, with any number of makers. */
const GAS = 10_000_000
const DOMAIN_NAME = 'openvenue'

type RecorderOptions = Readonly<{
  /** A directory of its own. */
  dataDir: string
  /** Unix seconds of the deployment. */
  seconds: number
  markets: readonly MarketTerms[]
}>

/** Deploys the venue with only `markets` on a chain of its own. */
export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const { dataDir, seconds, markets } = options
  const chain = await startChain({
    dataDir,
    port: 0,
    genesisSeconds: seconds,
    onError: (error) => {
      throw error
    },
  })
  try {
    const wallets = (await chain.rpc.call('eth_accounts')) as string[]
    const of = { chain, wallets, domainName: DOMAIN_NAME, seconds, markets }
    const deployment = await deploy(of)
    const recorder = new Recorder({ chain, deployment, wallets, markets, seconds })
    await recorder.read(deployment.startBlock)
    return recorder
  } catch (error) {
    await chain.stop()
    throw error
  }
}

type Parts = Readonly<{
  chain: Chain
  deployment: DevnetDeployment
  /** Addresses of the mnemonic, by index. */
  wallets: readonly string[]
  markets: readonly MarketTerms[]
  seconds: number
}>

export class Recorder {
  readonly deployment: DevnetDeployment
  readonly wallets: readonly string[]
  readonly markets: readonly MarketTerms[]
  readonly state: VenueState = emptyState()
  /** The blocks since the deployment, without the first ones if they are empty. */
  readonly blocks: VenueBlock[] = []
  /** Time of the newest block. */
  seconds: number
  readonly #chain: Chain
  readonly #sender: TxSender
  readonly #reader: EventReader

  constructor({ chain, deployment, wallets, markets, seconds }: Parts) {
    this.deployment = deployment
    this.wallets = wallets
    this.markets = markets
    this.seconds = seconds
    this.#chain = chain
    this.#sender = new TxSender(chain.rpc)
    this.#reader = compileEvents(deployment)
  }

  marketCalls(market: MarketTerms): MarketCalls {
    return marketCalls(this.deployment, this.markets, market)
  }

  /**
   * Mines a block of `calls`, in this order, at `seconds`, and compares. Returns whether each
   * succeeded. Throws when the core and the contracts differ after it.
   */
  async block(seconds: number, calls: readonly Call[]): Promise<readonly boolean[]> {
    const hashes: string[] = []
    for (const call of calls) {
      const [sent] = await this.#sender.send([{ ...call, gas: GAS }])
      if (sent === undefined || 'refused' in sent)
        throw new Error(`the chain refuses a transaction: ${sent?.refused}`)
      hashes.push(sent.hash)
    }
    await this.#chain.mine(seconds)
    this.seconds = seconds
    const receipts = await this.#sender.readReceipts(hashes)
    const number = Number(await this.#chain.rpc.call('eth_blockNumber'))
    await this.read(number)
    const { deployment, markets } = this
    await assertAgreement({ rpc: this.#chain.rpc, deployment, markets }, this.state)
    return receipts.map((receipt) => receipt?.isDone === true)
  }

  /** Applies the blocks from `first` to the newest. */
  async read(first: number): Promise<void> {
    const { rpc } = this.#chain
    const last = Number(await rpc.call('eth_blockNumber'))
    for (let number = first; number <= last; number++) {
      const at = quantity(number)
      const header = parseHeader(await rpc.call('eth_getBlockByNumber', at, false))
      const filter = { ...this.#reader.filter, fromBlock: at, toBlock: at }
      const logs = parseLogs(await rpc.call('eth_getLogs', filter))
      for (const block of assembleBlocks([header], logs, this.#reader.decodeLog)) this.#apply(block)
    }
  }

  #apply(block: VenueBlock): void {
    if (this.blocks.length === 0 && block.events.length === 0) return
    applyBlock(this.state, block)
    this.blocks.push(block)
  }

  async stop(): Promise<void> {
    await this.#chain.stop()
  }
}
