import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FakeChain, type Views } from '../../test/fake-chain.ts'
import { ChainError } from '../chain/rpc.ts'
import { InputError } from '../input.ts'
import { readDepositRoom } from './deposit-room.ts'
import type { Address } from './typed-data.ts'
import { SigningVenue } from './venue.ts'

const ACCOUNTS: Address = '0x00000000000000000000000000000000000000a1'
const SPOT: Address = '0x00000000000000000000000000000000000000b1'
const PERPS: Address = '0x00000000000000000000000000000000000000b2'
const TOKEN: Address = '0x00000000000000000000000000000000000000c1'
const WALLET: Address = '0x00000000000000000000000000000000000000d1'
const VENUE = new SigningVenue(
  {
    network: { name: 'devnet', chain_id: 31337 },
    contracts: {
      accounts: { address: ACCOUNTS },
      spot: { address: SPOT },
      perps: { address: PERPS },
    },
    tokens: [{ symbol: 'USDC', address: TOKEN, decimals: 6 }],
  } as never,
  [],
)
const NONE = 2n ** 96n - 1n
const SCALE = 10n ** 12n

type EngineState = Readonly<{
  caps: readonly [total: bigint, perAccount: bigint]
  /** Number of the wallet's account; 0 for none. */
  account?: number
  /** Total balance of the engine, raw units. */
  inEngine?: bigint
  free?: bigint
  /** 18 decimals. */
  collateral?: bigint
}>

function chainOf({ caps, account = 7, inEngine = 0n, free = 0n, collateral = 0n }: EngineState) {
  const chain = new FakeChain([])
  const views: Views = {
    depositCapOf: () => caps,
    accountOf: () => account,
    balanceOf: (_, to) => (to === TOKEN ? inEngine : free),
    holdingOf: () => ({ collateral, markets: 0n, partlyLiquidatedAt: 0, sliceClosed: 0 }),
  }
  chain.views = views
  return chain
}

const roomOf = (state: EngineState, engine = PERPS) =>
  readDepositRoom(chainOf(state), VENUE, { engine, token: TOKEN, wallet: WALLET })

describe('readDepositRoom', () => {
  test('readDepositRoom is undefined for a wallet without a deposit cap', async () => {
    const chain = chainOf({ caps: [NONE, NONE] })
    const deposit = { engine: PERPS, token: TOKEN, wallet: WALLET }
    assert.equal(await readDepositRoom(chain, VENUE, deposit), undefined)
    assert.equal(chain.methods.length, 1)
    for (const account of [1, 2])
      assert.equal(await roomOf({ caps: [0n, 0n], account }), undefined, `account ${account}`)
  })

  test('readDepositRoom subtracts the total balance of the engine from its cap', async () => {
    const caps = [1_000n, NONE] as const
    assert.deepEqual(await roomOf({ caps, inEngine: 400n }), {
      ...{ rule: 'engine', cap: 1_000n, left: 600n },
    })
    assert.equal((await roomOf({ caps, inEngine: 1_001n }))?.left, 0n)
  })

  test('readDepositRoom subtracts the free balance from the account cap, at either engine', async () => {
    const caps = [NONE, 500n] as const
    assert.deepEqual(await roomOf({ caps, free: 20n, collateral: 400n * SCALE }, SPOT), {
      ...{ rule: 'account', cap: 500n, left: 480n },
    })
    assert.equal((await roomOf({ caps, free: 20n, collateral: 400n * SCALE + 1n }))?.left, 100n)
    assert.equal((await roomOf({ caps, collateral: 501n * SCALE }))?.left, 0n)
    assert.equal((await roomOf({ caps, account: 0, collateral: 9n * SCALE }))?.left, 500n)
  })

  test('readDepositRoom adds the debt of an account, rounded up, since a deposit repays it', async () => {
    const caps = [NONE, 500n] as const
    assert.equal((await roomOf({ caps, collateral: -3n * SCALE }))?.left, 503n)
    assert.equal((await roomOf({ caps, collateral: -3n * SCALE - 1n }))?.left, 504n)
  })

  test('readDepositRoom returns the smaller room of both caps', async () => {
    const both = { caps: [1_000n, 500n], collateral: 100n * SCALE } as const
    assert.deepEqual(await roomOf({ ...both, inEngine: 700n }), {
      ...{ rule: 'engine', cap: 1_000n, left: 300n },
    })
    assert.equal((await roomOf({ ...both, inEngine: 100n }))?.rule, 'account')
  })

  test('readDepositRoom throws if the node does not answer or the input is invalid', async () => {
    const deposit = { engine: PERPS, token: TOKEN, wallet: WALLET }
    const rooms = (request: () => Promise<unknown>, input: object = deposit) =>
      readDepositRoom({ request }, VENUE, input as never)
    await assert.rejects(
      rooms(() => Promise.reject(new Error('down'))),
      ChainError,
    )
    await assert.rejects(
      rooms(async () => '0x'),
      ChainError,
    )
    await assert.rejects(
      rooms(async () => '0x', { ...deposit, wallet: 'me' }),
      InputError,
    )
    await assert.rejects(readDepositRoom({} as never, VENUE, deposit), InputError)
  })
})
