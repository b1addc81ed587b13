// Liquidates accounts below their maintenance margin, the worst first. Accounts with negative
// equity come last, so that insurance is spent on accounts that it can still save. A close that the
// contract refuses because insurance is exhausted is handed over to deleveraging.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { isFarBelow } from '@openvenue/core/distress'
import type { Header } from '@openvenue/core/events'
import type { Signal } from '@openvenue/runtime/signal'
import { encodeEventTopics, encodeFunctionData } from 'viem'
import { Backoff } from './backoff.ts'
import { FailedCloses } from './failed-closes.ts'
import type { TxRequest, TxResult } from './pending-tx.ts'
import { reasonText } from './reason.ts'
import type { RiskWatch } from './risk-watch.ts'
import { listOrders, type OrdersBy, type Risk, ratioText, type ValuedPosition } from './risks.ts'
import type { Task } from './task.ts'
import type { TaskContext } from './task-context.ts'

/** Poll interval when no news of blocks arrives. */
const LOOK_MS = 1_000
/** Maximum number of closes in one round; the next round continues with the rest. */
export const CLOSES_MAX = 32
/** Maximum number of orders in one call: some 3 million gas. Earlier calls cancel the rest. */
export const ORDERS_PER_CALL_MAX = 100
/** Maximum number of cancel calls per account in a round. Remaining orders do not block a close. */
const CANCELS_MAX = 10

/**
 * A close on the book matches makers for as long as it has gas, and a node's estimate covers only
 * one. The contract reserves 4 million of it, and a maker takes some 40 to 90 thousand.
 */
const BOOK_CLOSE_GAS = 6_000_000n

/** Positions that insurance could not take over, by `market id|account`. */
export type HandoverKeys = Set<string>

/** A position to close, and the risk of its account. */
type Close = Readonly<{ risk: Risk; holding: ValuedPosition }>

/** Returns the liquidation task; it adds what it cannot close to `handedOver`. */
export function liquidationsTask(
  context: TaskContext,
  watch: Pick<RiskWatch, 'state' | 'risks' | 'isWaiting'>,
  {
    trigger,
    handedOver,
    handOver,
  }: Readonly<{ trigger: Signal; handedOver: HandoverKeys; handOver: Signal }>,
): Task {
  const tries = { backoff: new Backoff(), failed: new FailedCloses() }
  return {
    name: 'liquidations',
    everyMs: LOOK_MS,
    trigger,
    round: async () => {
      const { state } = watch
      if (state.head === undefined) return
      tries.backoff.expire(state.head)
      const risks = watch.risks()
      keepFailed(tries.failed, risks, watch)
      const closes = chosen(risks, tries)
      if (closes.length === 0) return
      const orders = listOrders(state, new Set(closes.map(({ risk }) => risk.account)))
      const settled = await carryOut(context, closes, orders)
      for (const [close, outcome] of settled) {
        const subject = subjectKey(close)
        backOffAfter(tries, subject, { outcome, head: state.head })
        logOutcome(context, close, outcome)
        if (outcome.kind !== 'refused' || outcome.reason.name !== 'InsuranceExhausted') continue
        handedOver.add(subject)
        handOver.set()
      }
    },
  }
}

const subjectKey = ({ risk, holding }: Close) => `${holding.market.id}|${risk.account}`

type RetryState = Readonly<{ backoff: Backoff; failed: FailedCloses }>

/** Drops the failed closes of accounts that are no longer at risk. */
function keepFailed(
  failed: FailedCloses,
  risks: readonly Risk[],
  watch: Pick<RiskWatch, 'isWaiting'>,
): void {
  const atRisk = new Set(
    risks.flatMap((risk) => risk.holdings.map((holding) => subjectKey({ risk, holding }))),
  )
  failed.keepOnly(
    (subject) => atRisk.has(subject) || watch.isWaiting(Number(subject.split('|')[1])),
  )
}

/**
 * Returns the closes of this round: the worst ratio first, then accounts with negative equity, and
 * last those that failed recently.
 */
function chosen(risks: readonly Risk[], tries: RetryState): Close[] {
  const [solvent, owing] = [
    risks.filter(({ margin }) => margin.equity >= 0n),
    risks.filter(({ margin }) => margin.equity < 0n),
  ]
  const closes = [...solvent, ...owing].flatMap((risk) => chooseCloses(risk, tries))
  return byRank(closes, tries.failed).slice(0, CLOSES_MAX)
}

/** Stable sort by failure rank. */
const byRank = (closes: Close[], failed: FailedCloses): Close[] =>
  closes.sort((a, b) => failed.rank(subjectKey(a)) - failed.rank(subjectKey(b)))

/**
 * Far below its margin, insurance takes every position at the same ratio, so that all close at
 * once. Otherwise only the largest is closed, or the next one if that failed recently: it may be
 * enough.
 */
function chooseCloses(risk: Risk, { backoff, failed }: RetryState): Close[] {
  const open = risk.holdings
    .map((holding) => ({ risk, holding }))
    .filter((close) => !backoff.isBackedOff(subjectKey(close)))
  if (isFarBelow(risk.margin)) return open
  const keys = risk.holdings.map((holding) => subjectKey({ risk, holding }))
  return keys.some((key) => backoff.isForBlock(key)) ? [] : byRank(open, failed).slice(0, 1)
}

/** Sends the closes in order, each after cancels of the orders that it cannot name. */
async function carryOut(context: TaskContext, closes: readonly Close[], orders: OrdersBy) {
  const calls = closes.map((close) =>
    closeRequests(context, close, orders.get(subjectKey(close)) ?? []),
  )
  const outcomes = await context.sendAll('liquidations', calls.flat())
  let at = 0
  return closes.map((close, index): [Close, TxResult] => {
    at += calls[index]?.length ?? 0
    return [close, outcomes[at - 1] ?? { kind: 'abandoned' }]
  })
}

function closeRequests(
  context: TaskContext,
  { risk, holding }: Close,
  orders: readonly number[],
): TxRequest[] {
  const { account } = risk
  const { number, name } = holding.market
  const calls: TxRequest[] = []
  const gas = isFarBelow(risk.margin) ? {} : { gasMin: BOOK_CLOSE_GAS }
  const of = (
    functionName: 'cancelLiquidatable' | 'liquidate',
    some: readonly number[],
    description: string,
  ) => {
    const args = [account, number, some] as const
    const data = encodeFunctionData({ abi: perpsAbi, functionName, args })
    const more = functionName === 'liquidate' ? gas : {}
    calls.push({ to: context.deployment.perps, data, description, ...more })
  }
  const named = orders.slice(0, ORDERS_PER_CALL_MAX)
  for (let chunk = 1; chunk <= CANCELS_MAX; chunk++) {
    const from = chunk * ORDERS_PER_CALL_MAX
    const some = orders.slice(from, from + ORDERS_PER_CALL_MAX)
    if (some.length > 0)
      of('cancelLiquidatable', some, `${some.length} orders of account ${account}, ${name}`)
  }
  of('liquidate', named, `liquidation of account ${account}, ${name}`)
  return calls
}

function backOffAfter(
  tries: RetryState,
  subject: string,
  { outcome, head }: Readonly<{ outcome: TxResult; head: Header }>,
): void {
  const { backoff, failed } = tries
  if (outcome.kind === 'included') {
    failed.succeeded(subject)
    backoff.untilBlock(subject, outcome.blockNumber)
  } else if (outcome.kind === 'reverted') {
    const seconds = failed.reverted(subject)
    if (seconds === 0) backoff.untilBlock(subject, outcome.blockNumber)
    else backoff.untilSeconds(subject, head.seconds + seconds)
  } else if (outcome.kind === 'refused' && outcome.reason.name === 'LiquidationTooSoon')
    backoff.untilSeconds(subject, Number(outcome.reason.args[0]))
  else {
    failed.refused(subject)
    backoff.untilBlock(subject, head.number + 1)
  }
}

const [LIQUIDATED, ABSORBED] = (['Liquidated', 'Absorbed'] as const).map((eventName) =>
  String(encodeEventTopics({ abi: perpsAbi, eventName })[0]),
)

/** Returns the effect of an included call from its logs; a first call may only start the clock. */
export function closeText(events: readonly string[] = []): string {
  const has = (topic: string | undefined) => topic !== undefined && events.includes(topic)
  if (has(ABSORBED)) return 'insurance took over a position'
  if (has(LIQUIDATED)) return 'an account was liquidated'
  return 'a liquidation has started: nothing closed yet'
}

function logOutcome({ log }: TaskContext, { risk, holding }: Close, outcome: TxResult): void {
  const { account, margin } = risk
  const facts = { account, market: holding.market.name, ratio: ratioText(margin) }
  if (outcome.kind === 'included')
    log.info({ ...facts, block: outcome.blockNumber }, closeText(outcome.events))
  else if (outcome.kind === 'refused' && outcome.reason.name === 'InsuranceExhausted')
    log.warn({ ...facts, reason: reasonText(outcome.reason) }, 'insurance cannot take the position')
}
