import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { NETWORKS } from '@openvenue/core/networks'
import { smallVenue } from '../../test/venue.ts'
import { parseVenue, readVenueFile } from './read-venue.ts'
import { VenueFileInvalid } from './venue-terms.ts'

const wallets = [1, 2, 3, 4, 5].map((digit) => `0x${String(digit).repeat(40)}` as const)
const venue = () => structuredClone(smallVenue({ wallets, eth: `0x${'e'.repeat(40)}` }))

/** Returns the venue with the member at `path` replaced, or removed if undefined. */
function changed(path: string, value: unknown): unknown {
  const whole: Record<string, unknown> = venue()
  const names = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce((part, name) => part[name] as Record<string, unknown>, whole)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return whole
}

const faultsOf = (value: unknown): string => {
  try {
    parseVenue(value, NETWORKS.testnet)
  } catch (error) {
    assert.ok(error instanceof VenueFileInvalid, String(error))
    return error.message
  }
  return 'none'
}

describe('venue.json', () => {
  test('the example of venue.json is valid, and its tokens are those of the test network', () => {
    const path = join(import.meta.dirname, '..', '..', 'venue.example.json')
    const terms = readVenueFile(path, NETWORKS.testnet)
    assert.equal(terms.collateral, '0x3600000000000000000000000000000000000000')
    assert.equal(terms.perps.length, 3)
    assert.equal(terms.domainName, 'openvenue-testnet')
  })

  test('venue.json is converted to raw integers with the decimals of each token', () => {
    const { spot, perps, outflow, depositCaps } = parseVenue(venue(), NETWORKS.testnet)
    assert.deepEqual([spot[0]?.priceStep, spot[0]?.amountStep], [10_000n, 10n ** 14n])
    assert.deepEqual(
      [perps[0]?.parameters.makerFee, perps[0]?.parameters.maxOpenInterest],
      [-100, 150_000_000n],
    )
    assert.deepEqual(perps[0]?.cover, { maxNotional: 5_000_000n * 10n ** 18n, lossBps: 2_000 })
    assert.deepEqual([outflow[0]?.shareBps, outflow[0]?.small], [2_500, 10_000_000_000n])
    assert.deepEqual(
      depositCaps.map(({ engine, total, perAccount }) => [engine, total, perAccount]),
      [
        ['spot', 5n * 10n ** 12n, 10n ** 11n],
        ['perps', 10n ** 13n, 2n * 10n ** 11n],
      ],
    )
  })

  test('venue.json may set the limits of insurance in a market', () => {
    const file = changed('perpetuals[0].insurance', { maxPositionValue: '50000', lossShare: '0.1' })
    assert.deepEqual(parseVenue(file, NETWORKS.testnet).perps[0]?.cover, {
      maxNotional: 50_000n * 10n ** 18n,
      lossBps: 1_000,
    })
  })

  const wrong: readonly (readonly [path: string, value: unknown, words: string])[] = [
    ['guardian', undefined, 'guardian is missing: expected an address: 0x and 40 hex digits'],
    [
      'guardian',
      '0x12',
      'guardian is invalid: got "0x12", expected an address: 0x and 40 hex digits',
    ],
    ['gaurdian', wallets[0], 'gaurdian is unknown; the nearest is "guardian"'],
    [
      'governance.delaySeconds',
      3600,
      'governance.delaySeconds is invalid: got 3600, expected a whole number from 86400 to 2592000; the nearest is 86400',
    ],
    [
      'governance.proposers',
      [],
      'governance.proposers is invalid: got [], expected a list of 1 to 64',
    ],
    [
      'perpetuals[0].maxLeverage',
      51,
      'perpetuals[0].maxLeverage is invalid: got 51, expected a whole number from 1 to 50; the nearest is 50',
    ],
    [
      'perpetuals[0].indexAgeMaxSeconds',
      2000,
      'at most 432000 divided by the square of maxLeverage; the nearest is 1080',
    ],
    [
      'perpetuals[0].takerFee',
      '0.02',
      'perpetuals[0].takerFee is invalid: got "0.02", expected from 0 to 0.01; the nearest is "0.01"',
    ],
    [
      'perpetuals[0]',
      { ...venue().perpetuals[0], maxLeverage: 50, takerFee: '0.0051' },
      'perpetuals[0].takerFee is invalid: got "0.0051", expected at most 0.25 divided by maxLeverage; the nearest is "0.005"',
    ],
    [
      'perpetuals[0].makerFee',
      '-0.001',
      'perpetuals[0].makerFee is invalid: got "-0.001", expected from minus takerFee to 0.01; the nearest is "-0.00035"',
    ],
    ['perpetuals[0].impactValue', '999', 'the nearest is "1000"'],
    [
      'perpetuals[0].insurance',
      { maxPositionValue: '79228162515', lossShare: '0.2' },
      'perpetuals[0].insurance.maxPositionValue is invalid: got "79228162515", expected at most 79228162514264337593543950335 raw units; the nearest is "79228162514.264337593543950335"',
    ],
    [
      'perpetuals[0].insurance',
      { maxPositionValue: '1000', lossShare: '1.0001' },
      'perpetuals[0].insurance.lossShare is invalid: got "1.0001", expected from 0 to 1; the nearest is "1"',
    ],
    [
      'perpetuals[0].insurance',
      { maxPositionValue: '1000', lossShare: '0.00001' },
      'perpetuals[0].insurance.lossShare is invalid: got "0.00001", expected at most 4 decimals; the nearest is "0.0000"',
    ],
    [
      'perpetuals[0].asset',
      'DOGE',
      'perpetuals[0].asset is invalid: got "DOGE", expected one of oracle.assets: ETH, BTC, SOL',
    ],
    [
      'perpetuals[0].name',
      'ETH-USDC',
      'perpetuals[0].name is invalid: got "ETH-USDC", expected a name that no other market uses',
    ],
    ['perpetuals[0].maxOpenInterest', '1.00005', 'a multiple of amountStep, 0.0001'],
    ['spot[0].priceStep', 0.01, 'as decimal text, such as "0.01"; the nearest is "0.01"'],
    [
      'spot[0].priceStep',
      '0.0000001',
      'spot[0].priceStep is invalid: got "0.0000001", expected at most 6 decimals; the nearest is "0.000000"',
    ],
    [
      'spot[0].amountStep',
      '0.00000001',
      'spot[0].priceStep is invalid: got "0.01", expected a step for which priceStep times amountStep',
    ],
    ['spot[0].minOrderValue', '0.5', 'a millionth of maxOrderValue; the nearest is "1"'],
    ['spot[0].maxOrderValue', '12345678.901', 'about nine significant digits'],
    [
      'spot[0].base',
      'ETC',
      'spot[0].base is invalid: got "ETC", expected one of tokens: USDC, ETH; the nearest is "ETH"',
    ],
    [
      'tokens.USDC.decimals',
      18,
      'tokens.USDC.decimals is invalid: got 18, expected the decimals of the token; the nearest is 6',
    ],
    ['tokens.ETH.address', undefined, 'tokens.ETH.address is missing: the network does not define'],
    ['oracle.assets.BTC.id', undefined, 'oracle.assets.BTC.id is missing: pyth needs it'],
    [
      'oracle.pyth',
      undefined,
      'oracle.assets.BTC.source is invalid: got "pyth", expected a source that oracle.pyth describes',
    ],
    ['oracle.assets.BTC.source', 'push', 'one of pusher, pyth, chainlink; the nearest is "pusher"'],
    [
      'outflow.spot.USDC.share',
      '0.05',
      'outflow.spot.USDC.share is invalid: got "0.05", expected from 0.1 to 1; the nearest is "0.1"',
    ],
    [
      'outflow.spot.EURC',
      { share: '1', small: '0' },
      'outflow.spot.EURC is invalid: got "EURC", expected one of tokens',
    ],
    [
      'depositCap.spot.USDC.total',
      '79228162514264337593544',
      'depositCap.spot.USDC.total is invalid: got "79228162514264337593544", expected at most 79228162514264337593543950335 raw units',
    ],
    ['depositCap.spot.USDC.perAccount', '0.0000001', 'expected at most 6 decimals'],
    [
      'depositCap.spot.EURC',
      { total: '1', perAccount: '1' },
      'depositCap.spot.EURC is invalid: got "EURC", expected one of',
    ],
    [
      'spot',
      [],
      'outflow.spot.USDC is invalid: got "USDC", expected a token that a spot market trades',
    ],
  ]
  for (const [path, value, words] of wrong)
    test(`venue.json with ${path} = ${JSON.stringify(value)} is refused: ${words}`, () => {
      const faults = faultsOf(changed(path, value))
      assert.ok(faults.includes(words), faults)
    })

  test('a venue.json that is missing or invalid JSON is reported', () => {
    assert.throws(
      () => readVenueFile(join(import.meta.dirname, 'nowhere.json'), NETWORKS.testnet),
      /nowhere\.json is invalid: expected a readable JSON file/,
    )
  })
})
