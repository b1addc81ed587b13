import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { decodeGolden, type Golden } from '@openvenue/core/test/scenario/golden'
import { MARKETS } from '../../src/markets.ts'
import { seededRandom } from '../../src/random.ts'
import { RandomCalls } from './random-calls.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import { GENESIS_SECONDS, RECORDED_SCENARIOS, recorded } from './scenarios.ts'

const GOLDEN = join(import.meta.dirname, '../../../core/golden')
const SEED = Number(process.env.SEED || Date.now() % 2 ** 32)
const BLOCKS = 100
const CALLS_MAX = 8

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'openvenue-recorded-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** The same without parts that depend on every byte of the contracts. */
const withoutHashes = ({ title, steps }: Golden) => ({
  title,
  steps: steps.map((step) => {
    if ('undo' in step) return step
    const { number, seconds } = step.header
    return { number, seconds, events: step.events.map((event) => ({ ...event, txHash: '' })) }
  }),
})

describe('a recorded scenario', () => {
  for (const scenario of RECORDED_SCENARIOS)
    test(`the record of ${scenario.name} still equals the contracts and the core at each block`, async () => {
      const golden = decodeGolden(
        readFileSync(join(GOLDEN, `${scenario.name}.events.jsonl`), 'utf8'),
      )
      assert.deepEqual(withoutHashes(await recorded(scenario, dataDir)), withoutHashes(golden))
    })
})

test('a core that differs from the contracts by the smallest amount is detected', async () => {
  const markets = MARKETS.filter(({ name }) => name === 'ETH-PERP')
  const venue = await startRecorder({ dataDir, seconds: GENESIS_SECONDS, markets })
  try {
    await venue.block(venue.seconds + 1, new RandomCalls(venue, seededRandom(SEED)).deposits())
    const { collateral } = venue.state.records
    const [key = '', row] = [...collateral][0] ?? []
    assert.ok(row !== undefined)
    collateral.set(key, { ...row, amount: row.amount + 1n })
    await assert.rejects(venue.block(venue.seconds + 1, []), /the core \(\+\) differs/)
  } finally {
    await venue.stop()
  }
})

describe(`${BLOCKS} random blocks (SEED=${SEED})`, () => {
  test('random blocks leave core and contracts agreed on books, balances, margins, marks and funding', async (t) => {
    const markets = MARKETS.filter(({ asset }) => ['ETH', 'SOL'].includes(asset))
    const venue = await startRecorder({ dataDir, seconds: GENESIS_SECONDS, markets })
    try {
      const { done, asked: tried } = await actAtRandom(venue)
      t.diagnostic(`SEED=${SEED}: ${done} of ${tried} calls succeeded; ${countChanges(venue)}`)
      assert.ok(done > tried / 4, `${done} of ${tried} calls succeeded`)
    } finally {
      await venue.stop()
    }
  })
})

async function actAtRandom(venue: Recorder) {
  const random = seededRandom(SEED)
  const calls = new RandomCalls(venue, random)
  let [done, tried] = [0, 0]
  const act = async (seconds: number, block: Parameters<Recorder['block']>[1]) => {
    const results = await venue.block(seconds, block)
    tried += results.length
    done += results.filter(Boolean).length
  }
  await act(venue.seconds + 1, [...calls.prices(venue.seconds + 1), ...calls.deposits()])
  for (let block = 0; block < BLOCKS; block++) {
    const seconds = venue.seconds + randomPause(random)
    const prices = random.chance(5) ? [] : calls.prices(seconds)
    const count = 1 + random.whole(CALLS_MAX)
    await act(seconds, [
      ...prices,
      ...Array.from({ length: count }, () => calls.pickCall(seconds)).flat(),
    ])
  }
  return { done, asked: tried }
}

/** Usually seconds, sometimes a part of an hour, rarely hours. */
function randomPause(random: ReturnType<typeof seededRandom>): number {
  if (random.chance(40)) return random.whole(3 * 3600)
  return random.chance(8) ? random.whole(3600) : random.whole(40)
}

function countChanges({ blocks }: Recorder): string {
  const counts = new Map<string, number>()
  for (const event of blocks.flatMap(({ events }) => events)) {
    const name = event.type === 'Cancelled' ? event.reason : event.type
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ')
}
