// Runs the crash: positions are opened, the price falls by 30 %, and the keeper liquidates.

import type { LoggedEvent } from '@openvenue/core/events'
import { E18 } from '@openvenue/core/integers'
import { INSURANCE_ACCOUNT } from '@openvenue/core/positions'
import { marketNumber } from '../deployment.ts'
import { approve, deposit, mint } from '../funds.ts'
import { MARKETS } from '../markets.ts'
import { intentTx } from '../orders.ts'
import { ROLES } from '../roles.ts'
import type { Tx } from '../tx-sender.ts'
import { ACTORS, type Actor, BEAR, CRASH_MARKET, LEVERAGED, LONGS } from './actors.ts'
import type { ChainClient, Snapshot } from './chain-client.ts'
import { buildLedger, type Ledger } from './ledger.ts'

const TOKEN_SCALE = 10n ** 12n
const MILLI = 1000n
const STAKE_PARTS = 10_000n
const DOLLAR = 10n ** 6n
/** The price after the fall, in percent of the one before. */
const FALL_TO = 70n
/** Bids below the fallen price, in its thousandths: a forced order takes those within 2 %. */
const BIDS = [4n, 8n, 12n]
/** Interval of two reports of a price: the second confirms the first. */
const REPORT_MS = 1_200
/** A partial liquidation is followed by a pause of 30 s. */
const QUIET_WITHIN_MS = 120_000
const REPORTS_MAX = 10
/** Percent of the previous price: the oracle accepts a rise by a tenth at once. */
const CLIMB_PERCENT = 109n
/** The index stays fresh for a minute at most. */
const REPORT_AGAIN_MS = 10_000

export type CrashResult = Readonly<{
  /** Account numbers by the mnemonic index of each actor. */
  accounts: ReadonlyMap<number, number>
  priceBefore: bigint
  priceAfter: bigint
  before: Snapshot
  after: Snapshot
  /** Events between the two, in chain order. */
  events: readonly LoggedEvent[]
  ledger: Ledger
}>

type CrashOptions = Readonly<{
  /** Deposited into insurance before. */
  insuranceDollars: bigint
  /** The price returns afterwards, in steps that the oracle accepts at once. */
  returns: boolean
  /** Prints progress for the operator. */
  print(line: string): void
}>

/**
 * Runs the crash in a running venue whose keeper liquidates. The owner is the oracle's price source
 * of the asset meanwhile.
 */
export async function runCrash(client: ChainClient, options: CrashOptions): Promise<CrashResult> {
  const { insuranceDollars, print } = options
  const { asset } = CRASH_MARKET
  const index = await client.until(`${asset} has a price`, async () => {
    const price = await client.index(asset)
    return price === 0n ? undefined : price
  })
  const priceBefore = (index / E18) * E18
  const priceAfter = (priceBefore * FALL_TO) / 100n
  print(`the owner reports the price of ${asset}: ${priceBefore / E18}`)
  await client.setSource(asset, true)
  try {
    await client.report(asset, priceBefore)
    const before = await client.snapshot()
    await openPositions(client, { priceBefore, priceAfter, insuranceDollars, print })
    print(`the price falls to ${priceAfter / E18}: the oracle holds the first report`)
    await move(client, priceAfter)
    print('the second report confirms it; the keeper is at work')
    const after = await quiet(client, priceAfter)
    const events = await client.events(before.blockNumber + 1, after.blockNumber)
    const { perps } = client.venue.deployment
    const ledger = buildLedger({ before, after, perps }, events)
    const accounts = new Map<number, number>()
    for (const { index } of ACTORS) accounts.set(index, await client.accountOf(index))
    if (options.returns) await climb(client, priceAfter, priceBefore)
    return { accounts, priceBefore, priceAfter, before, after, events, ledger }
  } finally {
    await client.setSource(asset, false)
  }
}

/* BEFORE */

type CrashPlan = Readonly<{
  priceBefore: bigint
  priceAfter: bigint
  insuranceDollars: bigint
  print(line: string): void
}>

/** Deposits, and opens every long against a short. */
async function openPositions(client: ChainClient, opening: CrashPlan): Promise<void> {
  const { priceBefore, priceAfter, insuranceDollars, print } = opening
  await fund(client, ROLES.insurance, insuranceDollars * DOLLAR)
  for (const actor of ACTORS) await fund(client, actor.index, collateralFor(actor, priceBefore))
  print(`${ACTORS.length} accounts open positions, long and short, at ${priceBefore / E18}`)
  const tick = tickAt(priceBefore)
  await client.send([order(client, LEVERAGED, { tick, milliEth: LEVERAGED.milliEth })])
  await client.send([order(client, BEAR, { tick, milliEth: BEAR.milliEth })])
  for (const actor of LONGS)
    await client.send([order(client, actor, { tick, milliEth: actor.milliEth })])
  const bids = BIDS.map((below) => tickAt(priceAfter - (priceAfter * below) / 1000n))
  await client.send(
    bids.map((bid) => order(client, { ...BEAR, isLong: true }, { tick: bid, milliEth: 20_000n })),
  )
}

const collateralFor = ({ milliEth, stake }: Actor, price: bigint) =>
  (price * milliEth * stake) / MILLI / STAKE_PARTS / TOKEN_SCALE

const tickAt = (price: bigint) => Number(price / CRASH_MARKET.priceStep)

async function fund(client: ChainClient, index: number, amount: bigint): Promise<void> {
  const { tokens, perps } = client.venue.deployment
  const wallet = client.wallet(index)
  if (amount === 0n) return
  await client.send([
    mint(wallet, tokens.USDC, wallet, amount),
    approve(wallet, tokens.USDC, perps),
    deposit(wallet, perps, tokens.USDC, amount),
  ])
}

type CrashOrder = Readonly<{ tick: number; milliEth: bigint }>

function order(client: ChainClient, { index, isLong }: Actor, { tick, milliEth }: CrashOrder): Tx {
  const lots = Number((milliEth * E18) / MILLI / CRASH_MARKET.amountStep)
  const venue = { isBuy: isLong, tick, lots, timeInForce: 'GTC' } as const
  const intent = { trader: index, cancels: [], edits: [], places: [venue] }
  const { perps } = client.venue.deployment
  return intentTx(intent, client.wallet(index), perps, marketNumber(MARKETS, CRASH_MARKET))
}

/* THE FALL, AND WHAT FOLLOWS */

/** Reports until the oracle has accepted the price: it holds a single report of a far one. */
async function move(client: ChainClient, price: bigint): Promise<void> {
  const { asset } = CRASH_MARKET
  for (let reports = 0; reports < REPORTS_MAX; reports++) {
    await client.report(asset, price)
    if ((await client.index(asset)) === price) return
    await client.wait(REPORT_MS)
  }
  throw new Error(`the oracle refuses the price after ${REPORTS_MAX} reports`)
}

async function climb(client: ChainClient, from: bigint, to: bigint): Promise<void> {
  let price = from
  while (price < to) {
    const next = (price * CLIMB_PERCENT) / 100n
    price = next < to ? next : to
    await move(client, price)
  }
}

/** Keeps the price fresh until no account can be liquidated; returns the final holdings. */
async function quiet(client: ChainClient, price: bigint): Promise<Snapshot> {
  let reportedMs = 0
  return client.until(
    'every account below its maintenance margin is liquidated',
    async () => {
      reportedMs += client.pollMs
      if (reportedMs >= REPORT_AGAIN_MS) {
        await client.report(CRASH_MARKET.asset, price)
        reportedMs = 0
      }
      const snapshot = await client.snapshot()
      const isDone = snapshot.holdings.every(({ account, equity, maintenanceMargin }) =>
        account === INSURANCE_ACCOUNT ? equity >= 0n : equity >= maintenanceMargin,
      )
      return isDone ? snapshot : undefined
    },
    QUIET_WITHIN_MS,
  )
}
