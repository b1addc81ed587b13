// Forced closes by the real contracts: the indexer's tables equal the lens, and a fork undoes them.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { lensAbi, lensBytecode } from '@openvenue/contracts/abi/lens'
import { marketId } from '@openvenue/core/ids'
import { E18 } from '@openvenue/core/integers'
import { until } from '@openvenue/core/test/until'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { pino } from 'pino'
import { ANVIL_CHAIN_ID, AnvilVenue } from '../test/anvil-venue.ts'
import { FALL_ACCOUNTS, Fall, NOMINATION_SECONDS } from '../test/fall.ts'
import { coreViews, readViews } from '../test/perp-views.ts'
import { createIndexer, type Indexer } from './indexer.ts'
import { connectRpc } from './rpc.ts'

const { insurance, short, buyer, poor } = FALL_ACCOUNTS
const [FIRST, SECOND, THIRD] = poor
const DAY_SECONDS = 86_400

describe('a price that falls', () => {
  let venue: AnvilVenue
  let store: Store
  let indexer: Indexer
  let fall: Fall
  let lens: string
  before(async () => {
    ;[venue, store] = await Promise.all([AnvilVenue.start(), openMemoryStore()])
    fall = new Fall(venue)
    lens = await venue.create(lensAbi, lensBytecode, [])
    await fall.begin()
    indexer = createIndexer({
      store,
      deployment: venue.deployment,
      chainId: ANVIL_CHAIN_ID,
      rpcUrls: [venue.url],
      rpcWsUrls: [venue.wsUrl],
      finalityBlocks: 64,
      lagMax: 20,
      log: pino({ level: 'silent' }),
    })
    indexer.start()
  })
  after(async () => {
    await indexer.stop()
    await Promise.all([venue.stop(), store.close()])
  })

  const mineAll = async (blocks: ReturnType<Fall['liquidation']>) => {
    for (const block of blocks) await venue.mine(block)
  }

  const synced = async () => {
    const { hash, number } = await venue.head()
    const isStored = async () => (await store.writer.readHeader(number))?.hash === hash
    await until('the head is stored', isStored)
    return number
  }

  /** Compares accounts and the market in the tables with the lens, at the head. */
  const compare = async () => {
    const number = await synced()
    const state = await store.writer.loadState()
    const { perps } = venue.deployment
    const market = marketId(perps.toLowerCase(), 1)
    const accounts = [...new Set([1, 2, 3, 4, 5, ...poor])]
    const subject = { perps: perps.toLowerCase(), lens, accounts, markets: [market] }
    const { rpc, close } = connectRpc({ url: venue.url })
    try {
      assert.deepEqual(coreViews(state, subject), await readViews(rpc, subject, number))
    } finally {
      close()
    }
  }

  const rows = async (text: string) => (await store.db.primary.query(text)) as unknown[][]
  const closes = async () => {
    const closeRows = await rows(
      'SELECT kind, account, counterparty, lots, quote, fee, reward FROM forced_closes ORDER BY id',
    )
    return closeRows.map((row) => row.map((cell) => (cell === null ? null : String(cell))))
  }
  const forcedFills = async () => {
    const fillRows = await rows(
      `SELECT account, kind, is_buy, lots, tick, unit FROM fills WHERE kind <> 'trade' ORDER BY id`,
    )
    return fillRows.map((row) => row.map((cell) => (cell === null ? null : String(cell))))
  }

  test('a falling price closes a position on the book for a fee shared with the keeper', async () => {
    await mineAll(fall.liquidation())
    await compare()
    const [[kind, account, keeper, lots, quote, fee, reward] = [], ...others] = await closes()
    assert.deepEqual(others, [])
    assert.deepEqual(
      [kind, account, keeper, lots, quote],
      ['liquidation', String(FIRST), String(buyer), '10000', String(2865n * E18)],
    )
    assert.ok(BigInt(fee ?? 0) > 0n)
    assert.equal(BigInt(reward ?? 0), BigInt(fee ?? 0) / 2n)
    assert.deepEqual(await forcedFills(), [
      [String(FIRST), 'liquidation', 'f', '10000', '28650', null],
    ])
  })

  test('a falling price has insurance take over a position with its remaining margin', async () => {
    await mineAll(fall.absorption())
    await compare()
    const [, close = [], ...others] = await closes()
    assert.deepEqual(others, [])
    const [kind, account, taker, lots, quote, fee, reward] = close
    assert.deepEqual(
      [kind, account, taker, lots, quote],
      ['absorption', String(SECOND), String(insurance), '10000', String(2840n * E18)],
    )
    assert.ok(BigInt(fee ?? 0) > 0n)
    assert.equal(reward, fee)
    const state = await store.writer.loadState()
    const engine = venue.deployment.perps.toLowerCase()
    assert.equal(state.records.collateral.get(`${engine}|${SECOND}`), undefined)
  })

  test('a falling price deleverages a position against a short, and then insurance itself', async () => {
    await mineAll(fall.nominations())
    await venue.mine(fall.deleverages(), NOMINATION_SECONDS)
    await compare()
    const [, , ...later] = await closes()
    assert.deepEqual(
      later.map(([kind, account, winner, lots]) => [kind, account, winner, lots]),
      [
        ['deleverage', String(THIRD), String(short), '10000'],
        ['deleverage', String(insurance), String(short), '10000'],
      ],
    )
    // The short pays for the debt of the third. Insurance keeps its rest after the fall: 1,600,
    // plus 40 that came with the second, plus half of a fee, less 390.
    const state = await store.writer.loadState()
    const engine = venue.deployment.perps.toLowerCase()
    assert.equal(state.records.collateral.get(`${engine}|${THIRD}`), undefined)
    const collateral = state.records.collateral.get(`${engine}|${insurance}`)?.amount ?? 0n
    assert.ok(collateral > 1_250n * E18 && collateral < 1_280n * E18, String(collateral))
    const reasons = await rows('SELECT account, reason FROM position_cycles ORDER BY id')
    assert.deepEqual(
      reasons.map((row) => row.map(String)),
      [
        [String(FIRST), 'liquidation'],
        [String(SECOND), 'liquidation'],
        [String(THIRD), 'adl'],
        [String(insurance), 'adl'],
      ],
    )
  })

  test('a fork undoes forced closes, and they happen again on the new branch', async () => {
    const before = await closes()
    await venue.replace(Array.from({ length: 8 }, () => []))
    await compare()
    assert.deepEqual(await closes(), [])
    assert.deepEqual(await forcedFills(), [])
    for (const step of [
      () => fall.liquidation(),
      () => fall.absorption(),
      () => fall.nominations(),
    ])
      await mineAll(step())
    await venue.mine(fall.deleverages(), NOMINATION_SECONDS)
    await compare()
    assert.deepEqual(await closes(), before)
  })

  test('a falling price ends the market at its last mark, whatever its price does later', async () => {
    await venue.mine(fall.announcement(), 120)
    await venue.mine(fall.ends([buyer]), 3 * DAY_SECONDS)
    await compare()
    await venue.mine(fall.priceIsBack())
    await compare()
    await venue.mine(fall.ends([short, FIRST, SECOND, THIRD]), DAY_SECONDS)
    await compare()
    const { records } = await store.writer.loadState()
    assert.deepEqual(
      [...records.position.values()].filter(({ lots }) => lots !== 0n),
      [],
    )
    const id = marketId(venue.deployment.perps.toLowerCase(), 1)
    assert.equal(records.market.get(id)?.isEnded, true)
    assert.equal(records.mark.get(id)?.price, 2450n * E18)
  })
})
