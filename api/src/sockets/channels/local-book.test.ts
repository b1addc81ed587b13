// Runs the order book example of docs/SOCKETS.md as it is printed there.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Chance } from '@openvenue/core/test/scenario/chance'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import {
  channelNode,
  type Frame,
  type OpenChannel,
  ScenarioFeed,
} from '../../../test/channel-node.ts'
import { assertShape } from '../../../test/channel-shape.ts'

const DOCUMENT = new URL('../../../../docs/SOCKETS.md', import.meta.url)
const SEEDS = [1, 2, Math.floor(Math.random() * 2 ** 31)]
const BLOCKS = 80
/** Blocks in which a scenario lists its market. */
const LISTED = 2
/** No message is lost after this block. */
const LOSING_BLOCKS = 60

type Level = readonly [price: string, amount: string, orders: string]
type LocalBook = { take(frame: Frame): void; best(side: 'bids' | 'asks'): Level[] }

const text = readFileSync(DOCUMENT, 'utf8')
const [, code = ''] = /```js\n(import [^`]*class LocalBook[^`]*)```/.exec(text) ?? []
const [, example = ''] = /```json\n([^`]*)```/.exec(text) ?? []
const { LocalBook } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
  LocalBook: new (resync: () => void) => LocalBook
}

/** A local book on a channel; it requests a snapshot when it has to. */
class Follower {
  readonly book = new LocalBook(() => {
    this.#isAsked = true
    this.resyncs += 1
  })
  resyncs = 0
  readonly #channel: OpenChannel
  #isAsked = true

  constructor(channel: OpenChannel) {
    this.#channel = channel
  }

  /** Reads pending messages; of a hundred messages `lost` are lost, and some arrive twice. */
  async read(chance: Chance, lost: number): Promise<void> {
    if (this.#isAsked) this.book.take(await this.#channel.snapshot())
    this.#isAsked = false
    for (const frame of this.#channel.take()) {
      if (!chance.happens(lost)) this.book.take(frame)
      if (chance.happens(10)) this.book.take(frame)
    }
  }
}

/** Makes a local book follow a scenario, and returns how often it restarted. */
async function follow(name: string, seed: number, lost: number): Promise<number> {
  const chance = new Chance(seed)
  const feed = new ScenarioFeed()
  const blocks = randomScenario(seed, BLOCKS, { markets: ['ETH-PERP'] })
  feed.applyBlocks(blocks.slice(0, LISTED))
  const node = channelNode(feed)
  node.follow()
  const channel = node.open(name)
  const follower = new Follower(channel)
  await follower.read(chance, 0)
  for (const [index, block] of blocks.slice(LISTED).entries()) {
    feed.applyBlocks([block])
    if (index > 0 && chance.happens(10)) {
      feed.undoBlock()
      feed.applyBlocks([block])
    }
    node.follow()
    node.pass(chance.below(200))
    await follower.read(chance, index < LOSING_BLOCKS ? lost : 0)
  }
  node.pass(1000)
  await follower.read(chance, 0)
  await follower.read(chance, 0)
  const { data } = await channel.snapshot()
  const { book, resyncs } = follower
  assert.deepEqual([book.best('bids'), book.best('asks')], [data.bids, data.asks])
  return resyncs
}

describe('the documented order book', () => {
  test('the documented order book is shown a message that has the shape of those that are sent', () => {
    assertShape(JSON.parse(example))
  })

  for (const name of ['orderbook:ETH-PERP', 'orderbook-100ms:ETH-PERP'])
    for (const seed of SEEDS) {
      test(`the documented order book follows ${name} through repeats and reorgs without a resync (seed ${seed})`, async () => {
        assert.equal(await follow(name, seed, 0), 0)
      })

      test(`the documented order book detects lost messages of ${name} and resyncs (seed ${seed})`, async () => {
        assert.ok((await follow(name, seed, 30)) > 0)
      })
    }
})
