import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { accountMargin } from '@openvenue/core/margin'
import { LISTINGS, PERP_ENGINE, SPOT_ENGINE, TOKENS } from '@openvenue/core/test/scenario/listing'
import { randomTale } from '@openvenue/core/test/scenario/random-scenario'
import { scenario as newScenario, type Scenario } from '@openvenue/core/test/scenario/scenario'
import { fixedText, parseDecimal } from '@openvenue/core/units'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { AccountObject, Collaterals, Leverages } from '@openvenue/wire/account'
import { Markets } from '@openvenue/wire/markets'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { type AccountNode, forgetPrices, withAccountNode } from '../../test/account-node.ts'
import { fallenScenario, richScenario } from '../../test/margin-scenarios.ts'

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

const withNode = (scenario: Scenario, act: (venue: AccountNode) => Promise<void>) =>
  withAccountNode(store, scenario, act)

async function readAccount(venue: AccountNode, who = 'alice'): Promise<AccountObject> {
  const { status, body } = await venue.as(who, '/account')
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Value.Check(AccountObject, body))
  return body
}

describe('GET /account', () => {
  test('GET /account has every field, all of one block', async () => {
    await withNode(richScenario(), async (venue) => {
      const { headers } = await venue.as('alice', '/account')
      const { positions, collaterals, ...rest } = await readAccount(venue)
      assert.deepEqual(rest, {
        account: venue.walletOf('alice'),
        equity: '1000.09701',
        available_balance: '998.29701',
        balance: '999.99701',
        fee_structures: [
          { asset: 'ETH', instrument_type: 'SPOT', maker_fee: '0', taker_fee: '0' },
          { asset: 'ETH', instrument_type: 'PERPETUAL', maker_fee: '0.0001', taker_fee: '0.00035' },
        ],
        initial_margin: '1.8',
        maintenance_margin: '0.75',
        in_liquidation: false,
        liquidatable: false,
        leverages: [
          {
            instrument_id: LISTINGS['ETH-PERP'].id,
            instrument_name: 'ETH-PERP',
            leverage: '20',
            max_leverage: '20',
            margin_type: 'CROSS',
          },
        ],
        realized_pnl: '0',
        unrealized_pnl: '0.1',
        spot_value: '6500',
        total_value: '7500.09701',
        deposit_limits: [],
        withdrawals_stopped: false,
      })
      assert.deepEqual(
        positions,
        ((await venue.as('alice', '/positions')).body as AccountObject).positions,
      )
      assert.deepEqual(
        collaterals.map((item) => [item.collateral_asset, item.instrument_type]),
        [
          ['ETH', 'SPOT'],
          ['USDC', 'SPOT'],
          ['USDC', 'PERPETUAL'],
        ],
      )
      const { number, hash } = venue.model.head ?? {}
      assert.deepEqual([headers['x-block-number'], headers['x-block-hash']], [String(number), hash])
    })
  })

  test('GET /account shows spot tokens and margin collateral apart: only margin backs positions', async () => {
    await withNode(richScenario(), async (venue) => {
      const [eth, usdc, margin] = (await readAccount(venue)).collaterals
      const perToken = { pending_withdrawals: '0' }
      const spot = { ...perToken, instrument_type: 'SPOT', margin_value: '0', unrealized_pnl: '0' }
      assert.deepEqual(eth, {
        ...spot,
        collateral_asset: 'ETH',
        collateral_address: TOKENS.ETH.address,
        balance: '2',
        available_balance: '1.999',
        locked_balance: '0.001',
        collateral_value: '6000',
        collateral_factor: '0',
        withdrawable_balance: '1.999',
        decimals: 18,
      })
      assert.deepEqual(usdc, {
        ...spot,
        collateral_asset: 'USDC',
        collateral_address: TOKENS.USDC.address,
        balance: '500',
        available_balance: '500',
        locked_balance: '0',
        collateral_value: '500',
        collateral_factor: '0',
        withdrawable_balance: '500',
        decimals: 6,
      })
      assert.deepEqual(margin, {
        ...perToken,
        instrument_type: 'PERPETUAL',
        collateral_asset: 'USDC',
        collateral_address: TOKENS.USDC.address,
        balance: '999.99701',
        available_balance: '998.29701',
        locked_balance: '1.7',
        collateral_value: '999.99701',
        margin_value: '999.99701',
        collateral_factor: '1',
        // A tenth of the notional stays, which is 3.
        withdrawable_balance: '997.09701',
        unrealized_pnl: '0.1',
        decimals: 6,
      })
    })
  })

  test('GET /account cuts margin collateral to the decimals of its token, towards zero', async () => {
    const scenario = newScenario()
      .index('SOL', 150n * E18)
      .list('SOL-PERP')
    scenario.deposit('alice', 'USDC', 100n).deposit('bob', 'USDC', 1_000_000n)
    scenario
      .place('alice', 'buy', 15_001, 1n)
      .place('bob', 'sell', 15_001, 1n)
      .next(60)
      .poke()
      .next()
    await withNode(scenario, async (venue) => {
      const { balance, collaterals } = await readAccount(venue)
      assert.deepEqual([balance, collaterals[0]?.balance], ['99.9984999', '99.998499'])
      assert.equal(collaterals[0]?.collateral_value, balance)
    })
  })

  test('GET /account is liquidatable once equity is below maintenance margin', async () => {
    await withNode(fallenScenario(2920n), async (venue) => {
      const { equity, maintenance_margin, liquidatable } = await readAccount(venue, 'carol')
      assert.deepEqual([equity, maintenance_margin, liquidatable], ['79.7', '73', false])
    })
    await withNode(fallenScenario(2900n), async (venue) => {
      const { equity, maintenance_margin, liquidatable, in_liquidation } = await readAccount(
        venue,
        'carol',
      )
      assert.deepEqual([equity, maintenance_margin, liquidatable], ['59.7', '72.5', true])
      assert.equal(in_liquidation, false)
    })
  })

  test('GET /account is never liquidatable when it is insurance, which is deleveraged instead', async () => {
    const unit = 2900n * 10n ** 15n
    const absorbed = fallenScenario(2900n)
      .absorb('carol', unit, -10n * E18)
      .next()
    await withNode(absorbed, async (venue) => {
      const insurance = await readAccount(venue, 'insurance')
      const { equity, maintenance_margin, liquidatable, in_liquidation } = insurance
      assert.deepEqual([equity, maintenance_margin], ['-10', '72.5'])
      assert.deepEqual([liquidatable, in_liquidation], [false, false])
      const carol = await readAccount(venue, 'carol')
      assert.deepEqual([carol.liquidatable, carol.positions], [false, []])
    })
  })

  test('GET /account has an available balance of 0 when equity is below initial margin', async () => {
    await withNode(fallenScenario(2920n), async (venue) => {
      const { available_balance, collaterals } = await readAccount(venue, 'carol')
      assert.equal(available_balance, '0')
      assert.equal(collaterals[0]?.available_balance, '0')
      assert.equal(collaterals[0]?.locked_balance, '159.7')
    })
  })

  test('GET /account has nothing locked while free margin exceeds what is there', async () => {
    await withNode(fallenScenario(3200n), async (venue) => {
      const { available_balance, collaterals } = await readAccount(venue, 'carol')
      assert.equal(available_balance, '199.7')
      const [margin] = collaterals
      assert.deepEqual([margin?.balance, margin?.locked_balance], ['159.7', '0'])
      assert.equal(margin?.withdrawable_balance, '39.7', 'a tenth of the notional stays')
    })
  })

  test('GET /account has the leverage that the account chose in every perpetual', async () => {
    const scenario = richScenario()
    const market = LISTINGS['ETH-PERP'].id
    scenario
      .say({ type: 'LeverageSet', market, account: scenario.accountOf('alice'), leverage: 3 })
      .next()
    await withNode(scenario, async (venue) => {
      const { leverages } = await readAccount(venue)
      assert.deepEqual([leverages[0]?.leverage, leverages[0]?.max_leverage], ['3', '20'])
    })
  })

  test('GET /account reports no withdrawable balance while a loss is flagged', async () => {
    const loss = { market: LISTINGS['ETH-PERP'].id, account: 3 }
    const flagged = richScenario().say({ type: 'LossFlagged', ...loss })
    const expectStopped = (scenario: Scenario, isStopped: boolean) =>
      withNode(scenario, async (venue) => {
        assert.equal((await readAccount(venue)).withdrawals_stopped, isStopped)
        const { body } = await venue.as('alice', '/markets')
        assert.ok(Value.Check(Markets, body))
        const words = body.map((market) => market.withdrawals_stopped)
        assert.deepEqual(words, [undefined, isStopped])
      })
    await expectStopped(flagged, true)
    await expectStopped(flagged.next().say({ type: 'LossCleared', ...loss }), false)
  })

  test('GET /account reports the remaining deposit room wherever accounts have a cap', async () => {
    const cap = (perAccount: bigint | null) =>
      ({
        type: 'DepositCapSet',
        engine: PERP_ENGINE,
        engineType: 'PERPETUAL',
        token: TOKENS.USDC.address,
        total: null,
        perAccount,
      }) as const
    const spot = {
      ...cap(600_000_001n),
      engine: SPOT_ENGINE,
      engineType: 'SPOT' as const,
    }
    const limits = async (scenario: Scenario, who: string) => {
      let found: AccountObject['deposit_limits'] = []
      await withNode(scenario, async (venue) => {
        found = (await readAccount(venue, who)).deposit_limits
      })
      return found.map(({ instrument_type, cap, left }) => [instrument_type, cap, left])
    }
    const capped = () => richScenario().say(cap(1_000_000_000n)).say(spot).next()
    // Collateral of 999.99701 is cut to 6 decimals before it is deducted; no order is in it.
    const alice = [
      ['SPOT', '600.000001', '100.000001'],
      ['PERPETUAL', '1000', '0.00299'],
    ]
    const byEngine = (rows: readonly (readonly string[])[]) => [...rows].sort()
    assert.deepEqual(byEngine(await limits(capped(), 'alice')), byEngine(alice))
    assert.deepEqual(byEngine(await limits(capped(), 'nobody')), [
      ['PERPETUAL', '1000', '1000'],
      ['SPOT', '600.000001', '600.000001'],
    ])
    assert.deepEqual(await limits(capped(), 'insurance'), [])
    const lowered = capped().say(cap(1n)).next()
    assert.ok((await limits(lowered, 'alice')).some(([, , left]) => left === '0'))
    const lifted = capped()
      .say(cap(null))
      .say({ ...spot, perAccount: null })
    assert.deepEqual(await limits(lifted.next(), 'alice'), [])
  })

  test('GET /account has null for the value of a token without an index price, and so for the total', async () => {
    const scenario = richScenario()
      .on('ETH-USDC')
      .list('EURC-USDC')
      .deposit('alice', 'EURC', 7n)
      .next()
    await withNode(scenario, async (venue) => {
      const { spot_value, total_value, equity, collaterals } = await readAccount(venue)
      assert.deepEqual([spot_value, total_value], [null, null])
      assert.notEqual(equity, null)
      const eurc = collaterals.find(({ collateral_asset }) => collateral_asset === 'EURC')
      assert.deepEqual([eurc?.balance, eurc?.collateral_value], ['7', null])
    })
  })

  test('GET /account has a null unrealized_pnl, and null margins, where a mark is missing', async () => {
    const scenario = newScenario()
      .index('ETH', 3000n * E18)
      .list('ETH-PERP')
    scenario.deposit('alice', 'USDC', 100n).deposit('bob', 'USDC', 100n)
    scenario.place('alice', 'buy', 30_000, 1n)
    scenario.place('bob', 'sell', 30_000, 1n).next()
    await withNode(scenario, async (venue) => {
      forgetPrices(venue, LISTINGS['ETH-PERP'])
      const { unrealized_pnl, equity, liquidatable, balance } = await readAccount(venue)
      assert.deepEqual([unrealized_pnl, equity, liquidatable], [null, null, null])
      assert.equal(balance, '99.9997')
    })
  })

  test('GET /account is zeros and empty lists for a wallet that the chain does not know', async () => {
    await withNode(richScenario(), async (venue) => {
      const { leverages, fee_structures, ...rest } = await readAccount(venue, 'nobody')
      assert.deepEqual(rest, {
        account: venue.walletOf('nobody'),
        equity: '0',
        available_balance: '0',
        balance: '0',
        collaterals: [],
        positions: [],
        initial_margin: '0',
        maintenance_margin: '0',
        in_liquidation: false,
        liquidatable: false,
        realized_pnl: '0',
        unrealized_pnl: '0',
        spot_value: '0',
        total_value: '0',
        deposit_limits: [],
        withdrawals_stopped: false,
      })
      assert.deepEqual([leverages.length, fee_structures.length], [1, 2])
    })
  })
})

describe('the parts of the account', () => {
  test('the parts of the account have their own paths, which also exist below the address', async () => {
    await withNode(richScenario(), async (venue) => {
      const wallet = venue.walletOf('alice')
      const { account, collaterals, leverages } = await readAccount(venue)
      const parts = [
        ['/account/collaterals', Collaterals, { account, collaterals }],
        ['/account/leverages', Leverages, { account, leverages }],
      ] as const
      for (const [path, schema, expected] of parts) {
        const plain = await venue.as('alice', path)
        assert.ok(Value.Check(schema, plain.body))
        assert.deepEqual(plain.body, expected)
        assert.equal(plain.headers['x-block-number'], String(venue.model.head?.number))
        const below = path.replace('/account', `/account/${wallet}`)
        assert.deepEqual((await venue.as('alice', below)).body, expected)
        assert.equal((await venue.as('bob', below)).status, 403)
        assert.equal((await venue.get(below)).status, 401)
        assert.equal((await venue.get(path)).status, 401)
      }
      const own = await venue.as('alice', `/account/${wallet.toUpperCase().replace('X', 'x')}`)
      assert.deepEqual(own.body, await readAccount(venue))
      assert.equal((await venue.as('bob', `/account/${wallet}`)).status, 403)
      assert.equal((await venue.as('alice', '/account/0x12')).status, 400)
      assert.equal((await venue.get(`/account/${wallet}`)).status, 401)
      assert.equal((await venue.get('/account')).status, 401)
    })
  })
})

describe('any account', () => {
  test('any account adds up, whatever happens at the venue', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), (seed) => {
        const scenario = randomTale(seed, 40)
        return withNode(scenario, async (venue) => {
          for (const who of ['alice', 'bob', 'carol', 'dave'])
            checkSums(venue, scenario, who, await readAccount(venue, who))
        })
      }),
      { numRuns: 6 },
    )
  })
})

const text = (value: string | null | undefined) => parseDecimal(value ?? '', 18) as bigint

function checkSums(
  venue: AccountNode,
  scenario: Scenario,
  who: string,
  object: AccountObject,
): void {
  const { state, head } = venue.model
  const at = { engine: PERP_ENGINE, account: scenario.accountOf(who), seconds: head?.seconds ?? 0 }
  const margin = accountMargin(state, at)
  assert.ok(margin !== undefined)
  assert.equal(object.equity, fixedText(margin.equity))
  assert.equal(object.balance, fixedText(margin.collateral))
  assert.equal(object.unrealized_pnl, fixedText(margin.unrealised))
  assert.equal(object.initial_margin, fixedText(margin.initial))
  assert.equal(object.maintenance_margin, fixedText(margin.maintenance))
  assert.equal(
    text(object.equity),
    text(object.balance) + text(object.unrealized_pnl) - margin.fundingDue,
  )
  const sum = (values: readonly (string | null | undefined)[]) =>
    values.reduce((all, value) => all + text(value), 0n)
  const perps = object.positions.filter(({ instrument_type }) => instrument_type === 'PERPETUAL')
  assert.equal(text(object.unrealized_pnl), sum(perps.map((item) => item.unrealized_pnl)))
  assert.equal(text(object.realized_pnl), sum(perps.map((item) => item.realized_pnl)))
  const isBelow = margin.equity < margin.maintenance
  assert.equal(object.liquidatable, perps.length > 0 && isBelow)
}
