import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { ASSETS_MAX, PRICE_MAX, PricesUnusable, parsePrices, pricesAt } from './http-prices.ts'

describe('prices in JSON', () => {
  test('prices are parsed from decimal text, exact to 18 decimals', () => {
    const { prices, seconds } = parsePrices('{"ETH":"3200.5","SMALL":"0.000000000000000001"}', 77)
    assert.deepEqual(
      [...prices],
      [
        ['ETH', (32_005n * E18) / 10n],
        ['SMALL', 1n],
      ],
    )
    assert.equal(seconds, 77)
  })

  test('prices up to the maximum of the oracle are accepted', () => {
    const most = `${PRICE_MAX / E18}.${(PRICE_MAX % E18).toString().padStart(18, '0')}`
    assert.equal(parsePrices(`{"ETH":"${most}"}`, 0).prices.get('ETH'), PRICE_MAX)
    assert.throws(() => parsePrices('{"ETH":"79228162515"}', 0), PricesUnusable)
  })

  for (const [text, sentence] of [
    ['3200', /^prices are invalid: expected a JSON object$/],
    ['[]', /^prices are invalid: expected a JSON object$/],
    ['null', /^prices are invalid: expected a JSON object$/],
    ['<html>', /^prices are invalid: expected a JSON object$/],
    ['{"ETH":3200.5}', /^price of ETH is invalid: got .+, expected decimal text above 0/],
    ['{"ETH":"0"}', /^price of ETH is invalid: got .+, expected decimal text above 0/],
    ['{"ETH":"-1"}', /^price of ETH is invalid: got .+, expected decimal text above 0/],
    ['{"ETH":"1e3"}', /^price of ETH is invalid: got .+, expected decimal text above 0/],
    ['{"ETH":"1.0000000000000000001"}', /with at most 18 decimals$/],
    ['{"":"1"}', /^asset is invalid: got "", expected 1 to 12 ASCII characters$/],
    ['{"THIRTEENCHARS":"1"}', /^asset is invalid: got .+, expected 1 to 12 ASCII/],
    ['{"É":"1"}', /^asset is invalid: got .+, expected 1 to 12 ASCII/],
  ] as const)
    test(`the price answer ${text} is refused with the rule`, () => {
      assert.throws(() => parsePrices(text, 0), { name: 'PricesUnusable', message: sentence })
    })

  test(`a price answer may have at most ${ASSETS_MAX} prices`, () => {
    const of = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`A${n}`, '1'])))
    assert.equal(parsePrices(of(ASSETS_MAX), 0).prices.size, ASSETS_MAX)
    assert.throws(() => parsePrices(of(ASSETS_MAX + 1), 0), /prices: got 65, expected at most 64$/)
  })
})

describe('prices at a URL', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })
  const sourceThat = async (answers: RequestListener) => {
    server = createServer(answers).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return pricesAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, () => 1_700_999)
  }

  test('prices are dated at the time of the answer', async () => {
    const source = await sourceThat((_, response) => response.end('{"ETH":"1"}'))
    assert.deepEqual(await source.prices(), { prices: new Map([['ETH', E18]]), seconds: 1_700 })
  })

  test('an answer of the price source with a status other than 200 is refused', async () => {
    const source = await sourceThat((_, response) => response.writeHead(503).end('{"ETH":"1"}'))
    await assert.rejects(source.prices(), { message: 'the price source answered 503' })
  })

  test('an endless answer of the price source is refused', async () => {
    const source = await sourceThat((_, response) => response.end(' '.repeat(64 * 1024 + 1)))
    await assert.rejects(source.prices(), /is too long: expected at most 65536 bytes/)
  })

  test('the keeper waits no longer than three seconds for prices', async (t) => {
    const source = await sourceThat(() => {})
    const limitsMs: number[] = []
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    t.mock.method(AbortSignal, 'timeout', (ms: number) => {
      limitsMs.push(ms)
      return timeout(ms / 100)
    })
    await assert.rejects(source.prices(), { message: 'the price source does not answer' })
    assert.deepEqual(limitsMs, [3_000])
  })

  test('prices cannot be read when their source is not reachable', async () => {
    const source = await sourceThat(() => {})
    server?.close()
    await once(server as Server, 'close')
    await assert.rejects(source.prices(), { message: 'the price source does not answer' })
  })
})
