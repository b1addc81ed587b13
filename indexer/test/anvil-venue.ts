// The real contracts on a real anvil, traded at random from a seed. Blocks are mined on request.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { gunzipSync } from 'node:zlib'
import { accountsAbi, accountsBytecode } from '@openvenue/contracts/abi/accounts'
import { devTokenAbi, devTokenBytecode } from '@openvenue/contracts/abi/dev-token'
import { liquidationAbi, liquidationBytecode } from '@openvenue/contracts/abi/liquidation'
import { marksAbi, marksBytecode } from '@openvenue/contracts/abi/marks'
import { perpsAbi, perpsBytecode } from '@openvenue/contracts/abi/perps'
import { perpsAdminAbi, perpsAdminBytecode } from '@openvenue/contracts/abi/perps-admin'
import { pushOracleAbi, pushOracleBytecode } from '@openvenue/contracts/abi/push-oracle'
import { spotAbi, spotBytecode } from '@openvenue/contracts/abi/spot'
import { E18 } from '@openvenue/core/integers'
import { until } from '@openvenue/core/test/until'
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { type ChainHeader, readLatest } from '../src/chain.ts'
import type { IndexerDeployment } from '../src/deployment.ts'
import { connectRpc, type Rpc } from '../src/rpc.ts'
import { freePort, imagePath, readImage, spawnAnvil, type VenueImage } from './anvil-process.ts'
import { MOVES_COINS } from './arc-token.ts'
import { encodeBytes32 } from './encode.ts'
import type { SeededRandom } from './seeded-random.ts'

export { freePort }
export const ANVIL_CHAIN_ID = 5042002
/** Time of the image's genesis block: on the hour, so that tests do not cross an hour's end. */
const GENESIS_SECONDS = 1_767_225_600
const UP_MS_MAX = 30_000
/** Default gas of a transaction; creating a pool takes 5 million. */
const GAS = '0x989680'
const MID_TICK = 30_000
const TRADERS = 3

export type Tx = Readonly<{ from: string; to?: string; data: Hex }>

type CreateToken = (venue: AnvilVenue) => Promise<string>

type Start = Readonly<{
  /** Number of funded accounts derived from the mnemonic, 10 by default. */
  wallets?: number
  /** Creates the collateral token instead of the devnet's token. */
  createUsdc?: CreateToken | undefined
  /** Starts the chain at the current time, for keepers that run as processes. */
  isRealTime?: boolean
}>

export class AnvilVenue {
  readonly url: string
  readonly wsUrl: string
  readonly #process: ChildProcess
  readonly #rpc: Rpc
  readonly #close: () => void
  #wallets: readonly string[] = []
  #deployment: IndexerDeployment | undefined
  #usdc = ''
  #seconds = 0

  private constructor(process: ChildProcess, port: number) {
    this.url = `http://127.0.0.1:${port}`
    this.wsUrl = `ws://127.0.0.1:${port}`
    this.#process = process
    const { rpc, close } = connectRpc({ url: this.url })
    this.#rpc = rpc
    this.#close = close
  }

  /**
   * Starts anvil on a free port with the contracts deployed, a spot and a perpetual market listed,
   * and traders funded. The chain is loaded from an image and continues at the image's time.
   */
  static async start({
    wallets = 10,
    createUsdc,
    isRealTime = false,
  }: Start = {}): Promise<AnvilVenue> {
    // The image has a fixed collateral token and a fixed time.
    if (createUsdc !== undefined || isRealTime)
      return AnvilVenue.#deployed({ wallets, createUsdc, isRealTime })
    const path = await imagePath(wallets, () => AnvilVenue.#makeImage(wallets))
    const venue = await AnvilVenue.#spawn(wallets, ['--load-state', path])
    const { usdc, deployment, seconds } = await readImage(path)
    venue.#usdc = usdc
    venue.#deployment = deployment
    venue.#seconds = seconds
    // Without this, anvil stamps the next block with the current time.
    await venue.call('evm_setTime', seconds)
    return venue
  }

  static async #deployed({ wallets, createUsdc, isRealTime }: Start): Promise<AnvilVenue> {
    const time = isRealTime ? [] : ['--timestamp', `${GENESIS_SECONDS}`]
    const coin = createUsdc === undefined ? [] : [MOVES_COINS]
    const venue = await AnvilVenue.#spawn(wallets, [...time, ...coin])
    await venue.#deploy(createUsdc)
    return venue
  }

  static async #spawn(wallets: number | undefined, more: readonly string[]): Promise<AnvilVenue> {
    const port = await freePort()
    const chain = ['--port', `${port}`, '--chain-id', `${ANVIL_CHAIN_ID}`, '--no-mining']
    const child = spawnAnvil([...chain, '--accounts', `${wallets}`, ...more])
    const venue = new AnvilVenue(child, port)
    await venue.#answers()
    return venue
  }

  static async #makeImage(wallets: number): Promise<VenueImage> {
    const venue = await AnvilVenue.#deployed({ wallets })
    try {
      // Historical states are included: anvil cannot reorg to a block whose state it lacks.
      const dump = String(await venue.call('anvil_dumpState', true))
      const chain = JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString())
      const { usdc, deployment, seconds } = venue
      return { venue: { usdc, deployment, seconds }, ...chain }
    } finally {
      await venue.stop()
    }
  }

  get deployment(): IndexerDeployment {
    if (this.#deployment === undefined) throw new Error('the venue is deployed')
    return this.#deployment
  }

  /** The collateral token. */
  get usdc(): string {
    return this.#usdc
  }

  get wallets(): readonly string[] {
    return this.#wallets
  }

  /** The time of the newest block, Unix seconds. */
  get seconds(): number {
    return this.#seconds
  }

  head(): Promise<ChainHeader> {
    return readLatest(this.#rpc)
  }

  /** Mines a block with `actions` of traders and one of the oracle. */
  async trade(random: SeededRandom, actions: number): Promise<void> {
    this.#seconds += 1
    await this.send([this.#push(random), ...this.#actions(random, actions)])
  }

  /** Mines a block of `txs`, `seconds` later. */
  async mine(txs: readonly Tx[], seconds = 1): Promise<readonly unknown[]> {
    this.#seconds += seconds
    return this.send(txs)
  }

  /** Replaces the newest `depth` blocks; each new one has `actions` other actions. */
  async reorg(depth: number, random: SeededRandom, actions: number): Promise<void> {
    const blocks = Array.from({ length: depth }, () => this.#actions(random, actions))
    await this.replace(blocks)
  }

  /** Replaces as many of the newest blocks as there are `blocks`, each by its transactions. */
  async replace(blocks: readonly (readonly Tx[])[]): Promise<void> {
    const txs = blocks.flatMap((some, block) => some.map((tx) => [{ ...tx, gas: GAS }, block]))
    await this.call('anvil_reorg', blocks.length, txs)
  }

  async call(method: string, ...params: unknown[]): Promise<unknown> {
    return (await this.#rpc([{ method, params }]))[0]
  }

  async stop(): Promise<void> {
    this.#close()
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await exited
  }

  async #answers(): Promise<void> {
    const wallets = () => this.call('eth_accounts').catch(() => undefined)
    this.#wallets = (await until('anvil answers', wallets, UP_MS_MAX)) as string[]
  }

  async #deploy(createUsdc?: CreateToken): Promise<void> {
    this.#seconds = (await this.head()).seconds + 1
    const [owner = ''] = this.#wallets
    const token = (name: string, decimals: number) =>
      this.create(devTokenAbi, devTokenBytecode, [name, name, decimals])
    const usdc = (await createUsdc?.(this)) ?? (await token('USDC', 6))
    this.#usdc = usdc
    const eth = await token('ETH', 18)
    const accounts = await this.create(accountsAbi, accountsBytecode, [
      this.#wallets[8],
      this.#wallets[9],
      'test',
    ])
    const oracle = await this.create(pushOracleAbi, pushOracleBytecode, [owner, owner])
    const spot = await this.create(spotAbi, spotBytecode, [accounts, owner])
    const marks = await this.create(marksAbi, marksBytecode, [accounts, oracle, usdc])
    const liquidation = await this.create(liquidationAbi, liquidationBytecode, [marks])
    const admin = await this.create(perpsAdminAbi, perpsAdminBytecode, [liquidation])
    const perps = await this.create(perpsAbi, perpsBytecode, [admin, owner])
    this.#deployment = { accounts, spot, perps, oracles: [oracle], startBlock: 1 }
    await this.#list(owner, { usdc, eth, spot, perps })
    await this.#fund({ usdc, eth, spot, perps })
  }

  async #list(owner: string, { usdc, eth, spot, perps }: Contracts): Promise<void> {
    const spotTerms = [
      encodeBytes32('ETH-USDC'),
      eth,
      usdc,
      10_000n,
      10n ** 14n,
      10n ** 6n,
      10n ** 12n,
    ]
    const parameters = {
      minOrderValue: 3n * E18,
      maxOrderValue: 10n ** 24n,
      maxNotionalValue: 10n ** 25n,
      maxOpenInterest: 10n ** 12n,
      maxLeverage: 20,
      makerFee: 100,
      takerFee: 350,
    }
    const names = [encodeBytes32('ETH-PERP'), encodeBytes32('ETH')]
    const perpTerms = [...names, 10n ** 17n, 10n ** 14n, 1_000n * E18, parameters]
    await this.send([
      encodeTx(owner, this.deployment.oracles[0], [pushOracleAbi, 'push', this.#prices(3000n)]),
      encodeTx(owner, spot, [spotAbi, 'list', spotTerms]),
      encodeTx(owner, perps, [perpsAbi, 'list', perpTerms]),
    ])
  }

  async #fund({ usdc, eth, spot, perps }: Contracts): Promise<void> {
    const amount = 10n ** 24n
    const deposits: Tx[] = []
    for (const wallet of this.#traders()) {
      for (const [token, engine] of [
        [usdc, spot],
        [eth, spot],
        [usdc, perps],
      ] as const) {
        deposits.push(
          encodeTx(wallet, token, [devTokenAbi, 'mint', [wallet, amount]]),
          encodeTx(wallet, token, [devTokenAbi, 'approve', [engine, amount]]),
          encodeTx(wallet, engine, [spotAbi, 'deposit', [token, amount]]),
        )
      }
    }
    await this.send(deposits)
  }

  #traders(): readonly string[] {
    return this.#wallets.slice(1, 1 + TRADERS)
  }

  /** Arguments of a push: ETH at a price in whole dollars. */
  #prices(price: bigint): unknown[] {
    return [[encodeBytes32('ETH')], [price * E18], this.#seconds]
  }

  #push(random: SeededRandom): Tx {
    const price = BigInt(2990 + random.below(20))
    const [owner = ''] = this.#wallets
    return encodeTx(owner, this.deployment.oracles[0], [pushOracleAbi, 'push', this.#prices(price)])
  }

  #actions(random: SeededRandom, count: number): Tx[] {
    const { spot, perps } = this.deployment
    return Array.from({ length: count }, () => {
      const wallet = this.#traders()[random.below(TRADERS)] ?? ''
      const engine = random.below(2) === 0 ? spot : perps
      // Most of these orders are long gone: refusals are common on a chain.
      if (random.below(5) === 0)
        return encodeTx(wallet, engine, [spotAbi, 'cancel', [1, 1 + random.below(60)]])
      return encodeTx(wallet, engine, [spotAbi, 'place', [order(random)]])
    })
  }

  async create(abi: Abi, bytecode: Hex, args: unknown[]): Promise<string> {
    return this.createFrom(encodeDeployData({ abi, bytecode, args }))
  }

  /** Creates a contract from its code, and returns its address. */
  async createFrom(data: Hex): Promise<string> {
    const [hash] = await this.send([{ from: this.#wallets[0] ?? '', data }])
    const receipt = await this.call('eth_getTransactionReceipt', hash)
    return (receipt as { contractAddress: string }).contractAddress
  }

  async send(txs: readonly Tx[]): Promise<readonly unknown[]> {
    const hashes = await this.#rpc(
      txs.map((tx) => ({ method: 'eth_sendTransaction', params: [{ ...tx, gas: GAS }] })),
    )
    await this.call('evm_mine', { timestamp: this.#seconds })
    return hashes
  }
}

type ContractCall = readonly [abi: Abi, functionName: string, args: unknown[]]

/** Returns a call of a contract. */
export function encodeTx(
  from: string,
  to: string | undefined,
  [abi, functionName, args]: ContractCall,
): Tx {
  if (to === undefined) throw new Error('a call has a contract')
  return { from, to, data: encodeFunctionData({ abi, functionName, args }) }
}

type Contracts = Readonly<{ usdc: string; eth: string; spot: string; perps: string }>

/** An order near the middle; half of those that cross take. */
function order(random: SeededRandom) {
  const buy = random.below(2) === 0
  const away = random.below(20) - 5
  return {
    market: 1,
    buy,
    tick: MID_TICK + (buy ? -away : away),
    lots: BigInt(1000 + random.below(1000)),
    timeInForce: random.below(4) === 0 ? 1 : 0,
    reduceOnly: false,
    goodTil: 0,
    maxFills: 0,
  }
}
