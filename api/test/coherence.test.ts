// Every body is of the block that its headers name, while blocks come and go between requests.
import assert from 'node:assert/strict'
import { get as httpGet } from 'node:http'
import { describe, test } from 'node:test'
import type { VenueBlock } from '@openvenue/core/events'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import fc from 'fast-check'
import { type ScenarioNode, scenarioNode } from './scenario-node.ts'

const MARKETS = ['ETH-USDC', 'ETH-PERP']
const URLS = [
  '/markets',
  '/markets?instrument_type=SPOT&asset=eth',
  '/index',
  '/index/ETH',
  '/assets',
  '/markets-summary',
  '/statistics/ETH/SPOT',
  '/statistics?asset=ETH',
  '/funding/ETH-PERP',
  '/funding-history/ETH-PERP',
  ...MARKETS.flatMap((name) => [
    `/markets/${name}`,
    `/orderbook/${name}`,
    `/orderbook?instrument_name=${name}&depth=2&group=5`,
    `/markets/${name}/trades`,
    `/instrument/${name}/trade-history?limit=3`,
    `/candles?instrument_name=${name}&resolution=1`,
    `/candles?instrument_name=${name}&resolution=1&fill=previous`,
    `/candles?instrument_name=${name}&resolution=60&countback=2`,
    `/last-traded-tradingview/history?symbol=${name}&resolution=5`,
    `/last-traded-tradingview/quotes?symbols=${name}`,
  ]),
]

type BlockReply = Readonly<{ url: string; hash: unknown; number: unknown; text: string }>

/** Answers through a port, where bodies from memory do not pass the routes. */
function through(port: number, url: string): Promise<BlockReply> {
  return new Promise((resolve, reject) => {
    const sent = httpGet({ port, path: url }, (response) => {
      let text = ''
      response.on('data', (bytes) => {
        text += bytes
      })
      const { 'x-block-hash': hash, 'x-block-number': number } = response.headers
      response.on('end', () => resolve({ url, hash, number, text }))
    })
    sent.on('error', reject)
  })
}

async function routed({ get }: ScenarioNode, url: string): Promise<BlockReply> {
  const { headers, text } = await get(url)
  return { url, hash: headers['x-block-hash'], number: headers['x-block-number'], text }
}

/** Returns the answers of nodes that have seen no more than a block, by block and URL. */
async function answersByBlock(blocks: readonly VenueBlock[], from: number, nowSeconds: number) {
  const answers = new Map<string, string>()
  for (let count = from; count <= blocks.length; count++) {
    const node = await scenarioNode(blocks.slice(0, count))
    node.setNow(nowSeconds)
    const hash = blocks[count - 1]?.header.hash
    for (const url of URLS) answers.set(`${hash} ${url}`, (await node.get(url)).text)
    await node.close()
  }
  return answers
}

describe('the block headers', () => {
  for (const marketsCacheMs of [0, 30_000])
    test(`the block headers name the block of the body, whatever comes meanwhile (markets kept ${marketsCacheMs} ms)`, async () => {
      const options = { environment: '', version: '', marketsCacheMs, readyCacheMs: 0 }
      const blocks = randomScenario(21, 24, { markets: ['ETH-USDC', 'ETH-PERP'] })
      const nowSeconds = blocks.at(-1)?.header.seconds ?? 0
      const from = 8
      const expected = await answersByBlock(blocks, from, nowSeconds)
      const moves = fc.array(fc.constantFrom(1, 1, 1, -1), { minLength: 10, maxLength: 20 })
      await fc.assert(
        fc.asyncProperty(moves, async (steps) => {
          const node = await scenarioNode(blocks.slice(0, from), undefined, { options })
          try {
            node.setNow(nowSeconds)
            await node.host.listen({ port: 0, host: '127.0.0.1' })
            const [address] = node.host.addresses() as { port: number }[]
            const asked: Promise<BlockReply>[] = []
            let at = from
            for (const step of steps) {
              for (const url of URLS) {
                asked.push(routed(node, url))
                asked.push(through(address?.port ?? 0, url))
              }
              await new Promise(setImmediate)
              at = move(node, blocks, { at, step, from })
            }
            for (const { url, hash, number, text } of await Promise.all(asked)) {
              assert.equal(text, expected.get(`${hash} ${url}`), `${url} at block ${number}`)
              const block = blocks.find(({ header }) => header.hash === hash)
              assert.equal(number, String(block?.header.number), url)
            }
            assert.ok(node.host.responseCache.hits > 0)
          } finally {
            await node.close()
          }
        }),
        { numRuns: 4 },
      )
    })
})

type PagePosition = Readonly<{ at: number; step: number; from: number }>

/** Adds the next block, or takes the last one back. Returns how many there are. */
function move(
  node: ScenarioNode,
  blocks: readonly VenueBlock[],
  { at, step, from }: PagePosition,
): number {
  const next = blocks[at]
  if (step < 0 && at > from) {
    node.undoBlock()
    return at - 1
  }
  if (next === undefined) return at
  node.applyBlocks([next])
  return at + 1
}
