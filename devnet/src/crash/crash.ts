// The crash: positions are opened, the price falls by 30 %, and the keeper does the rest.
import type { LoggedEvent } from '@openvenue/core/events'
import { marketId } from '@openvenue/core/ids'
import { INSURANCE_ACCOUNT } from '@openvenue/core/positions'
import { numberOf } from '../deployment.ts'
import { approve, deposit, mint } from '../funds.ts'
import { MARKETS } from '../markets.ts'
import { txOf } from '../orders.ts'
import { ROLES } from '../roles.ts'
import type { Tx } from '../sender.ts'
import { type Actor, BEAR, CAST, CRASH_MARKET, LEAN, LONGS } from './cast.ts'
import { type Ledger, ledgerOf } from './ledger.ts'
import type { Snapshot, Stage } from './stage.ts'

const E18 = 10n ** 18n
const TOKEN_SCALE = 10n ** 12n
const MILLI = 1000n
const STAKE_PARTS = 10_000n
const DOLLAR = 10n ** 6n
/** What the price falls to, in percent. */
const FALL_TO = 70n
/** Bids below the fallen price, in thousandths of it: a forced order takes what is within 2 %. */
const BIDS = [4n, 8n, 12n]
/** Reports of one price are this far apart: the second confirms the first. */
const REPORT_MS = 1_200
/** A slice is followed by a pause of 30 s. */
const QUIET_WITHIN_MS = 120_000
const REPORTS_MAX = 10
/** Of the price before: the oracle takes a tenth more at once. */
const CLIMB_PERCENT = 109n
/** The index must stay fresh, for a minute at most. */
const REPORT_AGAIN_MS = 10_000

export type CrashResult = Readonly<{
  /** By the index of each actor in the mnemonic. */
  accounts: ReadonlyMap<number, number>
  priceBefore: bigint
  priceAfter: bigint
  before: Snapshot
  after: Snapshot
  /** Between the two, in the order of the chain. */
  events: readonly LoggedEvent[]
  ledger: Ledger
}>

export type CrashPlay = Readonly<{
  /** Given to insurance before. */
  insuranceDollars: bigint
  /** Whether the price goes back afterwards, in steps that the oracle takes at once. */
  returns: boolean
  /** Hears what is being done, for people. */
  tell(line: string): void
}>

/**
 * Plays the crash in a running venue whose keeper liquidates. The oracle takes the price of the
 * asset from the owner while it lasts.
 */
export async function playCrash(stage: Stage, play: CrashPlay): Promise<CrashResult> {
  const { insuranceDollars, tell } = play
  const { asset } = CRASH_MARKET
  const index = await stage.until(`${asset} has a price`, async () => {
    const price = await stage.index(asset)
    return price === 0n ? undefined : price
  })
  const priceBefore = (index / E18) * E18
  const priceAfter = (priceBefore * FALL_TO) / 100n
  tell(`the owner reports the price of ${asset}: ${priceBefore / E18}`)
  await stage.setSource(asset, true)
  try {
    await stage.report(asset, priceBefore)
    const before = await stage.snapshot()
    await openPositions(stage, { priceBefore, priceAfter, insuranceDollars, tell })
    tell(`the price falls to ${priceAfter / E18}: the oracle holds the first report`)
    await move(stage, priceAfter)
    tell('the second report confirms it; the keeper is at work')
    const after = await quiet(stage, priceAfter)
    const events = await stage.events(before.blockNumber + 1, after.blockNumber)
    const { perps } = stage.place.deployment
    const ledger = ledgerOf({ before, after, perps }, events)
    const accounts = new Map<number, number>()
    for (const { index } of CAST) accounts.set(index, await stage.accountOf(index))
    if (play.returns) await climb(stage, priceAfter, priceBefore)
    return { accounts, priceBefore, priceAfter, before, after, events, ledger }
  } finally {
    await stage.setSource(asset, false)
  }
}

/* BEFORE */

type Opening = Readonly<{
  priceBefore: bigint
  priceAfter: bigint
  insuranceDollars: bigint
  tell(line: string): void
}>

/** Deposits, and every long buys from a short. */
async function openPositions(stage: Stage, opening: Opening): Promise<void> {
  const { priceBefore, priceAfter, insuranceDollars, tell } = opening
  await fund(stage, ROLES.insurance, insuranceDollars * DOLLAR)
  for (const actor of CAST) await fund(stage, actor.index, collateralOf(actor, priceBefore))
  tell(`${CAST.length} accounts open positions, long and short, at ${priceBefore / E18}`)
  const tick = tickOf(priceBefore)
  await stage.send([order(stage, LEAN, { tick, milliEth: LEAN.milliEth })])
  await stage.send([order(stage, BEAR, { tick, milliEth: BEAR.milliEth })])
  for (const actor of LONGS)
    await stage.send([order(stage, actor, { tick, milliEth: actor.milliEth })])
  const bids = BIDS.map((below) => tickOf(priceAfter - (priceAfter * below) / 1000n))
  await stage.send(
    bids.map((bid) => order(stage, { ...BEAR, isLong: true }, { tick: bid, milliEth: 20_000n })),
  )
}

const collateralOf = ({ milliEth, stake }: Actor, price: bigint) =>
  (price * milliEth * stake) / MILLI / STAKE_PARTS / TOKEN_SCALE

const tickOf = (price: bigint) => Number(price / CRASH_MARKET.priceStep)

async function fund(stage: Stage, index: number, amount: bigint): Promise<void> {
  const { tokens, perps } = stage.place.deployment
  const wallet = stage.wallet(index)
  if (amount === 0n) return
  await stage.send([
    mint(wallet, tokens.USDC, wallet, amount),
    approve(wallet, tokens.USDC, perps),
    deposit(wallet, perps, tokens.USDC, amount),
  ])
}

type Asked = Readonly<{ tick: number; milliEth: bigint }>

function order(stage: Stage, { index, isLong }: Actor, { tick, milliEth }: Asked): Tx {
  const lots = Number((milliEth * E18) / MILLI / CRASH_MARKET.amountStep)
  const place = { isBuy: isLong, tick, lots, timeInForce: 'GTC' } as const
  const intent = { trader: index, cancels: [], places: [place] }
  const { perps } = stage.place.deployment
  return txOf(intent, stage.wallet(index), perps, numberOf(MARKETS, CRASH_MARKET))
}

/* THE FALL, AND WHAT FOLLOWS */

/** Reports until the oracle has taken the price: one report of a far one it holds. */
async function move(stage: Stage, price: bigint): Promise<void> {
  const { asset } = CRASH_MARKET
  for (let reports = 0; reports < REPORTS_MAX; reports++) {
    await stage.report(asset, price)
    if ((await stage.index(asset)) === price) return
    await stage.pause(REPORT_MS)
  }
  throw new Error(`the oracle takes the price after ${REPORTS_MAX} reports`)
}

async function climb(stage: Stage, from: bigint, to: bigint): Promise<void> {
  let price = from
  while (price < to) {
    const next = (price * CLIMB_PERCENT) / 100n
    price = next < to ? next : to
    await move(stage, price)
  }
}

/** Keeps the price fresh until nobody is left to be liquidated; returns what everybody has then. */
async function quiet(stage: Stage, price: bigint): Promise<Snapshot> {
  let reportedMs = 0
  return stage.until(
    'everybody below the maintenance margin is liquidated',
    async () => {
      reportedMs += stage.pollMs
      if (reportedMs >= REPORT_AGAIN_MS) {
        await stage.report(CRASH_MARKET.asset, price)
        reportedMs = 0
      }
      const snapshot = await stage.snapshot()
      const isDone = snapshot.holdings.every(({ account, equity, maintenanceMargin }) =>
        account === INSURANCE_ACCOUNT ? equity >= 0n : equity >= maintenanceMargin,
      )
      return isDone ? snapshot : undefined
    },
    QUIET_WITHIN_MS,
  )
}

/** The id of the market of the crash. */
export const crashMarketId = (perps: string) => marketId(perps, numberOf(MARKETS, CRASH_MARKET))
