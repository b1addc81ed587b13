// Chain access of a scenario: transactions that must succeed, prices and accounts.
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { devTokenAbi } from '@openvenue/contracts/abi/dev-token'
import { lensAbi } from '@openvenue/contracts/abi/lens'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import type { LoggedEvent } from '@openvenue/core/events'
import { parseLogs } from '@openvenue/indexer/chain'
import { compileEvents } from '@openvenue/indexer/events'
import { quantity } from '@openvenue/runtime/node'
import { readViews, type ViewCall } from '@openvenue/runtime/views'
import { encodeFunctionData, type Hex } from 'viem'
import { bytes32 } from '../deploy.ts'
import type { WholeDeployment } from '../deployment.ts'
import { ROLES } from '../roles.ts'
import type { ChainRpc } from '../rpc.ts'
import { type Tx, TxSender } from '../tx-sender.ts'

/** A running devnet. */
export type RunningVenue = Readonly<{
  apiUrl: string
  rpc: ChainRpc
  deployment: WholeDeployment
  /** Addresses of the mnemonic, by index. */
  wallets: readonly string[]
  domainName: string
}>

/** Waits that many milliseconds. */
type Wait = (ms: number) => Promise<void>

const POLL_MS = 100
const INCLUDED_WITHIN_MS = 20_000
const PRICE_GAS = 200_000

/** Holdings of an account at a block, quote raw, and the margin it must hold. */
export type Holding = Readonly<{
  account: number
  collateral: bigint
  equity: bigint
  maintenanceMargin: bigint
}>

export type Snapshot = Readonly<{
  blockNumber: number
  /** Holdings of all accounts of the venue. */
  holdings: readonly Holding[]
  /** The engine's balance of the token, raw. */
  tokens: bigint
}>

export class ChainClient {
  readonly venue: RunningVenue
  readonly wait: Wait
  /** Poll interval of conditions. */
  readonly pollMs = POLL_MS
  readonly #sender: TxSender

  constructor(venue: RunningVenue, wait: Wait) {
    this.venue = venue
    this.wait = wait
    this.#sender = new TxSender(venue.rpc)
  }

  wallet(index: number): string {
    const wallet = this.venue.wallets[index]
    if (wallet === undefined) throw new Error(`the mnemonic has no account ${index}`)
    return wallet
  }

  /** Sends `txs` and returns when all of them have succeeded. */
  async send(txs: readonly Tx[]): Promise<void> {
    const sent = await this.#sender.send(txs)
    const hashes = sent.map((result, index) => {
      if ('hash' in result) return result.hash
      throw new Error(`transaction ${index} was refused: ${result.refused}`)
    })
    const receipts = await this.until('transactions are included', async () => {
      const receipts = await this.#sender.readReceipts(hashes)
      return receipts.every((receipt) => receipt !== undefined) ? receipts : undefined
    })
    const failed = receipts.findIndex((receipt) => !receipt?.isDone)
    if (failed >= 0) throw new Error(`transaction ${failed} of ${txs.length} reverted`)
  }

  /** Returns the result of `look` as soon as it is defined. */
  async until<T>(description: string, look: () => Promise<T | undefined>, ms = INCLUDED_WITHIN_MS) {
    for (let waited = 0; waited <= ms; waited += POLL_MS) {
      const value = await look()
      if (value !== undefined) return value
      await this.wait(POLL_MS)
    }
    throw new Error(`${description}: not within ${ms} ms`)
  }

  async #view<T>(view: ViewCall, block = 'latest'): Promise<T> {
    const [answer] = await readViews(this.venue.rpc, [view], block)
    return answer as T
  }

  /* PRICES */

  /** Makes the venue's owner the price source of an asset, or the pusher again. */
  async setSource(asset: string, isOwner: boolean): Promise<void> {
    const owner = this.wallet(ROLES.owner)
    const source = (isOwner ? owner : `0x${'0'.repeat(40)}`) as Hex
    await this.send([this.#oracleTx('setSource', [bytes32(asset), source])])
  }

  /** The index of `asset`, 18 decimals. */
  async index(asset: string): Promise<bigint> {
    const [price] = await this.#view<readonly [bigint, bigint]>({
      to: this.venue.deployment.oracles[0],
      abi: pushOracleAbi,
      functionName: 'read',
      args: [bytes32(asset)],
    })
    return price
  }

  /** Reports a current price. The oracle may hold it until another report agrees. */
  async report(asset: string, price: bigint): Promise<void> {
    const { seconds } = await this.head()
    await this.send([this.#oracleTx('push', [[bytes32(asset)], [price], seconds])])
  }

  #oracleTx(functionName: 'push' | 'setSource', args: readonly unknown[]): Tx {
    const data = encodeFunctionData({ abi: pushOracleAbi, functionName, args } as never)
    const to = this.venue.deployment.oracles[0]
    return { from: this.wallet(ROLES.owner), to, data, gas: PRICE_GAS }
  }

  /** CONTRACT STATE */

  async head(): Promise<Readonly<{ number: number; seconds: number }>> {
    const block = (await this.venue.rpc.call('eth_getBlockByNumber', 'latest', false)) as {
      number: string
      timestamp: string
    }
    return { number: Number(block.number), seconds: Number(block.timestamp) }
  }

  /** The account of a wallet of the mnemonic. */
  async accountOf(index: number): Promise<number> {
    const { accounts } = this.venue.deployment
    const args = [this.wallet(index)]
    return this.#view({ to: accounts, abi: accountsAbi, functionName: 'accountOf', args })
  }

  /** Every account of the venue at block `number`. */
  async snapshot(number?: number): Promise<Snapshot> {
    const blockNumber = number ?? (await this.head()).number
    const block = quantity(blockNumber)
    const { accounts, perps, lens, tokens } = this.venue.deployment
    const every = { to: accounts, abi: accountsAbi, functionName: 'accounts', args: [] }
    const count = await this.#view<number>(every, block)
    const views = Array.from({ length: count }, (_, index) => ({
      to: lens,
      abi: lensAbi,
      functionName: 'perpAccount',
      args: [perps, index + 1],
    }))
    const balance = { abi: devTokenAbi, functionName: 'balanceOf', args: [perps] }
    const [custody, ...margins] = await readViews(
      this.venue.rpc,
      [{ to: tokens.USDC, ...balance }, ...views],
      block,
    )
    return {
      blockNumber,
      holdings: (margins as Omit<Holding, 'account'>[]).map((margin, index) => ({
        account: index + 1,
        collateral: margin.collateral,
        equity: margin.equity,
        maintenanceMargin: margin.maintenanceMargin,
      })),
      tokens: custody as bigint,
    }
  }

  /** The signed lots of an account. */
  async lots(market: number, account: number): Promise<bigint> {
    const { perps } = this.venue.deployment
    const view = { to: perps, abi: perpsAbi, functionName: 'positionOf', args: [market, account] }
    return (await this.#view<{ lots: bigint }>(view)).lots
  }

  /** Returns the events of the venue's contracts in blocks `from` to `to`. */
  async events(from: number, to: number): Promise<LoggedEvent[]> {
    const { filter, decodeLog } = compileEvents(this.venue.deployment)
    const span = { fromBlock: quantity(from), toBlock: quantity(to) }
    const logs = parseLogs(await this.venue.rpc.call('eth_getLogs', { ...filter, ...span }))
    return logs.flatMap((log) => decodeLog(log) ?? [])
  }
}
