import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { parseConfig, parseDeployment, readDeployment, withFactories } from './config.ts'

const FACTORY = `0x${'fA'.repeat(20)}`

describe('the configuration', () => {
  test('an empty environment gives the indexer the local development network', () => {
    assert.deepEqual(parseConfig({}), {
      host: '127.0.0.1',
      port: 3002,
      chainId: 5042002,
      rpcUrls: ['http://127.0.0.1:8545'],
      rpcWsUrls: [],
      databaseUrl: undefined,
      feedUrl: undefined,
      dataDir: '.data',
      deploymentFile: '.data/deployment.json',
      ammV2Factories: [],
      ammV3Factories: [],
      finalityBlocks: 64,
      historyKeptDays: 0,
      minuteCandlesKeptDays: 0,
      lagMax: 20,
      logLevel: 'info',
    })
  })

  const refusals: [Record<string, string>, RegExp][] = [
    [
      { INDEXER_PORT: '30o2' },
      /^INDEXER_PORT is invalid: got "30o2", expected a whole number up to 65535$/,
    ],
    [
      { NETWORK: 'moonnet' },
      /^NETWORK is invalid: got "moonnet", expected one of devnet, testnet, mainnet$/,
    ],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL is invalid: got "loud", expected one of /],
    [{ INDEXER_LAG_MAX: '-1' }, /^INDEXER_LAG_MAX is invalid: got "-1", expected a whole number/],
    [
      { AMM_V2_FACTORIES: '0x12' },
      /^AMM_V2_FACTORIES is invalid: got "0x12", expected a list of addresses with commas$/,
    ],
    [
      { AMM_V3_FACTORIES: `${FACTORY};${FACTORY}` },
      /^AMM_V3_FACTORIES is .* expected a list of addresses/,
    ],
  ]
  for (const [env, message] of refusals) {
    test(`the configuration refuses ${JSON.stringify(env)} and names the variable`, () => {
      assert.throws(() => parseConfig(env), { name: 'ConfigInvalid', message })
    })
  }

  test('RPC_URL takes several nodes, and RPC_WS_URL their subscriptions in the same order', () => {
    const { rpcUrls, rpcWsUrls } = parseConfig({
      RPC_URL: 'https://a.example/key, https://b.example,',
      RPC_WS_URL: 'wss://a.example/key',
    })
    assert.deepEqual(rpcUrls, ['https://a.example/key', 'https://b.example'])
    assert.deepEqual(rpcWsUrls, ['wss://a.example/key'])
  })

  test('NETWORK sets the nodes of the network, and their subscription only with them', () => {
    const config = parseConfig({ NETWORK: 'testnet' })
    assert.deepEqual(config.rpcUrls, ['https://rpc.testnet.arc.network'])
    assert.deepEqual(config.rpcWsUrls, ['wss://rpc.testnet.arc.network'])
    assert.equal(config.finalityBlocks, 2)
    const rented = parseConfig({ NETWORK: 'testnet', RPC_URL: 'https://a.example' })
    assert.deepEqual([rented.rpcUrls, rented.rpcWsUrls], [['https://a.example'], []])
    assert.equal(parseConfig({ NETWORK: 'mainnet' }).chainId, 5042)
  })

  const lists: [Record<string, string>, string][] = [
    [
      { RPC_URL: 'https://a.example,ftp://user:key@b' },
      'RPC_URL is invalid: expected a URL of http: or https:',
    ],
    [{ RPC_URL: ',' }, 'RPC_URL is empty: expected at least one URL'],
    [
      { RPC_URL: new Array(9).fill('https://a.example').join(',') },
      'RPC_URL is invalid: got 9, expected at most 8 URLs',
    ],
    [
      { RPC_URL: 'https://a.example', RPC_WS_URL: 'wss://a.example,wss://b.example' },
      'RPC_WS_URL is invalid: got 2, expected at most one URL for each of RPC_URL',
    ],
  ]
  for (const [env, message] of lists) {
    test(`the configuration of nodes is refused: ${message}`, () => {
      assert.throws(() => parseConfig(env), { name: 'ConfigInvalid', message })
    })
  }

  test('pool factories of the environment are added to those of the deployment', () => {
    const other = `0x${'fB'.repeat(20)}`
    const config = parseConfig({
      AMM_V2_FACTORIES: `${FACTORY}, ${other},`,
      AMM_V3_FACTORIES: other,
    })
    const deployment = { accounts: '', spot: '', perps: '', oracles: [], startBlock: 1 }
    assert.deepEqual(withFactories({ ...deployment, v3Factories: [FACTORY] }, config), {
      ...deployment,
      v2Factories: [FACTORY, other],
      v3Factories: [FACTORY, other],
    })
  })

  test('a URL with a key is not repeated in the error about RPC_URL', () => {
    assert.throws(
      () => parseConfig({ RPC_URL: 'ftp://user:key@host' }),
      (error) =>
        error instanceof ConfigInvalid &&
        error.message === 'RPC_URL is invalid: expected a URL of http: or https:',
    )
  })
})

describe('a deployment', () => {
  const address = `0x${'aB'.repeat(20)}`
  const whole = {
    accounts: address,
    spot: address,
    perps: address,
    oracles: [address],
    startBlock: 4,
  }

  test('a deployment file may have additional fields', () => {
    assert.deepEqual(parseDeployment({ ...whole, chainId: 1, lens: address }), whole)
  })

  test('a deployment file may name pool factories', () => {
    const named = { ...whole, v2Factories: [address], v3Factories: [] }
    assert.deepEqual(parseDeployment(named), named)
    assert.throws(
      () => parseDeployment({ ...whole, v2Factories: address }),
      /v2Factories is .* expected a list/,
    )
    assert.throws(
      () => parseDeployment({ ...whole, v3Factories: ['0x1'] }),
      /v3Factories is .* expected an address/,
    )
  })

  test('a deployment file requires an address, an oracle list and a start block', () => {
    assert.throws(
      () => parseDeployment({ ...whole, spot: '0x12' }),
      /^ConfigInvalid: spot is invalid: got "0x12", expected an address/,
    )
    assert.throws(
      () => parseDeployment({ ...whole, oracles: address }),
      /oracles is .* expected a list/,
    )
    assert.throws(
      () => parseDeployment({ ...whole, startBlock: '4' }),
      /startBlock is invalid: got "4", expected a whole number/,
    )
    assert.throws(() => parseDeployment(null), ConfigInvalid)
  })

  test('the error names a deployment file that cannot be read', () => {
    assert.throws(
      () => readDeployment('/nowhere/at/all.json', 1),
      /DEPLOYMENT_FILE is unreadable: got \/nowhere\/at\/all.json/,
    )
  })
})
