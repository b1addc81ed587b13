import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { parseConfig } from './config.ts'
import { PACES } from './pace.ts'

test('an empty environment gives the defaults of the README', () => {
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

test('TRADERS sets how busy the market is; off gives a quiet chain', () => {
  assert.equal(parseConfig({}).settings.orderBudget, undefined)
  assert.equal(parseConfig({ RELAY_BUDGET_INITIAL: '7' }).settings.orderBudget?.initial, 7)
  assert.equal(parseConfig({ TRADERS: 'off' }).pace, undefined)
  for (const word of ['calm', 'on', 'storm'] as const)
    assert.equal(parseConfig({ TRADERS: word }).pace, PACES[word])
})

for (const [name, text, sentence] of [
  ['PORT', 'http', /^PORT is a whole number up to 65535 \(it is "http"\)$/],
  ['ANVIL_PORT', '65536', /^ANVIL_PORT is a whole number up to 65535 \(it is "65536"\)$/],
  ['KEEPER_PORT', 'x', /^KEEPER_PORT is a whole number up to 65535 \(it is "x"\)$/],
  ['KEEPER_POKES', 'yes', /^KEEPER_POKES is one of on, off \(it is "yes"\)$/],
  ['SEED', '-1', /^SEED is a whole number/],
  ['BLOCK_MS', '19', /^BLOCK_MS is a whole number from 20 up to 60000/],
  ['HISTORY_HOURS', '25', /^HISTORY_HOURS is a whole number up to 24/],
  ['TRADERS', 'yes', /^TRADERS is one of on, off, calm, storm \(it is "yes"\)$/],
  ['NETWORK', 'mainnet', /^NETWORK is one of devnet \(it is "mainnet"\)$/],
  ['LOG_LEVEL', 'loud', /^LOG_LEVEL is one of info, fatal/],
] as const) {
  test(`${name}=${text} is refused with its name and rule`, () => {
    assert.throws(
      () => parseConfig({ [name]: text }),
      (error) => error instanceof ConfigInvalid && sentence.test(error.message),
    )
  })
}
