import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ACCOUNT_SETTINGS } from './account-settings.ts'
import { parseConfig } from './config.ts'

const DATABASE_URL = 'postgres://user:secret@localhost/venue'

describe('the configuration', () => {
  test('the configuration needs DATABASE_URL and nothing else', () => {
    assert.deepEqual(parseConfig({ DATABASE_URL }), {
      host: '127.0.0.1',
      port: 3000,
      probePort: undefined,
      environment: 'devnet',
      rpcUrls: ['http://127.0.0.1:8545'],
      indexerUrls: ['http://127.0.0.1:3002'],
      lagMax: 20,
      deploymentFile: undefined,
      databaseUrl: DATABASE_URL,
      databaseReadUrl: undefined,
      feedUrl: undefined,
      redisUrl: undefined,
      marketsCacheMs: 30_000,
      readyCacheMs: 2000,
      publicRate: { points: 600, seconds: 60, burst: 100 },
      privateRate: { points: 600, seconds: 60 },
      ordersRate: { points: 200, seconds: 1, burst: 400 },
      registerRate: { points: 10, seconds: 60 },
      integratedPort: 3001,
      integratedRate: { points: 600, seconds: 60, burst: 100 },
      newMarketsWindowSeconds: 2_592_000,
      tokenList: undefined,
      terminalDir: undefined,
      publicRpcUrls: [],
      explorerUrl: undefined,
      publicIntegratedUrl: undefined,
      gas: {
        faucetUrl: undefined,
        currency: { symbol: 'ETH', decimals: 18 },
        feeFloorWei: 0n,
        tipWei: 1_000_000_000n,
      },
      proxyHops: 0,
      corsOrigins: ['*'],
      settings: ACCOUNT_SETTINGS,
      logLevel: 'info',
      logsRequests: false,
      tracesUrl: undefined,
    })
  })

  test('the configuration takes rates, origins and hops', () => {
    const config = parseConfig({
      DATABASE_URL,
      RATE_LIMIT_PUBLIC: '100/10',
      CORS_ORIGINS: 'https://a.example, http://b.example:8080',
      TRUST_PROXY: '2',
    })
    assert.deepEqual(config.publicRate, { points: 100, seconds: 10, burst: 0 })
    const { publicRate } = parseConfig({ DATABASE_URL, RATE_LIMIT_PUBLIC: '9/10+5' })
    assert.deepEqual(publicRate, { points: 9, seconds: 10, burst: 5 })
    assert.deepEqual(config.corsOrigins, ['https://a.example', 'http://b.example:8080'])
    assert.equal(config.proxyHops, 2)
    assert.equal(parseConfig({ DATABASE_URL, RATE_LIMIT_PUBLIC: 'off' }).publicRate, undefined)
  })

  test('the configuration takes the rates of accounts and of registrations', () => {
    const env = { DATABASE_URL, RATE_LIMIT_PRIVATE: '7/8', RATE_LIMIT_REGISTER: '9/10' }
    const { publicRate, privateRate, registerRate } = parseConfig(env)
    const { ordersRate } = parseConfig({ DATABASE_URL, RATE_LIMIT_ORDERS: '5/6+7' })
    assert.deepEqual(ordersRate, { points: 5, seconds: 6, burst: 7 })
    assert.deepEqual(privateRate, { points: 7, seconds: 8, burst: 0 })
    assert.deepEqual(registerRate, { points: 9, seconds: 10, burst: 0 })
    assert.equal(publicRate?.points, 600)
    const off = { DATABASE_URL, RATE_LIMIT_PRIVATE: 'off', RATE_LIMIT_REGISTER: 'off' }
    assert.equal(parseConfig(off).privateRate, undefined)
    assert.equal(parseConfig(off).registerRate, undefined)
  })

  test('the configuration takes what the second host needs', () => {
    const url = 'https://tokens.example/list.json'
    const config = parseConfig({
      DATABASE_URL,
      INTEGRATED_PORT: '4001',
      RATE_LIMIT_INTEGRATED: '5/6+7',
      NEW_MARKETS_WINDOW_S: '3600',
      TOKEN_LIST: url,
    })
    assert.equal(config.integratedPort, 4001)
    assert.deepEqual(config.integratedRate, { points: 5, seconds: 6, burst: 7 })
    assert.equal(config.publicRate?.points, 600)
    assert.equal(config.newMarketsWindowSeconds, 3600)
    assert.equal(config.tokenList, url)
    const off = parseConfig({ DATABASE_URL, RATE_LIMIT_INTEGRATED: 'off', TOKEN_LIST: './a.json' })
    assert.equal(off.integratedRate, undefined)
    assert.equal(off.tokenList, './a.json')
  })

  test('the configuration takes the settings of accounts', () => {
    assert.equal(
      parseConfig({ DATABASE_URL, API_KEYS_PER_ACCOUNT_MAX: '2' }).settings.keysPerAccountMax,
      2,
    )
  })

  test('the configuration takes LOG_REQUESTS', () => {
    assert.equal(parseConfig({ DATABASE_URL, LOG_REQUESTS: 'on' }).logsRequests, true)
  })

  for (const [name, value] of [
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['NETWORK', 'moon'],
    ['RPC_URL', 'ftp://x'],
    ['INDEXER_LAG_MAX', '-1'],
    ['INDEXER_URL', 'nowhere'],
    ['DATABASE_URL', ''],
    ['DATABASE_URL', 'mysql://user:secret@localhost'],
    ['DATABASE_READ_URL', 'x'],
    ['REDIS_URL', 'http://x'],
    ['MARKETS_CACHE_MS', '-1'],
    ['READY_CACHE_MS', '1.5'],
    ['RATE_LIMIT_PUBLIC', '0/60'],
    ['RATE_LIMIT_PUBLIC', 'fast'],
    ['RATE_LIMIT_PUBLIC', '600/60+'],
    ['RATE_LIMIT_PRIVATE', 'fast'],
    ['RATE_LIMIT_REGISTER', '0/60'],
    ['INTEGRATED_PORT', '65536'],
    ['RATE_LIMIT_INTEGRATED', 'fast'],
    ['NEW_MARKETS_WINDOW_S', '0'],
    ['NEW_MARKETS_WINDOW_S', 'month'],
    ['TOKEN_LIST', 'http://tokens.example/list.json'],
    ['TOKEN_LIST', 'ftp://user:secret@tokens.example'],
    ['TRUST_PROXY', 'yes'],
    ['CORS_ORIGINS', 'example.com'],
    ['CORS_ORIGINS', 'https://a.example/path'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_REQUESTS', 'yes'],
  ] as const)
    test(`the configuration refuses ${name}=${value}, naming it and no secret`, () => {
      const parse = () => parseConfig({ DATABASE_URL, [name]: value })
      assert.throws(parse, { name: 'ConfigInvalid', message: new RegExp(`^${name} is `) })
      assert.throws(parse, ({ message }: Error) => !message.includes('secret'))
    })
})
