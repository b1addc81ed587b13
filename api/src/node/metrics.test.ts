import assert from 'node:assert/strict'
import { get } from 'node:http'
import { describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { funded } from '../../test/funded.ts'
import { BROKEN_READER, scenarioNode } from '../../test/scenario-node.ts'
import { RouteMeter } from '../http/route-meter.ts'
import { processMetrics, sharedMetrics } from './metrics.ts'

const readMetrics = async (overrides = {}) => {
  const node = await scenarioNode(funded('ETH-USDC').blocks(), undefined, overrides)
  const scrape = async () => {
    const { statusCode, headers, body } = await node.host.inject('/metrics')
    assert.equal(statusCode, 200)
    assert.match(String(headers['content-type']), /^text\/plain/)
    return body
  }
  /** Returns the value of a series, or undefined. */
  const valueAt = async (series: string) => {
    const line = (await scrape()).split('\n').find((text) => text.startsWith(`${series} `))
    return line === undefined ? undefined : Number(line.slice(series.length + 1))
  }
  return { ...node, scrape, valueAt }
}
const requests = (route: string, status: number) =>
  `openvenue_api_requests_total{route="${route}",status="${status}"}`

describe('GET /metrics', () => {
  test('GET /metrics counts answers by declared route and status', async () => {
    const { get: ask, valueAt, close } = await readMetrics()
    for (const url of ['/markets/ETH-USDC', '/markets/x', '/markets/ETH-USDC/', '/a', '/b'])
      await ask(url)
    assert.equal(await valueAt(requests('/markets/:instrument_id', 200)), 2)
    assert.equal(await valueAt(requests('/markets/:instrument_id', 404)), 1)
    assert.equal(await valueAt(requests('none', 404)), 2)
    await close()
  })

  test('GET /metrics counts answers from memory like those of the routes, and refused ones too', async () => {
    let allowed = true
    const consume = async () => ({ allowed, remaining: 0, resetMs: 1 })
    const rates = { consume, publicRate: { points: 1, seconds: 1 }, proxyHops: 0 }
    const { host, valueAt, close } = await readMetrics({ rates })
    await host.listen({ port: 0, host: '127.0.0.1' })
    const [address] = host.addresses() as { port: number }[]
    const ask = () =>
      new Promise((resolve, reject) => {
        const request = get({ port: address?.port, path: '/time' }, (response) =>
          response.resume().on('end', resolve),
        )
        request.on('error', reject)
      })
    for (let i = 0; i < 3; i++) await ask()
    allowed = false
    await ask()
    allowed = true
    assert.equal(await valueAt(requests('/time', 200)), 3)
    assert.equal(await valueAt(requests('/time', 429)), 1)
    assert.equal(await valueAt('openvenue_api_cached_answers_total'), 3)
    const timed = 'openvenue_api_request_seconds_count{route="/time",status="200"}'
    assert.equal(await valueAt(timed), 3)
    await close()
  })

  test('GET /metrics reports the progress of the node', async () => {
    const { valueAt, setNow, model, close } = await readMetrics()
    setNow((model.head?.seconds ?? 0) + 7)
    assert.equal(await valueAt('openvenue_api_head_block'), 1)
    assert.equal(await valueAt('openvenue_api_feed_seq'), model.seq)
    assert.equal(await valueAt('openvenue_api_head_age_seconds'), 7)
    await close()
  })

  test('GET /metrics reports the process if its metrics are enabled', async () => {
    const bare = await readMetrics()
    assert.equal(await bare.valueAt('process_resident_memory_bytes'), undefined)
    await bare.close()
    const whole = await readMetrics({
      processMetrics: processMetrics({ db: {}, cache: { isFallback: () => false } }),
    })
    assert.ok(Number(await whole.valueAt('process_resident_memory_bytes')) > 0)
    assert.ok((await whole.scrape()).includes('nodejs_eventloop_lag_seconds'))
    await whole.close()
  })

  test('GET /metrics gives each count the type counter and a name that ends in _total', async () => {
    const { scrape, close } = await readMetrics()
    const types = [...(await scrape()).matchAll(/^# TYPE openvenue_api_(\w+) (\w+)$/gm)]
    const counters = types.flatMap(([, name = '', type]) => (type === 'counter' ? name : []))
    assert.deepEqual(counters.toSorted(), [
      'cached_answers_total',
      'compressed_bytes_total',
      'feed_breaks_total',
      'orders_accepted_total',
      'orders_refused_total',
      'requests_total',
      'socket_bytes_total',
      'socket_closed_flooding_total',
      'socket_closed_shed_total',
      'socket_closed_slow_total',
      'socket_frames_total',
      'socket_handshakes_refused_total',
      'socket_handshakes_total',
      'socket_snapshots_total',
      'uncompressed_bodies_total',
    ])
    const others = types.filter(
      ([, name = '', type]) => name.endsWith('_total') && type !== 'counter',
    )
    assert.deepEqual(others, [])
    await close()
  })

  test('GET /metrics is text whose lines are comments or series with a number', async () => {
    const { get: ask, scrape, close } = await readMetrics()
    for (const url of ['/markets', '/orderbook/ETH-USDC', '/x']) await ask(url)
    for (const line of (await scrape()).split('\n'))
      assert.match(line, /^$|^# (HELP|TYPE) \w+ .+|^\w+(\{[^}]*\})? [0-9.e+-]+$/)
    await close()
  })
})

test('GET /metrics reports the load of each pool, and the fallback of Redis', async () => {
  let isFallback = false
  const pools = () => [{ pool: 'keys', open: 4, idle: 1, waiting: 7 }]
  const shared = sharedMetrics({ db: { pools }, cache: { isFallback: () => isFallback } })
  const { valueAt, close } = await readMetrics({ processMetrics: shared })
  assert.equal(await valueAt('openvenue_api_pool_connections{pool="keys",state="used"}'), 3)
  assert.equal(await valueAt('openvenue_api_pool_connections{pool="keys",state="idle"}'), 1)
  assert.equal(await valueAt('openvenue_api_pool_waiting{pool="keys"}'), 7)
  assert.equal(await valueAt('openvenue_api_redis_fallback'), 0)
  isFallback = true
  assert.equal(await valueAt('openvenue_api_redis_fallback'), 1)
  await close()
})

test('GET /metrics reports the standbys of the database with their lag', async () => {
  const standbys = async () => [
    { name: 'b', state: 'streaming', lagBytes: 4096 },
    { name: 'c', state: undefined, lagBytes: undefined },
  ]
  const servers = { db: {}, cache: { isFallback: () => false }, standbys }
  const { valueAt, scrape, close } = await readMetrics({ processMetrics: sharedMetrics(servers) })
  await until('the database has answered', async () => (await scrape()).includes('standby="b"'))
  assert.equal(await valueAt('openvenue_api_standbys{state="streaming"}'), 1)
  assert.equal(await valueAt('openvenue_api_standbys{state="unknown"}'), 1)
  assert.equal(await valueAt('openvenue_api_standby_lag_bytes{standby="b"}'), 4096)
  await close()
})

test('GET /metrics reports the feed entries that the node lacks', async () => {
  const candleBefore = async () => ({ seq: model.seq + 3, head: undefined, rows: undefined })
  const { model, valueAt, close } = await readMetrics({
    reader: { ...BROKEN_READER, candleBefore },
  })
  const lag = () => valueAt('openvenue_api_feed_lag_entries')
  await until('the database has answered', async () => (await lag()) === 3)
  await close()
})

test('GET /metrics is collected once for many concurrent requests', async () => {
  let gathered = 0
  const processMetrics = { metrics: async () => `made ${++gathered}\n` }
  const options = { environment: '', version: '', marketsCacheMs: 0, readyCacheMs: 2000 }
  const { host, setNow, close } = await readMetrics({ processMetrics, options })
  const ask = async () => (await host.inject('/metrics')).body.includes(`made ${gathered}\n`)
  setNow(1_800_000_000)
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [true, true, true])
  assert.equal(await ask(), true)
  assert.equal(gathered, 1)
  setNow(1_800_000_002)
  assert.equal(await ask(), true)
  assert.equal(gathered, 2)
  await close()
})

test('times fall into every bucket whose bound they do not pass', () => {
  const meter = new RouteMeter()
  for (const ms of [0.05, 0.1, 3, 7000]) meter.of('/x', 200).add(ms)
  const within = (le: string) =>
    meter.text().match(new RegExp(`_bucket{route="/x",status="200",le="${le}"} (\\d+)`))?.[1]
  assert.deepEqual(['0.0001', '0.001', '0.005', '5', '\\+Inf'].map(within), [
    '2',
    '2',
    '3',
    '3',
    '4',
  ])
  assert.match(meter.text(), /_sum{route="\/x",status="200"} 7\.0031/)
})
