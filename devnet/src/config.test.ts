import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { parseConfig } from './config.ts'
import { PACES } from './pace.ts'

test('an empty environment gives the devnet the defaults of the README', () => {
  const { host, port, indexerPort, keeperPort, anvilPort, dataDir, seed, blockMs, pace } =
    parseConfig({})
  assert.deepEqual(
    { host, port, indexerPort, keeperPort, anvilPort, dataDir, seed, blockMs, pace },
    {
      host: '127.0.0.1',
      port: 3000,
      indexerPort: 3002,
      keeperPort: 3003,
      anvilPort: 8545,
      dataDir: '.data',
      seed: 1,
      blockMs: 200,
      pace: PACES.on,
    },
  )
})

test('TRADERS sets how busy the market of a devnet is; off gives a quiet chain', () => {
  assert.equal(parseConfig({}).settings.orderBudget, undefined)
  assert.equal(parseConfig({ RELAY_BUDGET_INITIAL: '7' }).settings.orderBudget?.initial, 7)
  assert.equal(parseConfig({ TRADERS: 'off' }).pace, undefined)
  for (const word of ['calm', 'on', 'storm'] as const)
    assert.equal(parseConfig({ TRADERS: word }).pace, PACES[word])
})

for (const [name, text, sentence] of [
  ['PORT', 'http', /^PORT is invalid: got "http", expected a whole number up to 65535$/],
  [
    'ANVIL_PORT',
    '65536',
    /^ANVIL_PORT is invalid: got "65536", expected a whole number up to 65535$/,
  ],
  ['KEEPER_PORT', 'x', /^KEEPER_PORT is invalid: got "x", expected a whole number up to 65535$/],
  ['KEEPER_POKES', 'yes', /^KEEPER_POKES is invalid: got "yes", expected one of on, off$/],
  ['SEED', '-1', /^SEED is invalid: got "-1", expected a whole number/],
  ['BLOCK_MS', '19', /^BLOCK_MS is invalid: got "19", expected a whole number from 20 up to 60000/],
  ['HISTORY_HOURS', '25', /^HISTORY_HOURS is invalid: got "25", expected a whole number up to 24/],
  ['TRADERS', 'yes', /^TRADERS is invalid: got "yes", expected one of on, off, calm, storm$/],
  ['NETWORK', 'mainnet', /^NETWORK is invalid: got "mainnet", expected one of devnet$/],
  ['LOG_LEVEL', 'loud', /^LOG_LEVEL is invalid: got "loud", expected one of info, fatal/],
] as const) {
  test(`${name}=${text} is refused with its name and rule`, () => {
    assert.throws(
      () => parseConfig({ [name]: text }),
      (error) => error instanceof ConfigInvalid && sentence.test(error.message),
    )
  })
}
