import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { KeeperProcess } from '../test/keeper-process.ts'
import { parseConfig } from './config.ts'
import { parseDeployment, readDeployment } from './deployment.ts'
import { TASKS } from './task.ts'

const KEY = `0x${'1f'.repeat(32)}`
const [KEY2, KEY3] = ['2e', '3d'].map((byte) => `0x${byte.repeat(32)}`)
const NEEDED = {
  DATABASE_URL: 'postgres://localhost/venue',
  KEEPER_KEY: KEY,
  KEEPER_PRICE_URL: 'http://localhost/prices',
}

const refusal = (env: Readonly<Record<string, string>>): string => {
  try {
    parseConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigInvalid)
    return error.message
  }
  return assert.fail('it is refused')
}

describe('the configuration of a keeper', () => {
  test('the keeper has the defaults of the README for every variable that is not required', () => {
    assert.deepEqual(parseConfig(NEEDED), {
      host: '127.0.0.1',
      port: 3003,
      chainId: 5042002,
      rpcUrls: ['http://127.0.0.1:8545'],
      databaseUrl: NEEDED.DATABASE_URL,
      feedUrl: undefined,
      intentsKeptMs: 604_800_000,
      deploymentFile: '.data/deployment.json',
      key: KEY,
      priceUrl: NEEDED.KEEPER_PRICE_URL,
      logLevel: 'info',
      feeCap: 500n * 10n ** 9n,
      feeFloor: 0n,
      gasTip: undefined,
      relayer: undefined,
      tracesUrl: undefined,
      switches: Object.fromEntries(TASKS.map((task) => [task, true])),
    })
  })

  test('the minimum fee is that of the network, and a fee cap below it is refused', () => {
    const arc = { ...NEEDED, NETWORK: 'testnet' }
    const { feeFloor, relayer } = parseConfig({ ...arc, RELAY_KEYS: `${KEY2},${KEY3}` })
    assert.deepEqual([feeFloor, relayer?.feeFloor], [20n * 10n ** 9n, 20n * 10n ** 9n])
    assert.equal(parseConfig({ ...arc, KEEPER_FEE_CAP_GWEI: '20' }).feeCap, 20n * 10n ** 9n)
    assert.match(
      refusal({ ...arc, KEEPER_FEE_CAP_GWEI: '19' }),
      /^KEEPER_FEE_CAP_GWEI is too low: got 19/,
    )
  })

  test('the keeper asks nodes for gas unless their estimates are known to be wrong', () => {
    const arc = { ...NEEDED, NETWORK: 'testnet' }
    assert.equal(parseConfig(arc).gasTip, 10n ** 9n)
    assert.equal(parseConfig({ ...arc, FEE_TIP_GWEI: '2' }).gasTip, 2n * 10n ** 9n)
    assert.equal(parseConfig({ ...arc, GAS_ESTIMATES: 'on' }).gasTip, undefined)
    assert.equal(parseConfig({ ...NEEDED, GAS_ESTIMATES: 'off' }).gasTip, 10n ** 9n)
  })

  test('RELAY_KEYS sets the wallets of the relayer, the first of them for cancels', () => {
    const other = `0x${'2e'.repeat(32)}`
    const named = { ...NEEDED, RELAY_KEYS: `${KEY}, ${other}` }
    const bounds = { feeCap: 500n * 10n ** 9n, feeFloor: 0n }
    const relayer = { keys: [KEY, other], gasPerBlock: 10_000_000, logsOrders: false, ...bounds }
    assert.deepEqual(parseConfig(named).relayer, relayer)
    const share = parseConfig({ ...named, RELAY_GAS_PER_BLOCK: '4000000' }).relayer?.gasPerBlock
    assert.equal(share, 4_000_000)
    for (const keys of [KEY, `${KEY},${KEY}`, `${KEY},0x12`, `${KEY},0x${'f'.repeat(64)}`]) {
      const words = refusal({ ...NEEDED, RELAY_KEYS: keys })
      assert.match(words, /^RELAY_KEYS is invalid: expected 2 to 17 distinct private keys/)
      assert.ok(!words.includes('1f1f') && !words.includes('ffff'))
    }
  })

  test('KEEPER_KEY is not required when the keeper only relays', () => {
    const off = Object.fromEntries(TASKS.map((task) => [`KEEPER_${task.toUpperCase()}`, 'off']))
    const { DATABASE_URL } = NEEDED
    assert.match(
      refusal({ DATABASE_URL, ...off }),
      /^KEEPER_KEY is invalid: expected a private key/,
    )
    const relaying = { DATABASE_URL, ...off, RELAY_KEYS: `${KEY},0x${'2e'.repeat(32)}` }
    assert.equal(parseConfig(relaying).key, undefined)
    assert.equal(parseConfig({ ...relaying, KEEPER_KEY: KEY }).key, KEY)
    assert.match(refusal({ ...relaying, KEEPER_PRICES: 'on' }), /^KEEPER_(KEY|PRICE_URL) is/)
  })

  test('each task of the keeper has a switch in the environment', () => {
    for (const [name, task] of [
      ['KEEPER_PRICES', 'prices'],
      ['KEEPER_REPORTS', 'reports'],
      ['KEEPER_POKES', 'pokes'],
      ['KEEPER_LIQUIDATIONS', 'liquidations'],
      ['KEEPER_DELEVERAGING', 'deleveraging'],
      ['KEEPER_SWEEPS', 'sweeps'],
      ['KEEPER_KEYS', 'keys'],
    ] as const) {
      const { switches } = parseConfig({ ...NEEDED, [name]: 'off' })
      assert.deepEqual(
        TASKS.filter((each) => !switches[each]),
        [task],
      )
    }
  })

  test('KEEPER_PRICE_URL is not required while KEEPER_PRICES is off', () => {
    const { KEEPER_PRICE_URL: _, ...env } = NEEDED
    assert.equal(parseConfig({ ...env, KEEPER_PRICES: 'off' }).priceUrl, undefined)
    assert.match(refusal(env), /^KEEPER_PRICE_URL is missing: expected a price source/)
  })

  for (const [name, text, sentence] of [
    ['DATABASE_URL', '', /^DATABASE_URL is missing: expected the indexer's PostgreSQL/],
    ['DATABASE_URL', 'mysql://x', /^DATABASE_URL is invalid: expected a URL of postgres:/],
    [
      'KEEPER_PRICE_URL',
      'ftp://prices',
      /^KEEPER_PRICE_URL is invalid: expected a URL of http: or https:$/,
    ],
    ['KEEPER_SWEEPS', 'yes', /^KEEPER_SWEEPS is invalid: got "yes", expected one of on, off$/],
    [
      'KEEPER_PORT',
      '65536',
      /^KEEPER_PORT is invalid: got "65536", expected a whole number up to 65535/,
    ],
    ['KEEPER_FEE_CAP_GWEI', '0', /^KEEPER_FEE_CAP_GWEI is .* a whole number from 1 up to 1000000$/],
    [
      'KEEPER_FEE_CAP_GWEI',
      '1000001',
      /^KEEPER_FEE_CAP_GWEI is .* a whole number from 1 up to 1000000$/,
    ],
    ['RPC_URL', 'localhost', /^RPC_URL is invalid: expected a URL/],
    // Such a URL would put the password into the log with every error.
    [
      'RPC_URL',
      'https://user@node.example',
      /^RPC_URL is invalid: expected a URL without a user and password$/,
    ],
    [
      'RPC_URL',
      'https://:secret@node.example',
      /^RPC_URL is invalid: expected a URL without a user and password$/,
    ],
    [
      'KEEPER_PRICE_URL',
      'https://a:b@prices',
      /^KEEPER_PRICE_URL is invalid: expected a URL without a user/,
    ],
    [
      'NETWORK',
      'moon',
      /^NETWORK is invalid: got "moon", expected one of devnet, testnet, mainnet/,
    ],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL is invalid: got "loud", expected one of info/],
  ] as const)
    test(`${name}=${text} is refused with its name and rule`, () => {
      assert.match(refusal({ ...NEEDED, [name]: text }), sentence)
    })

  test('NETWORK=mainnet sets the mainnet chain id unless CHAIN_ID sets another', () => {
    assert.equal(parseConfig({ ...NEEDED, NETWORK: 'mainnet' }).chainId, 5042)
    assert.equal(parseConfig({ ...NEEDED, NETWORK: 'mainnet', CHAIN_ID: '1' }).chainId, 1)
  })

  for (const [flaw, key] of [
    ['absent', ''],
    ['too short', '0x1234'],
    ['zero', `0x${'00'.repeat(32)}`],
    ['beyond the curve', `0x${'ff'.repeat(32)}`],
    ['without 0x', 'ab'.repeat(32)],
  ] as const)
    test(`a KEEPER_KEY that is ${flaw} is refused, and its value is not printed`, () => {
      const message = refusal({ ...NEEDED, KEEPER_KEY: key })
      assert.match(message, /^KEEPER_KEY is invalid: expected a private key/)
      assert.ok(key === '' || !message.includes(key.slice(2)))
    })
})

test('a keeper with an invalid key prints one line, without the key, and exits', async () => {
  const keeper = new KeeperProcess({ ...NEEDED, KEEPER_KEY: `${KEY}00` })
  await until('it has ended', () => keeper.hasEnded)
  assert.equal(await keeper.end(), 1)
  assert.deepEqual(keeper.lines, [
    'KEEPER_KEY is invalid: expected a private key, 0x and 64 hex digits, on the curve',
  ])
})

describe('the deployment file', () => {
  const address = (digit: string) => `0x${digit.repeat(40)}`
  const whole = {
    accounts: address('A'),
    spot: address('b'),
    perps: address('c'),
    oracles: [address('d')],
    startBlock: 1,
  }

  test('addresses of the deployment file are read in lower case, and unknown fields ignored', () => {
    const { accounts, oracles } = parseDeployment(whole)
    assert.deepEqual([accounts, oracles], [address('a'), [address('d')]])
  })

  for (const [name, value, sentence] of [
    [
      'accounts',
      '0x1',
      /^accounts is invalid: got "0x1", expected an address: 0x and 40 hex digits$/,
    ],
    ['spot', undefined, /^spot is not set: expected an address/],
    ['perps', 7, /^perps is invalid: got 7, expected an address/],
    ['oracles', [], /^oracles is invalid: expected at least one address$/],
    ['oracles', ['x'], /^oracles is invalid: got "x", expected an address/],
  ] as const)
    test(`a deployment file whose ${name} is ${JSON.stringify(value)} is refused`, () => {
      assert.throws(() => parseDeployment({ ...whole, [name]: value }), { message: sentence })
    })

  test('the error names a deployment file that cannot be read or is invalid', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openvenue-keeper-'))
    const path = join(folder, 'deployment.json')
    assert.throws(() => readDeployment(path, 1), /DEPLOYMENT_FILE is unreadable: got /)
    writeFileSync(path, '{}')
    assert.throws(() => readDeployment(path, 1), /deployment\.json: oracles is invalid/)
    rmSync(folder, { recursive: true })
  })
})
