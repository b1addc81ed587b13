// Runs the accounts at the pools: the swapper in every round, the provider in some.
import type { WholeDeployment } from '../deployment.ts'
import type { Random } from '../random.ts'
import { ROLES } from '../roles.ts'
import type { ChainRpc } from '../rpc.ts'
import type { TxSender } from '../tx-sender.ts'
import { readPools } from './pools.ts'
import { Provider } from './provider.ts'
import { Swapper } from './swapper.ts'

/** Average number of rounds between two actions of the provider. */
const PROVIDE_LOOKS = 10

export class PoolTrading {
  readonly #random: Random
  readonly #swapper: Swapper
  readonly #provider: Provider

  private constructor(random: Random, swapper: Swapper, provider: Provider) {
    this.#random = random
    this.#swapper = swapper
    this.#provider = provider
  }

  /** `wallets` are the addresses of the mnemonic, by index. */
  static async start({
    wallets,
    ...deps
  }: Readonly<{
    rpc: ChainRpc
    deployment: WholeDeployment
    wallets: readonly string[]
    sender: TxSender
    random: Random
  }>): Promise<PoolTrading> {
    const pools = await readPools(deps.rpc, deps.deployment, deps.deployment.tokens)
    const swapper = new Swapper({ ...deps, swapper: wallets[ROLES.swapper] ?? '' }, pools)
    const provider = new Provider({ ...deps, provider: wallets[ROLES.provider] ?? '' }, pools)
    return new PoolTrading(deps.random, swapper, provider)
  }

  /** Lets all accounts act on the current state of the chain, with `randomSwaps` random swaps. */
  async act(randomSwaps: number): Promise<void> {
    await this.#swapper.act(randomSwaps)
    if (this.#random.chance(PROVIDE_LOOKS)) await this.#provider.act()
  }
}
