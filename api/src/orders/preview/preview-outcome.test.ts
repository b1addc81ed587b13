// Compares previews with the effect of the same orders in the next block.
// PREVIEWS=1000 npx node --test api/src/orders/preview/preview-outcome.test.ts is the long form.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { CANCEL_REASONS } from '@openvenue/core/events'
import { E18 } from '@openvenue/core/integers'
import type { Market } from '@openvenue/core/records'
import { plainMarket } from '@openvenue/core/test/scenario/plain-market'
import { AnvilVenue, encodeTx } from '@openvenue/indexer/test/anvil-venue'
import { SeededRandom } from '@openvenue/indexer/test/seeded-random'
import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex, parseEventLogs } from 'viem'
import { ORDER_SETTINGS, orderKey, signDigest } from '../../../test/order-model.ts'
import { createOrderSimulation } from '../place/order-simulation.ts'
import type { ParsedOrder } from '../rules/order-body.ts'
import { NOTHING_REPLACED, orderDigest } from '../rules/signed-order.ts'
import { createBlockSimulation, type Preview, previewOrder } from './block-simulation.ts'

const SEED = Number(process.env.PREVIEW_SEED ?? 7)
const COUNT = Number(process.env.PREVIEWS ?? 40)
const MID = 30_000

describe(`a preview, seed ${SEED}`, () => {
  const random = new SeededRandom(SEED)
  let venue: AnvilVenue
  let markets: Readonly<Record<'spot' | 'perps', Market>>
  before(async () => {
    venue = await AnvilVenue.start()
    for (let i = 0; i < 5; i++) await venue.trade(random, 10)
    markets = { spot: await spotMarket(venue), perps: perpMarket(venue) }
  })
  after(() => venue.stop())

  const ask = async (
    market: Market,
    [functionName, args]: readonly [string, readonly unknown[]],
  ) => {
    const abi = (market.type === 'SPOT' ? spotAbi : perpsAbi) as Abi
    const data = encodeFunctionData({ abi, functionName, args })
    const answer = await venue.call('eth_call', { to: market.engine, data }, 'latest')
    return decodeFunctionResult({ abi, functionName, data: answer as Hex })
  }

  /** Returns the effect of a placed order, in the form of a preview. */
  async function placedOutcome(parsed: ParsedOrder, hash: unknown, account: number) {
    const { market } = parsed
    const abi = (market.type === 'SPOT' ? spotAbi : perpsAbi) as Abi
    const receipt = (await venue.call('eth_getTransactionReceipt', hash)) as Receipt
    if (receipt.status !== '0x1') return undefined
    const logs = parseEventLogs({ abi, logs: receipt.logs as never }) as unknown as readonly Log[]
    const { order, lots } = logs.find(({ eventName }) => eventName === 'Placed')?.args ?? {}
    const filled = logs.filter(({ eventName }) => eventName === 'Filled').map(({ args }) => args)
    const gone = logs.find(
      ({ eventName, args }) => eventName === 'Cancelled' && args.order === order,
    )
    const sum = filled.reduce((total, fill) => total + fill.lots, 0n)
    const cancelled = gone?.args.lots ?? 0n
    const lotsOf = (lots ?? 0n) as bigint
    return {
      fills: filled.map(({ tick, lots, takerFee = 0n }) => ({ tick, lots, fees: takerFee })),
      lots: lotsOf,
      filled: sum,
      rested: lotsOf - sum - cancelled,
      cancelled,
      reason: gone === undefined ? undefined : CANCEL_REASONS[gone.args.reason ?? 0],
      after: await meansNow(market, account),
    }
  }

  async function meansNow(market: Market, account: number) {
    if (market.type === 'SPOT') {
      const [base, quote] = await Promise.all(
        [market.baseToken, market.quoteToken].map((token) =>
          ask(market, ['balanceOf', [account, token]]),
        ),
      )
      return { balances: { base, quote } }
    }
    const health = (await ask(market, ['healthOf', [account]])) as Record<string, bigint>
    const { equity, initialMargin: initial, maintenanceMargin: maintenance } = health
    return { health: { equity, initial, maintenance } }
  }

  /** Adds up the rows of a tick, like a preview. */
  const byTick = (fills: readonly Readonly<{ tick: number; lots: bigint; fees: bigint }>[]) => {
    const sums = new Map<number, { tick: number; lots: bigint; fees: bigint }>()
    for (const { tick, lots, fees } of fills) {
      const sum = sums.get(tick) ?? { tick, lots: 0n, fees: 0n }
      sums.set(tick, { tick, lots: sum.lots + lots, fees: sum.fees + fees })
    }
    return [...sums.values()]
  }

  const shown = ({ outcome }: Preview) =>
    outcome && {
      fills: byTick(outcome.fills),
      lots: outcome.lots,
      filled: outcome.filled,
      rested: outcome.rested,
      cancelled: outcome.cancelled,
      reason: outcome.reason,
      after: outcome.after,
    }

  /** Previews an order, then mines only it into the next block, and compares. */
  async function compare(parsed: ParsedOrder, account: number): Promise<Preview> {
    const simulate = createBlockSimulation([venue.url])
    const preview = await previewOrder(simulate, parsed, { account, replaced: undefined })
    assert.equal(preview.seconds, venue.seconds + 1)
    const { market, order } = parsed
    const request = {
      market: order.market,
      buy: order.isBuy,
      tick: Number(order.limitPrice / market.priceStep),
      lots: order.amount / market.amountStep,
      timeInForce: order.timeInForce,
      reduceOnly: order.reduceOnly,
      goodTil: order.goodTil,
      maxFills: order.maxFills,
    }
    const place = encodeTx(order.account, market.engine, [spotAbi as Abi, 'place', [request]])
    const [hash] = await venue.mine([place])
    const outcome = await placedOutcome(parsed, hash, account)
    const said = outcome && { ...outcome, fills: byTick(outcome.fills) }
    assert.deepEqual(shown(preview), said, JSON.stringify(request, replaceBigints))
    return preview
  }

  test(`a preview is what the chain does, for ${COUNT} random orders`, async (t) => {
    const seen = { filled: 0, rested: 0, cancelled: 0, refused: 0 }
    for (let i = 0; i < COUNT; i++) {
      if (i % 3 === 0) await venue.trade(random, 6)
      const market = random.below(3) === 0 ? markets.spot : markets.perps
      const by = 1 + random.below(3)
      const account = Number(await accountOf(venue, by))
      const parsed = randomOrder(random, market, venue.wallets[by] ?? '')
      tally(seen, await compare(parsed, account))
    }
    for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, `${what}: ${count}`)
    t.diagnostic(`${COUNT} previews: ${JSON.stringify(seen)}`)
  })

  test('a preview of an order that the contract refuses has the reason, with its numbers', async () => {
    const poor = { ...randomOrder(random, markets.perps, venue.wallets[5] ?? '') }
    const refused = await previewOrder(createBlockSimulation([venue.url]), poor, {
      account: 0,
      replaced: undefined,
    })
    assert.equal(refused.outcome, undefined)
    assert.equal(refused.refusal?.facts?.contract_error, 'NoAccount')
    const [wallet = ''] = venue.wallets.slice(1)
    const crossing = order(markets.perps, wallet, { tick: 33_000, isBuy: true, timeInForce: 3 })
    const account = Number(await accountOf(venue, 1))
    const found = await previewOrder(createBlockSimulation([venue.url]), crossing, {
      account,
      replaced: undefined,
    })
    assert.equal(found.refusal?.code, 'POST_ONLY_CROSS')
  })

  test('signed orders are simulated as the contract accepts them, without a preview', async () => {
    const key = orderKey(BigInt(WALLET_1))
    const wallet = venue.wallets[1] ?? ''
    assert.equal(key.address.toLowerCase(), wallet.toLowerCase())
    const simulate = createOrderSimulation([venue.url])
    const settings = { ...ORDER_SETTINGS, domainName: 'test' }
    const sign = async (parsed: ParsedOrder): Promise<ParsedOrder> => {
      const digest = orderDigest(settings, parsed.market.engine, parsed.order)
      return { ...parsed, digest, signature: await signDigest(key, digest) }
    }
    const good = await sign(order(markets.perps, wallet, { tick: 20_000, isBuy: true }))
    const off = { ...good, order: { ...good.order, limitPrice: good.order.limitPrice + 1n } }
    const late = { ...good, order: { ...good.order, deadline: 5n } }
    const crossing = order(markets.perps, wallet, { tick: 33_000, isBuy: true, timeInForce: 3 })
    const verdicts = await simulate([
      good,
      await sign(off),
      await sign(late),
      await sign(crossing),
      { ...good, order: { ...good.order, salt: 99n } },
    ])
    assert.deepEqual(
      verdicts.map((found) => found?.code),
      [
        undefined,
        'INVALID_PRICE_STEP_SIZE',
        'ORDER_TIMED_OUT',
        'POST_ONLY_CROSS',
        'ORDER_BAD_SIGNING_KEY',
      ],
    )
  })
})

/** Key from the mnemonic of every development chain. */
const WALLET_1 = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'

type OutcomeCounts = { filled: number; rested: number; cancelled: number; refused: number }

function tally(seen: OutcomeCounts, { outcome }: Preview): void {
  if (outcome === undefined) seen.refused += 1
  for (const what of ['filled', 'rested', 'cancelled'] as const)
    if ((outcome?.[what] ?? 0n) > 0n) seen[what] += 1
}

type Receipt = Readonly<{ status: string; logs: readonly unknown[] }>
type Log = Readonly<{
  eventName: string
  args: Readonly<{ order?: number; tick: number; lots: bigint; takerFee?: bigint; reason?: number }>
}>

const replaceBigints = (_name: string, value: unknown) =>
  typeof value === 'bigint' ? value.toString() : value

async function accountOf(venue: AnvilVenue, by: number): Promise<unknown> {
  const wallet = venue.wallets[by]?.slice(2).padStart(64, '0') ?? ''
  const data = `${encodeFunctionData({ abi: ACCOUNT_OF, args: [`0x${wallet.slice(24)}`] })}`
  return venue.call('eth_call', { to: venue.deployment.accounts, data }, 'latest')
}
const ACCOUNT_OF = [
  {
    type: 'function',
    name: 'accountOf',
    stateMutability: 'view',
    inputs: [{ name: 'wallet', type: 'address' }],
    outputs: [{ name: '', type: 'uint40' }],
  },
] as const

function perpMarket(venue: AnvilVenue): Market {
  const engine = venue.deployment.perps.toLowerCase()
  const steps = { priceStep: 10n ** 17n, amountStep: 10n ** 14n }
  return { ...plainMarket(engine, 1), ...steps, quotePerLotTick: 10n ** 13n, takerFee: 350 }
}

async function spotMarket(venue: AnvilVenue): Promise<Market> {
  const engine = venue.deployment.spot.toLowerCase()
  const data = encodeFunctionData({ abi: spotAbi as Abi, functionName: 'tokensOf', args: [1] })
  const answer = (await venue.call('eth_call', { to: engine, data }, 'latest')) as string
  const token = (index: number) => `0x${answer.slice(2 + 64 * index + 24, 2 + 64 * (index + 1))}`
  return {
    ...plainMarket(engine, 1),
    type: 'SPOT',
    baseToken: token(0),
    quoteToken: token(1),
    quoteDecimals: 6,
    priceStep: 10_000n,
    amountStep: 10n ** 14n,
    quotePerLotTick: 1n,
    maxLeverage: null,
    makerFee: null,
    takerFee: null,
  }
}

type OrderInput = Readonly<{
  tick: number
  isBuy: boolean
  lots?: bigint
  timeInForce?: number
  reduceOnly?: boolean
  maxFills?: number
}>

function order(market: Market, wallet: string, wish: OrderInput): ParsedOrder {
  const { tick, isBuy, lots = 1_000n, timeInForce = 0, reduceOnly = false, maxFills = 0 } = wish
  return {
    market,
    digest: '0x',
    signature: undefined,
    unsigned: {
      clientOrderId: undefined,
      parentOrderId: undefined,
      isMmp: false,
      isMarket: false,
    },
    order: {
      account: wallet.toLowerCase(),
      market: market.number,
      isBuy,
      limitPrice: BigInt(tick) * market.priceStep,
      amount: lots * market.amountStep,
      timeInForce,
      reduceOnly,
      triggerKind: 0,
      triggerPrice: 0n,
      goodTil: 0n,
      maxFills,
      replaces: NOTHING_REPLACED,
      replacesAmount: 0n,
      salt: 1n,
      deadline: E18,
    },
  }
}

/** Around the middle, of every kind; some are too small, too large, or reduce nothing. */
function randomOrder(random: SeededRandom, market: Market, wallet: string): ParsedOrder {
  const isBuy = random.below(2) === 0
  const away = random.below(30) - 15
  const sizes = [500n, 1_500n, 1_500n, 20_000n, 500n, 1_500n, 20_000n, 1n, 10n ** 9n]
  return order(market, wallet, {
    isBuy,
    tick: MID + (isBuy ? away : -away),
    lots: (sizes[random.below(sizes.length)] ?? 1n) + BigInt(random.below(100)),
    timeInForce: random.below(4),
    reduceOnly: market.type === 'PERPETUAL' && random.below(5) === 0,
    maxFills: random.below(3) === 0 ? 1 + random.below(3) : 0,
  })
}
