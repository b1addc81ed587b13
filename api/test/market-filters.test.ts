// Filters by market, on every endpoint that has one: a filter that selects no market is refused by
// name.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { randomTale } from '@openvenue/core/test/scenario/random-scenario'
import { type HistoryNode, historyNode } from './history-node.ts'

type Parameter = Readonly<{ name: string; in: string }>
type Operation = Readonly<{ parameters?: readonly Parameter[]; security?: readonly object[] }>
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

const document = JSON.parse(
  await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Readonly<{ paths: Paths }>

/** Endpoints of accounts with a filter by `name`. */
const filteredBy = (name: string): readonly string[] =>
  Object.entries(document.paths).flatMap(([path, { get }]) => {
    const isFiltered = get?.parameters?.some((one) => one.in === 'query' && one.name === name)
    const isOfAccount = (get?.security?.length ?? 0) > 0
    return isFiltered && isOfAccount && !path.includes('{') ? [path] : []
  })

type Problem = Readonly<{
  error: string
  details: readonly Readonly<{ field: string; message: string; nearest?: string }>[]
}>

describe('a filter that selects no market', () => {
  let node: HistoryNode
  before(async () => {
    node = await historyNode(randomTale(5, 60))
  })
  after(() => node.close())

  const refusal = async (who: string, url: string) => {
    const { status, body } = await node.ask(who, url)
    const { error, details } = body as Problem
    return { status, error, detail: details?.[0] }
  }

  test('a filter that selects no market is looked for at every endpoint that has one', () => {
    assert.ok(filteredBy('instrument_name').length >= 6, filteredBy('instrument_name').join())
    assert.ok(filteredBy('asset').length >= 7, filteredBy('asset').join())
  })

  for (const path of filteredBy('instrument_name'))
    for (const [name, nearest] of [
      ['eth-perp', 'ETH-PERP'],
      ['ETH-PREP', 'ETH-PERP'],
      ['NOTHING', undefined],
    ] as const)
      test(`a filter by ${name} that selects no market is refused by GET ${path}, even for an account without rows`, async () => {
        for (const who of ['alice', 'nobody at all']) {
          const { status, error, detail } = await refusal(who, `${path}?instrument_name=${name}`)
          assert.deepEqual([status, error], [404, 'INSTRUMENT_NOT_FOUND'])
          assert.deepEqual([detail?.field, detail?.nearest], ['instrument_name', nearest])
        }
      })

  for (const path of filteredBy('asset'))
    test(`a filter by an asset without a market is refused by GET ${path}; one in any case is not`, async () => {
      const { status, detail } = await refusal('alice', `${path}?asset=etc`)
      assert.ok([400, 404].includes(status), String(status))
      assert.deepEqual([detail?.field, detail?.nearest], ['asset', 'ETH'])
      // Tables are not JSON.
      if (!path.endsWith('/csv'))
        assert.notEqual((await refusal('alice', `${path}?asset=eth`)).detail?.field, 'asset')
    })

  test('a filter that selects no market names the market that has another type or asset', async () => {
    const spot = await refusal('alice', '/position-history?instrument_name=ETH-USDC')
    assert.equal(
      spot.detail?.message,
      'instrument_name has no PERPETUAL market: got ETH-USDC, expected SPOT',
    )
    const typed = await refusal('alice', '/open-orders?asset=SOL&instrument_type=SPOT')
    assert.equal(typed.detail?.message, 'asset has no SPOT market: got SOL, expected PERPETUAL')
    const asset = await refusal('alice', '/trade-history?instrument_name=ETH-PERP&asset=BTC')
    assert.deepEqual([asset.detail?.field, asset.detail?.nearest], ['asset', 'ETH'])
  })
})
