// The pools on a chain: their deployment, and how they follow the oracle.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { devTokenAbi } from '@openvenue/contracts/abi/dev-token'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { CallRefused } from '@openvenue/runtime/node'
import { readViews, type ViewCall } from '@openvenue/runtime/views'
import { encodeFunctionData, parseAbi } from 'viem'
import { type Chain, startChain } from '../chain.ts'
import { bytes32, deploy } from '../deploy.ts'
import { Deployer } from '../deployer.ts'
import { isDeployed, type WholeDeployment } from '../deployment.ts'
import { TOKENS } from '../markets.ts'
import { seededRandom } from '../random.ts'
import { ROLES } from '../roles.ts'
import { type SendResult, TxSender } from '../tx-sender.ts'
import { v2PairAbi, v3PoolAbi } from './abi.ts'
import { deployAmm } from './deploy.ts'
import { PoolTrading } from './pool-trading.ts'
import {
  type AmmPool,
  fairSqrtPrice,
  POOLS,
  type Prices,
  readPools,
  START_PRICES,
} from './pools.ts'
import { distancePpm, encodeSqrtPriceX96 } from './price.ts'
import { Provider } from './provider.ts'
import { Swapper } from './swapper.ts'
import { MARGIN_PPM } from './swaps.ts'

const GENESIS_SECONDS = 1_700_000_000
const dataDir = mkdtempSync(join(tmpdir(), 'openvenue-amm-'))

let chain: Chain
let wallets: readonly string[]
let deployment: WholeDeployment
let pools: readonly AmmPool[]
let seconds = GENESIS_SECONDS

before(async () => {
  chain = await startChain({
    dataDir,
    port: 0,
    genesisSeconds: GENESIS_SECONDS,
    onError: () => {},
  })
  wallets = (await chain.rpc.call('eth_accounts')) as string[]
  const venue = await deploy({ chain, wallets, domainName: 'openvenue', seconds })
  const amm = await deployAmm({ chain, wallets, tokens: venue.tokens, seconds })
  deployment = { ...venue, ...amm }
  pools = await readPools(chain.rpc, deployment, deployment.tokens)
})
after(async () => {
  await chain.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the pools of the devnet', () => {
  test('pools of the devnet are not traded until the oracle has prices', async () => {
    assert.deepEqual(await createSwapper(0).act(5), [])
    await push(START_PRICES)
    assert.equal((await createSwapper(0).act(0)).length, 0)
  })

  test('a devnet counts as deployed only with code at every address of its pools', async () => {
    assert.ok(await isDeployed(chain.rpc, deployment))
    const elsewhere = { ...deployment, positionManager: `0x${'9'.repeat(40)}` }
    assert.equal(await isDeployed(chain.rpc, elsewhere), false)
    // Deployment file of a version without pools.
    const { v2Factories: _, ...older } = deployment
    assert.equal(await isDeployed(chain.rpc, older as WholeDeployment), false)
  })

  test('a view call to an address without a contract is refused', async () => {
    const [view] = listViews(`0x${'9'.repeat(40)}`, SIDES_ABI, ['token0'])
    await assert.rejects(read([view as ViewCall]), CallRefused)
  })

  test('pools of the devnet are ETH, BTC and EURC against USDC, in every listed fee', async () => {
    assert.deepEqual(new Set(POOLS.map(({ base }) => base)), new Set(['ETH', 'BTC', 'EURC']))
    const addresses = new Set(pools.map(({ address }) => address))
    assert.equal(addresses.size, POOLS.length)
    for (const { terms, address, sides } of pools) {
      const abi = terms.version === 2 ? SIDES_ABI : V3_ABI
      const [token0, token1] = await read(listViews(address, abi, ['token0', 'token1']))
      assert.deepEqual([lower(token0), lower(token1)], [sides.token0, sides.token1])
      if (terms.version === 3)
        assert.deepEqual(await read(listViews(address, abi, ['fee'])), [terms.fee])
    }
  })

  test("pools of the devnet start at the oracle's first prices with their depth in USDC", async () => {
    for (const [index, { terms, address }] of pools.entries()) {
      assert.ok((await offPpm(START_PRICES))[index] === 0n, `price of pool ${index}`)
      const [usdc] = (await read([balanceView(deployment.tokens.USDC, address)])) as [bigint]
      const depth = terms.depth * 10n ** 6n
      assert.ok(usdc > (depth * 9n) / 10n && usdc <= depth, `${usdc} of ${depth} USDC`)
    }
  })

  test('pools that are near the index only have random swaps', async () => {
    const swapper = createSwapper(1)
    assert.deepEqual(await swapper.act(0), [])
    const sent = await swapper.act(2)
    assert.equal(sent.length, 2)
    await included(sent)
  })

  test('pools follow the index up and down by one swap each', async () => {
    const swapper = createSwapper(2)
    for (const percent of [104n, 91n, 130n, 100n]) {
      const prices = scaled(percent)
      await push(prices)
      assert.ok((await offPpm(prices)).some((off) => off > 10_000n))
      await included(await swapper.act(0))
      for (const [index, off] of (await offPpm(prices)).entries()) {
        const fee = BigInt(pools[index]?.terms.fee ?? 0)
        assert.ok(off <= fee + MARGIN_PPM, `pool ${index} is ${off} millionths off`)
      }
      assert.deepEqual(await swapper.act(0), [])
    }
  })

  test('pools gain and lose liquidity, and every transaction of the provider succeeds', async () => {
    const provider = new Provider(
      { ...createDeps(3), provider: wallets[ROLES.provider] ?? '' },
      pools,
    )
    const seen = new Map<string, Set<boolean>>()
    for (let turn = 0; turn < 80; turn++) {
      const before = await depths()
      await included(await provider.act())
      const now = await depths()
      const moved = pools.findIndex((_, index) => now[index] !== before[index])
      if (moved < 0) continue
      const version = String(pools[moved]?.terms.version)
      const grew = (now[moved] ?? 0n) > (before[moved] ?? 0n)
      seen.set(version, (seen.get(version) ?? new Set()).add(grew))
    }
    assert.deepEqual([seen.get('2')?.size, seen.get('3')?.size], [2, 2])
  })

  test('pools have swaps in every round, and a change of liquidity in one of ten', async () => {
    const drawn: number[] = []
    const trading = async (isDue: boolean) => {
      const random = {
        ...seededRandom(5),
        chance: (outOf: number) => drawn.push(outOf) > 0 && isDue,
      }
      const before = await depths()
      await (await PoolTrading.start({ ...createDeps(5), wallets, random })).act(0)
      await chain.mine(++seconds)
      return (await depths()).filter((depth, index) => depth !== before[index]).length
    }
    await push(START_PRICES)
    await included(await createSwapper(5).act(0))
    assert.equal(await trading(false), 0)
    assert.deepEqual(drawn, [10])
    assert.equal(await trading(true), 1)
  })

  test('pools keep their state when the chain is restarted, and are traded again', async () => {
    const before = await depths()
    await chain.renew()
    assert.deepEqual(await depths(), before)
    const sent = await createSwapper(4).act(20)
    await included(sent)
    assert.ok(sent.length >= 20)
    assert.notDeepEqual(await depths(), before)
  })
})

const SIDES_ABI = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
])
const V3_ABI = [...SIDES_ABI, ...parseAbi(['function fee() view returns (uint24)'])]

const lower = (text: unknown) => String(text).toLowerCase()
const read = (views: readonly ViewCall[]) => readViews(chain.rpc, views)
const listViews = (to: string, abi: ViewCall['abi'], names: readonly string[]): ViewCall[] =>
  names.map((functionName) => ({ to, abi, functionName, args: [] }))
const balanceView = (to: string, owner: string): ViewCall => ({
  to,
  abi: devTokenAbi,
  functionName: 'balanceOf',
  args: [owner],
})

const createDeps = (seed: number) => ({
  rpc: chain.rpc,
  deployment,
  sender: new TxSender(chain.rpc),
  random: seededRandom(seed),
})
const createSwapper = (seed: number) =>
  new Swapper({ ...createDeps(seed), swapper: wallets[ROLES.swapper] ?? '' }, pools)

const scaled = (percent: bigint): Prices => ({
  ...START_PRICES,
  ETH: (START_PRICES.ETH * percent) / 100n,
  BTC: (START_PRICES.BTC * percent) / 100n,
  EURC: (START_PRICES.EURC * (900n + percent)) / 1_000n,
})

/** Twice, since a jump counts once a second report agrees with it. */
async function push(prices: Prices): Promise<void> {
  const symbols = TOKENS.map(({ symbol }) => symbol)
  const from = wallets[ROLES.keeper] ?? ''
  for (const at of [++seconds, ++seconds]) {
    const args = [symbols.map(bytes32), symbols.map((symbol) => prices[symbol]), at] as const
    const data = encodeFunctionData({ abi: pushOracleAbi, functionName: 'push', args })
    await new Deployer(chain, at).send([{ from, to: deployment.oracles[0], data, gas: 500_000 }])
  }
}

/** Mines the sent transactions, which must succeed. */
async function included(sent: readonly SendResult[]): Promise<void> {
  await chain.mine(++seconds)
  const hashes = sent.map((result) => ('hash' in result ? result.hash : result.refused))
  for (const receipt of await new TxSender(chain.rpc).readReceipts(hashes)) {
    assert.equal(receipt?.isDone, true)
  }
}

/** Returns the distance of each pool from `prices`, in millionths. */
async function offPpm(prices: Prices): Promise<bigint[]> {
  const states = (await read(
    pools.map(({ terms, address }) =>
      terms.version === 2
        ? { to: address, abi: v2PairAbi, functionName: 'getReserves', args: [] }
        : { to: address, abi: v3PoolAbi, functionName: 'slot0', args: [] },
    ),
  )) as [bigint, bigint][]
  return pools.map(({ terms, sides }, index) => {
    const [first, second] = states[index] ?? [0n, 0n]
    const price = terms.version === 2 ? encodeSqrtPriceX96(first, second) : first
    return distancePpm(price, fairSqrtPrice(terms, sides, prices))
  })
}

/** Returns the USDC in each pool, raw. */
const depths = async () =>
  (await read(pools.map(({ address }) => balanceView(deployment.tokens.USDC, address)))) as bigint[]
