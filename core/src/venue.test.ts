import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { SPOT_ENGINE } from '../test/scenario/listing.ts'
import { randomScenario } from '../test/scenario/random-scenario.ts'
import { replay, stateContent } from '../test/scenario/replay.ts'
import { scenario } from '../test/scenario/scenario.ts'
import { type BlockChanges, invertChanges } from './changes.ts'
import type { LoggedEvent, VenueBlock } from './events.ts'
import { emptyState, fold, loaded, type StateKind, type VenueState } from './state.ts'
import { applyBlock } from './venue.ts'

// Properties are checked on seeded random scenarios; fast-check prints the seed that fails.
const RUNS = 12
const BLOCKS = 120
const seeds = fc.integer({ min: 0, max: 2 ** 31 })
const holds = (claim: (blocks: VenueBlock[]) => void) =>
  fc.assert(
    fc.property(seeds, (seed) => claim(randomScenario(seed, BLOCKS))),
    { numRuns: RUNS },
  )

/** The events of all blocks as if in one second, during which nothing expires. */
const inOneSecond = (blocks: readonly VenueBlock[]): LoggedEvent[] =>
  blocks
    .flatMap(({ events }) => events)
    .filter(({ type }) => type !== 'FundingSettled')
    .map((event) => ({
      ...event,
      ...('goodTil' in event ? { goodTil: 0 } : {}),
      ...('time' in event ? { time: 0 } : {}),
    }))

const splitTransactions = (events: readonly LoggedEvent[]): LoggedEvent[][] => [
  ...Map.groupBy(events, ({ txHash }) => txHash).values(),
]

const makeHeader = (number: number) => ({
  number,
  hash: `0x${number}`,
  parentHash: `0x${number - 1}`,
  seconds: 3600,
})

const NO_PLACE = { blockNumber: 0, logIndex: 0, openId: '' }

/** Spot marks are computed at the end of a block, so a mid between two orders may be missed. */
const isSpotMark = (key: string) => key.replace('mark:', '').startsWith(SPOT_ENGINE)

/** The records of a state without the positions of their logs. */
const withoutLogPositions = (state: VenueState) =>
  Object.entries(state.records).map(([kind, records]) => [
    kind,
    new Map(
      [...records]
        .filter(([key]) => !((kind === 'mark' || kind === 'priceMinute') && isSpotMark(key)))
        .map(([key, record]) => [key, { ...record, ...NO_PLACE }]),
    ),
  ])

describe('a venue that applies blocks', () => {
  test('a venue that applies blocks is restored when its changes are undone, at every depth', () => {
    holds((blocks) => {
      const state = emptyState()
      const before: VenueState[] = []
      const done: BlockChanges[] = []
      for (const block of blocks) {
        before.push(structuredClone(state))
        done.push(applyBlock(state, block))
      }
      for (const { changes } of done.reverse()) {
        fold(state, invertChanges(changes))
        assert.deepEqual(stateContent(state), stateContent(before.pop() as VenueState))
      }
      assert.deepEqual(stateContent(state), stateContent(emptyState()))
    })
  })

  test('a venue that applies blocks is the same whether its logs come in blocks of one transaction or of a thousand', () => {
    holds((blocks) => {
      const transactions = splitTransactions(inOneSecond(blocks))
      const sized = (size: number) => {
        const state = emptyState()
        for (let at = 0; at < transactions.length; at += size)
          applyBlock(state, {
            header: makeHeader(at + 1),
            events: transactions.slice(at, at + size).flat(),
          })
        return state
      }
      const single = sized(1)
      assert.deepEqual(withoutLogPositions(sized(1000)), withoutLogPositions(single))
      assert.deepEqual(stateContent(sized(1000)).levels, stateContent(single).levels)
    })
  })

  test('a venue that applies blocks is the same after a restart from its rows at any block', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: BLOCKS - 1 }), (seed, at) => {
        const blocks = randomScenario(seed, BLOCKS)
        const { state } = replay(blocks)
        const first = replay(blocks.slice(0, at)).state
        const restarted = emptyState()
        restarted.head = first.head
        for (const [kind, records] of Object.entries(first.records))
          for (const record of [...records.values()].reverse())
            fold(restarted, [loaded(kind as StateKind, record as never)])
        for (const block of blocks.slice(at)) applyBlock(restarted, block)
        assert.deepEqual(stateContent(restarted), stateContent(state))
      }),
      { numRuns: RUNS },
    )
  })

  test('a venue that applies blocks is reproduced exactly by folding the changes of its blocks, also across a reorg', () => {
    holds((blocks) => {
      const state = emptyState()
      const follower = emptyState()
      for (const block of blocks) {
        const head = state.head
        const { changes } = applyBlock(state, block)
        fold(follower, changes)
        assert.deepEqual(stateContent(follower), stateContent(state))
        // The block is not final: it is undone and applied again.
        if (block.header.number % 10 !== 0) continue
        for (const side of [state, follower]) fold(side, invertChanges(changes))
        state.head = head
        fold(follower, applyBlock(state, block).changes)
        assert.deepEqual(stateContent(follower), stateContent(state))
      }
    })
  })

  test('a venue that applies blocks changes each slot once per block', () => {
    holds((blocks) => {
      for (const { changes } of replay(blocks).all) {
        const slots = changes.map(({ what, key }) => `${what} ${key}`)
        assert.equal(new Set(slots).size, slots.length)
        for (const { before, after } of changes) assert.notDeepEqual(before, after)
      }
    })
  })
})

describe('a block', () => {
  const [first, second] = scenario().list('ETH-USDC').next().next().blocks() as [
    VenueBlock,
    VenueBlock,
  ]
  const refused = (block: VenueBlock, message: RegExp) => {
    const state = emptyState()
    applyBlock(state, first)
    const before = structuredClone(state)
    assert.throws(() => applyBlock(state, block), { name: 'InvariantError', message })
    assert.deepEqual(state, before)
  }
  const withHeader = (header: Partial<VenueBlock['header']>) => ({
    ...second,
    header: { ...second.header, ...header },
  })

  test('a block that does not follow the head is rejected', () => {
    refused(withHeader({ parentHash: '0x00' }), /follows on the head/)
  })

  test('a block that was already applied is rejected', () => {
    refused(first, /blocks come in order/)
  })

  test('a block with an earlier time than its parent is rejected', () => {
    refused(withHeader({ seconds: 0 }), /does not go back/)
  })

  test('a block with an impossible event is rejected as a whole: the state is unchanged', () => {
    const { market } = scenario().list('ETH-USDC')
    const { id } = market.listing
    const position = { logIndex: 0, txHash: '0x' }
    const halt = { type: 'Halted', market: id, halted: true, ...position } as const
    const cancel = {
      type: 'Cancelled',
      market: id,
      account: 3,
      order: 9,
      lots: 1n,
      reason: 'USER',
      ...position,
    } as const
    refused({ ...second, events: [halt, cancel] }, /only a resting order changes/)
  })
})
