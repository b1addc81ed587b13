// Deposits the traders' money, and moves it at random, which requires their wallets.
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { lensAbi } from '@openvenue/contracts/abi/lens'
import { readViews } from '@openvenue/runtime/views'
import type { DevnetDeployment } from './deployment.ts'
import { fundingTxs, moneyTxs, pickFunds } from './funds.ts'
import type { Random } from './random.ts'
import type { ChainRpc } from './rpc.ts'
import type { SendResult, TxSender } from './tx-sender.ts'

/** The traders of the devnet and what they send with. */
export type TradersOptions = Readonly<{
  rpc: ChainRpc
  deployment: DevnetDeployment
  /** Their addresses. */
  traders: readonly string[]
  sender: TxSender
  random: Random
}>

/** Collateral has 18 decimals, its token 6. */
const COLLATERAL_SCALE = 10n ** 12n

export class Money {
  readonly #deps: TradersOptions
  /** Account numbers, in the order of the traders' addresses. */
  #accounts: readonly number[] = []

  constructor(deps: TradersOptions) {
    this.#deps = deps
  }

  /**
   * Lets traders without an account deposit at both engines; accounts exist from the next block.
   */
  async fund(): Promise<readonly SendResult[]> {
    const { deployment, traders, sender } = this.#deps
    const accounts = await readAccountNumbers(this.#deps)
    const absent = traders.filter((_, index) => accounts[index] === 0)
    return sender.send(absent.flatMap((trader) => fundingTxs(deployment, trader)))
  }

  /** Lets one trader deposit, withdraw or transfer. */
  async move(): Promise<readonly SendResult[]> {
    const { deployment, traders, random, sender } = this.#deps
    if (this.#accounts.length === 0) {
      const accounts = await readAccountNumbers(this.#deps)
      if (accounts.includes(0)) return []
      this.#accounts = accounts
    }
    const funds = pickFunds(deployment, traders, random)
    const free = await this.#readFree(funds)
    return sender.send(moneyTxs({ ...funds, free }, traders, random))
  }

  /** Free token units; for collateral the whole amount, since its orders need little. */
  async #readFree({
    trader,
    engine,
    token,
    isSpot,
  }: ReturnType<typeof pickFunds>): Promise<bigint> {
    const { rpc, deployment, traders } = this.#deps
    const account = this.#accounts[traders.indexOf(trader)]
    const view = { to: deployment.lens, abi: lensAbi }
    const [rows] = await readViews(rpc, [
      isSpot
        ? { ...view, functionName: 'spotBalances', args: [engine, [account], [token]] }
        : { ...view, functionName: 'collaterals', args: [engine, [account]] },
    ])
    if (isSpot) return (rows as bigint[][])[0]?.[0] ?? 0n
    return ((rows as bigint[])[0] ?? 0n) / COLLATERAL_SCALE
  }
}

/** Returns the account numbers of `traders`; 0 for one that does not exist yet. */
export async function readAccountNumbers({
  rpc,
  deployment,
  traders,
}: Pick<TradersOptions, 'rpc' | 'deployment' | 'traders'>): Promise<readonly number[]> {
  const views = traders.map((trader) => ({
    to: deployment.accounts,
    abi: accountsAbi,
    functionName: 'accountOf',
    args: [trader],
  }))
  return (await readViews(rpc, views)) as number[]
}
