// Claims of accounts, summed block by block, and their comparison with the engines' balances.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BlockChanges } from '@openvenue/core/changes'
import { emptyState } from '@openvenue/core/state'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { Scenario } from '@openvenue/core/test/scenario/scenario'
import { until } from '@openvenue/core/test/until'
import { applyBlock } from '@openvenue/core/venue'
import { type RpcCall, RpcError } from '@openvenue/runtime/json-rpc'
import { ClaimSums } from './claims.ts'
import { type Holding, Solvency } from './solvency.ts'

const SPOT = `0x${'5'.repeat(40)}`
const PERPS = `0x${'7'.repeat(40)}`
const BLOCKS = 100
/** Maximum distance to the chain's head for a comparison, and maximum number of waiting blocks. */
const BEHIND_MAX = 64
/** Maximum number of blocks per round of requests. */
const AT_ONCE_MAX = 8
const RICH = 1_000_000n

const claimsOf = (sums: ClaimSums) => {
  const { spot, perps } = sums.read() ?? assert.fail('no block yet')
  return { spot: new Map([...spot].filter(([, amount]) => amount !== 0n)), perps }
}

/** Deposits of two tokens, then blocks with a trade each. */
function deposits(): Scenario {
  const scenario = new Scenario().index('ETH', 3000n * 10n ** 18n).list('ETH-USDC')
  scenario.deposit('alice', 'USDC', RICH).deposit('bob', 'ETH', RICH).next()
  return scenario
}

describe('claims', () => {
  test('claims on an engine summed block by block equal those of the state at each block', () => {
    const state = emptyState()
    const sums = new ClaimSums()
    sums.load(state)
    const blocks = randomScenario(Number(process.env.SEED ?? 1), BLOCKS)
    for (const block of blocks) {
      sums.take(applyBlock(state, block))
      const anew = new ClaimSums()
      anew.load(state)
      assert.deepEqual(claimsOf(sums), claimsOf(anew), `block ${block.header.number}`)
    }
    assert.ok(claimsOf(sums).spot.size > 1)
    assert.notEqual(claimsOf(sums).perps, 0n)
  })

  test('claims on an engine equal deposits less withdrawals, whoever wins', () => {
    const state = emptyState()
    const scenario = new Scenario().index('ETH', 3000n * 10n ** 18n).list('ETH-PERP')
    for (const who of ['alice', 'bob']) scenario.deposit(who, 'USDC', RICH)
    scenario.place('bob', 'sell', 300_000, 100n).place('alice', 'buy', 300_000, 100n).next()
    scenario
      .index('ETH', 3300n * 10n ** 18n)
      .poke()
      .next(3600)
      .poke()
      .next()
    scenario.withdraw('alice', 'USDC', 1_000n).next()
    for (const block of scenario.blocks()) applyBlock(state, block)
    const sums = new ClaimSums()
    sums.load(state)
    assert.equal(claimsOf(sums).perps, (2n * RICH - 1_000n) * 10n ** 18n)
  })
})

type Balances = (token: string, block: number) => bigint

/** A node with balances by block, which refuses requests that `refuses` matches. */
class TokenNode {
  isDown = false
  refuses = (_token: string, _block: number): boolean => false
  readonly #numbers: ReadonlyMap<string, number>
  readonly #balances: Balances
  readonly #collateral: string

  constructor(blocks: readonly BlockChanges[], balances: Balances, collateral: string) {
    this.#numbers = new Map(blocks.map(({ header }) => [header.hash, header.number]))
    this.#balances = balances
    this.#collateral = collateral
  }

  /** Current and maximum number of concurrent requests. */
  #open = 0
  openMost = 0

  readonly rpc = async (calls: readonly RpcCall[]): Promise<readonly unknown[]> => {
    this.#open += 1
    this.openMost = Math.max(this.openMost, this.#open)
    await new Promise(setImmediate)
    this.#open -= 1
    return calls.map(({ params }) => {
      const [{ to }, { blockHash }] = params as [{ to: string }, { blockHash: string }]
      const number = this.#numbers.get(blockHash)
      if (this.isDown || number === undefined) throw new RpcError('unreachable', 'no answer')
      if (this.refuses(to, number)) throw new RpcError('refused', 'execution reverted')
      const value = to === PERPS ? BigInt(this.#collateral) : this.#balances(to, number)
      return `0x${value.toString(16).padStart(64, '0')}`
    })
  }
}

type BlockHolding = Readonly<{ block: number }> & Holding

/** Runs a comparison of `blocks` while `work` runs. */
async function comparing(
  { held, head }: Readonly<{ held?: Balances; head?: () => number }>,
  work: (run: {
    blocks: readonly BlockChanges[]
    node: TokenNode
    solvency: Solvency
    compared: BlockHolding[]
    failures: unknown[]
    turns: (readonly [block: number, isShort: boolean])[]
  }) => Promise<void>,
): Promise<void> {
  const scenario = deposits()
  for (let block = 0; block < BLOCKS; block++)
    scenario.place('bob', 'sell', 300_000, 1n).place('alice', 'buy', 300_000, 1n).next()
  const state = emptyState()
  const blocks = scenario.blocks().map((block) => applyBlock(state, block))
  const node = new TokenNode(blocks, held ?? (() => 10n ** 30n), usdc(blocks))
  const compared: BlockHolding[] = []
  const failures: unknown[] = []
  const turns: (readonly [block: number, isShort: boolean])[] = []
  const solvency = new Solvency({
    rpc: node.rpc,
    deployment: { spot: SPOT, perps: PERPS },
    headNumber: head ?? (() => undefined),
    compared: (block, holding) => {
      compared.push({ block, ...holding })
    },
    turned: (block, { claimed, held: of }) => void turns.push([block, claimed > of]),
    failed: (error) => {
      failures.push(error)
    },
  })
  const stopped = new AbortController()
  const running = solvency.run(stopped.signal)
  try {
    solvency.loaded(emptyState())
    await work({ blocks, node, solvency, compared, failures, turns })
  } finally {
    stopped.abort()
    await running
  }
}

function usdc(blocks: readonly BlockChanges[]): string {
  for (const { what, after } of blocks.flatMap(({ changes }) => changes))
    if (what === 'token' && after?.symbol === 'USDC') return after.address
  throw new Error('no USDC')
}

const numbersOf = (blocks: readonly BlockChanges[]) => blocks.map(({ header }) => header.number)
const blocksOf = (compared: readonly BlockHolding[], symbol: string, engine = 'spot') =>
  compared
    .filter((holding) => holding.symbol === symbol && holding.engine === engine)
    .map(({ block }) => block)

describe('the comparison of holdings', () => {
  test('holdings of an engine are compared at every block with the balance of that block', async () => {
    const balances: Balances = (_, block) => BigInt(block)
    await comparing({ held: balances }, async ({ blocks, solvency, compared }) => {
      const some = blocks.slice(0, BEHIND_MAX)
      solvency.committed(some.slice(0, 1))
      solvency.committed(some.slice(1, 40))
      solvency.committed(some.slice(40))
      await until(
        'they are compared',
        () => blocksOf(compared, 'USDC', 'perps').length >= some.length,
      )
      for (const symbol of ['USDC', 'ETH'])
        assert.deepEqual(blocksOf(compared, symbol), numbersOf(some), symbol)
      assert.deepEqual(blocksOf(compared, 'USDC', 'perps'), numbersOf(some))
      for (const { block, engine, held: of } of compared)
        if (engine === 'spot') assert.equal(of, BigInt(block))
      const [{ claimed, scale } = assert.fail('nothing')] = compared
      assert.equal(claimed, RICH * scale)
    })
  })

  test('a shortfall of holdings at a single block is reported, and so is its end', async () => {
    const lacking = 7
    const balances: Balances = (_, block) => (block === lacking ? 1n : 10n ** 30n)
    await comparing({ held: balances }, async ({ blocks, solvency, compared, turns }) => {
      solvency.committed(blocks.slice(0, 10))
      await until('they are compared', () => blocksOf(compared, 'USDC', 'perps').length >= 10)
      // Two tokens of the spot engine; the other engine has no claims.
      const both = [lacking, lacking + 1].flatMap((block) => [block, block])
      assert.deepEqual(
        turns,
        both.map((block) => [block, block === lacking]),
      )
    })
  })

  test('holdings of several blocks are requested at once, so that a slow node keeps up', async () => {
    await comparing({}, async ({ blocks, node, solvency, compared }) => {
      solvency.committed(blocks.slice(0, BEHIND_MAX))
      await until(
        'they are compared',
        () => blocksOf(compared, 'USDC', 'perps').length >= BEHIND_MAX,
      )
      assert.equal(node.openMost, AT_ONCE_MAX)
    })
  })

  test('only the newest blocks have their holdings compared when too many blocks wait', async () => {
    await comparing({}, async ({ blocks, solvency, compared }) => {
      solvency.committed(blocks)
      const last = blocks.slice(-BEHIND_MAX)
      await until(
        'they are compared',
        () => blocksOf(compared, 'USDC', 'perps').length >= last.length,
      )
      assert.deepEqual(blocksOf(compared, 'ETH'), numbersOf(last))
    })
  })

  test("blocks far behind the chain's head do not have their holdings compared", async () => {
    let number = 0
    await comparing({ head: () => number }, async ({ blocks, solvency, compared }) => {
      number = (blocks[0]?.header.number ?? 0) + 20 + BEHIND_MAX
      solvency.committed(blocks.slice(0, 40))
      await until('they are compared', () => blocksOf(compared, 'USDC', 'perps').length >= 20)
      assert.deepEqual(blocksOf(compared, 'USDC'), numbersOf(blocks.slice(20, 40)))
    })
  })

  test('a token that refuses does not hide other tokens, and is asked again at the last block', async () => {
    await comparing({}, async ({ blocks, node, solvency, compared, failures }) => {
      const collateral = usdc(blocks)
      node.refuses = (token) => token !== collateral && token !== PERPS
      solvency.committed(blocks.slice(0, 10))
      await until('it has failed', () => failures.length >= 10)
      assert.deepEqual(blocksOf(compared, 'USDC').slice(0, 10), numbersOf(blocks.slice(0, 10)))
      assert.deepEqual(blocksOf(compared, 'ETH'), [])
      node.refuses = () => false
      await until('they are compared', () => blocksOf(compared, 'ETH').length > 0)
      assert.deepEqual(blocksOf(compared, 'ETH'), numbersOf(blocks.slice(9, 10)))
    })
  })

  test('the comparison of holdings waits for a node without an answer: no block is skipped', async () => {
    await comparing({}, async ({ blocks, node, solvency, compared, failures }) => {
      node.isDown = true
      solvency.committed(blocks.slice(0, 5))
      await until('it has failed', () => failures.length >= 1)
      solvency.committed(blocks.slice(5, 10))
      node.isDown = false
      await until('they are compared', () => blocksOf(compared, 'USDC', 'perps').length >= 10)
      assert.deepEqual(blocksOf(compared, 'USDC'), numbersOf(blocks.slice(0, 10)))
    })
  })

  test('the comparison of holdings skips a block without state at its node', async () => {
    await comparing({}, async ({ blocks, node, solvency, compared, failures }) => {
      const [oldest = Number.NaN] = numbersOf(blocks.slice(8, 9))
      node.refuses = (_, block) => block < oldest
      solvency.committed(blocks.slice(0, 20))
      await until('they are compared', () => blocksOf(compared, 'USDC', 'perps').length >= 12)
      assert.deepEqual(blocksOf(compared, 'USDC'), numbersOf(blocks.slice(8, 20)))
      // The first block is retried twice, and each skipped block is reported.
      assert.equal(failures.length, 2 + 8)
    })
  })

  test('comparisons of holdings start over with the state, without undone blocks', async () => {
    await comparing({}, async ({ blocks, solvency, compared, failures }) => {
      const gone = { ...blocks[0], header: { ...blocks[0]?.header, hash: '0xgone' } }
      solvency.committed([gone as BlockChanges])
      await until('it has failed', () => failures.length >= 1)
      solvency.loaded(emptyState())
      solvency.committed(blocks.slice(0, 3))
      await until('they are compared', () => blocksOf(compared, 'USDC', 'perps').length >= 3)
      assert.deepEqual(blocksOf(compared, 'USDC'), numbersOf(blocks.slice(0, 3)))
    })
  })
})
