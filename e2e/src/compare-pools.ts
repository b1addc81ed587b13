// Compares the second host with the contracts of its pools at the same block.
import assert from 'node:assert/strict'
import { until } from '@openvenue/core/test/until'
import type { Devnet } from '@openvenue/devnet/devnet'
import { rpcAt } from '@openvenue/devnet/rpc'
import { CallRefused } from '@openvenue/runtime/node'
import { left, readBlockHash } from './compare.ts'
import { type PoolSide, readPoolSides, type TokenSide } from './pool-contracts.ts'
import { PoolLog } from './pool-log.ts'
import {
  ask,
  type BlockAnswer,
  type MarketAnswer,
  type PoolAnswer,
  type TokenAnswer,
} from './probe.ts'

/** Time limit per block: the node may have to be asked at several. */
const COMPARED_WITHIN_MS = 60_000
/** Values are cut at 18 decimals and rounded to the nearest double. */
const RELATIVE = 1e-12
/** Prices are stored with 128 fractional bits. */
const PERCENT = 1e-6

type VenueUrls = Pick<Devnet, 'integratedUrl' | 'rpcUrl' | 'deployment'>

export class PoolComparer {
  readonly log: PoolLog
  readonly #urls: VenueUrls
  readonly #rpc: ReturnType<typeof rpcAt>

  constructor(urls: VenueUrls) {
    this.#urls = urls
    this.#rpc = rpcAt(urls.rpcUrl)
    this.log = new PoolLog(this.#rpc, urls.deployment)
  }

  /** Reads the logs up to the newest block. */
  async catchUp(): Promise<void> {
    await this.log.readTo(Number(await this.#rpc.call('eth_blockNumber')))
  }

  /**
   * Compares the list of pools and each pool at `wanted` blocks. Returns the lists, oldest first.
   * Throws an assertion error when something differs.
   */
  async compare(count: number): Promise<readonly (readonly MarketAnswer[])[]> {
    const lists: (readonly MarketAnswer[])[] = []
    await compared(count, async () => {
      await this.catchUp()
      const [listed, ...pools] = await this.#askAll([
        '/api/markets/earn-markets',
        ...this.log.pools.map(({ address }) => `/api/clob/pools/${address}`),
      ])
      if (listed === undefined) return undefined
      const sides = await this.sidesAt(listed)
      const { markets } = listed.body as { markets: MarketAnswer[] }
      assert.equal(markets.length, sides.length)
      for (const [index, side] of sides.entries()) {
        const market = markets.find(({ address }) => address === side.pool.address)
        assert.ok(market !== undefined, `${side.pool.address} is listed`)
        this.#agreeOnMarket(market, side)
        this.#agreeOnPool(pools[index]?.body as PoolAnswer, side)
      }
      lists.push(markets)
      return listed.block
    })
    return lists
  }

  /** Returns the contracts' data at the block of `answer`. */
  async sidesAt({ block, hash }: BlockAnswer): Promise<PoolSide[]> {
    const rpc = this.#rpc
    await left(rpc, block)
    if ((await readBlockHash(rpc, block)) !== hash)
      throw new CallRefused('the chain lost this block')
    return readPoolSides({ rpc, deployment: this.#urls.deployment, log: this.log, block })
  }

  #agreeOnMarket(market: MarketAnswer, side: PoolSide): void {
    const { address, type, fee } = side.pool
    assert.deepEqual([market.type, market.fee], [type, fee / 1e6], address)
    this.agreeOnToken(market.token0, side.token0)
    this.agreeOnToken(market.token1, side.token1)
    near(market.tvl, side.tvl, `tvl of ${address}`)
    near(market.volume24h, side.volume24h, `volume24h of ${address}`)
  }

  #agreeOnPool(pool: PoolAnswer, side: PoolSide): void {
    const { address } = side.pool
    assert.equal(pool.poolId, address)
    this.agreeOnToken(pool.baseToken, side.token0)
    this.agreeOnToken(pool.quoteToken, side.token1)
    near(pool.price, side.price, `price of ${address}`)
    near(pool.tvl, side.tvl, `tvl of ${address}`)
    near(pool.volume24h, side.volume24h, `volume24h of ${address}`)
    const apart = Math.abs(pool.priceChange24h - side.priceChange24h)
    assert.ok(apart < PERCENT, `${pool.priceChange24h} is ${side.priceChange24h} at ${address}`)
  }

  agreeOnToken(token: TokenAnswer, side: TokenSide): void {
    const { totalSupply, priceUsd, ...said } = token
    const { address, name, symbol, decimals } = side
    assert.deepEqual(said, { address, name, symbol, decimals, logoUri: '' })
    near(priceUsd, toUsd(side), `price of ${symbol}`)
    const [whole = '', part = ''] = totalSupply.split('.')
    const raw = BigInt(whole + part.padEnd(decimals, '0'))
    assert.ok(this.log.hadSupply(address, raw), `${totalSupply} ${symbol} were in the world once`)
  }

  /** Returns the second host's answers to `paths`; undefined when they are of several blocks. */
  async #askAll(paths: readonly string[]): Promise<readonly BlockAnswer[]> {
    const answers = await Promise.all(paths.map((path) => ask(this.#urls.integratedUrl, path)))
    return areOfOneBlock(answers) ? answers : []
  }
}

/** Calls `once`, which compares one block, until it returned `wanted` numbers. Returns them. */
export async function compared(
  count: number,
  once: (done: number) => Promise<number | undefined>,
): Promise<readonly number[]> {
  const blocks = new Set<number>()
  const compareNext = async () => {
    const block = await once(blocks.size).catch((error: unknown) => {
      // The node keeps the state of few blocks, and moved on.
      if (error instanceof CallRefused) return undefined
      throw error
    })
    return block !== undefined && !blocks.has(block) && block
  }
  while (blocks.size < count) {
    const claim = `another block is compared after ${blocks.size} of ${count}`
    blocks.add(await until(claim, compareNext, COMPARED_WITHIN_MS))
  }
  return [...blocks]
}

export const areOfOneBlock = (answers: readonly BlockAnswer[]) =>
  answers.every(({ hash }) => hash === answers[0]?.hash)

/** Returns the price in USD. */
export const toUsd = ({ price }: TokenSide) => Number(price) / 1e18

export function near(actual: number, expected: number, name: string): void {
  const apart = Math.abs(actual - expected)
  assert.ok(apart <= Math.abs(expected) * RELATIVE, `${name} is ${expected}, not ${actual}`)
}
