// Reads every settled funding hour from the contract, in the API's terms.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { type DevnetDeployment, marketNumber } from '@openvenue/devnet/deployment'
import { MARKETS } from '@openvenue/devnet/markets'
import type { ChainRpc } from '@openvenue/devnet/rpc'
import { quantity } from '@openvenue/runtime/node'
import { formatUnits, type Log, parseEventLogs } from 'viem'
import type { FundingRow } from './probe.ts'

type SettledHour = Readonly<{ market: number; time: number; rate: bigint; mark: bigint }>

const DECIMALS = 18

/** Follows the logs of the perpetual engine. */
export class FundingLog {
  readonly #rpc: ChainRpc
  readonly #perps: string
  #nextBlock: number
  readonly #hours: { block: number; row: FundingRow }[] = []

  constructor(rpc: ChainRpc, { perps, startBlock }: DevnetDeployment) {
    this.#rpc = rpc
    this.#perps = perps
    this.#nextBlock = startBlock
  }

  /** Returns the hours of `market` that were settled up to `block`, oldest first. */
  upTo(market: string, block: number): FundingRow[] {
    return this.#hours
      .filter((hour) => hour.block <= block && hour.row[0] === market)
      .map(({ row }) => row)
  }

  /** Reads on to `block`. */
  async readTo(block: number): Promise<void> {
    if (block < this.#nextBlock) return
    const range = { fromBlock: quantity(this.#nextBlock), toBlock: quantity(block) }
    this.#nextBlock = block + 1
    const logs = (await this.#rpc.call('eth_getLogs', { address: this.#perps, ...range })) as Log[]
    for (const { args, blockNumber } of parseEventLogs({
      abi: perpsAbi,
      logs,
      eventName: 'FundingSettled',
    })) {
      const { market, time, rate, mark } = args as SettledHour
      const terms = MARKETS.find(
        (listed) => listed.type === 'perp' && marketNumber(MARKETS, listed) === Number(market),
      )
      if (terms === undefined) throw new Error('funding of an unlisted market')
      const row: FundingRow = [
        terms.name,
        `${time}000000000`,
        formatUnits(rate, DECIMALS),
        formatUnits(mark, DECIMALS),
      ]
      this.#hours.push({ block: Number(blockNumber), row })
    }
  }
}
