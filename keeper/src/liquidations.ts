// Closes positions of accounts below their maintenance margin, the worst first, but those that owe
// already after all others: what insurance may take goes to whom it still saves. What the contract
// refuses because insurance is exhausted is handed over to deleveraging.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { isFarBelow } from '@openvenue/core/distress'
import type { Header } from '@openvenue/core/events'
import type { Signal } from '@openvenue/store/signal'
import { encodeEventTopics, encodeFunctionData } from 'viem'
import { Backoff } from './backoff.ts'
import { FailedCloses } from './failed-closes.ts'
import type { Outcome, TxRequest } from './pending-tx.ts'
import { reasonText } from './reason.ts'
import type { RiskWatch } from './risk-watch.ts'
import { type Held, listOrders, type OrdersBy, type Risk, ratioText } from './risks.ts'
import type { Task } from './task.ts'
import type { TaskContext } from './task-context.ts'

/** Without news of blocks the accounts are looked at this often. */
const LOOK_MS = 1_000
/** Closes of one round; the next round goes on with who is left. */
export const CLOSES_MAX = 32
/** Orders that one call names: some 3 million gas. More are cancelled by calls before it. */
export const ORDERS_PER_CALL_MAX = 100
/** Such calls of one account in a round. Orders that stay hinder no liquidation. */
const CANCELS_MAX = 10

/**
 * A close on the book meets makers for as long as it has gas; what a node estimates is enough for
 * one. The contract keeps 4 million of it back, and a maker takes some 40 to 90 thousand.
 */
const BOOK_CLOSE_GAS = 6_000_000n

/** Positions that insurance could not take, by `market id|account`. */
export type HandedOver = Set<string>

/** One close: an account and the position of it that is to be closed. */
type Close = Readonly<{ risk: Risk; held: Held }>

/** Returns the task; what it cannot do is put into `handedOver`, and `handOver` rings. */
export function liquidationsTask(
  context: TaskContext,
  watch: Pick<RiskWatch, 'state' | 'risks' | 'isWaiting'>,
  {
    trigger,
    handedOver,
    handOver,
  }: Readonly<{ trigger: Signal; handedOver: HandedOver; handOver: Signal }>,
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

const subjectKey = ({ risk, held }: Close) => `${held.market.id}|${risk.account}`

type Tries = Readonly<{ backoff: Backoff; failed: FailedCloses }>

/** Forgets the failed closes of who is no longer at risk. */
function keepFailed(
  failed: FailedCloses,
  risks: readonly Risk[],
  watch: Pick<RiskWatch, 'isWaiting'>,
): void {
  const atRisk = new Set(
    risks.flatMap((risk) => risk.held.map((held) => subjectKey({ risk, held }))),
  )
  failed.keepOnly(
    (subject) => atRisk.has(subject) || watch.isWaiting(Number(subject.split('|')[1])),
  )
}

/**
 * Returns the closes of this round, the worst first, then those that owe, and after all others
 * those that failed lately.
 */
function chosen(risks: readonly Risk[], tries: Tries): Close[] {
  const [solvent, owing] = [
    risks.filter(({ margin }) => margin.equity >= 0n),
    risks.filter(({ margin }) => margin.equity < 0n),
  ]
  const closes = [...solvent, ...owing].flatMap((risk) => chooseCloses(risk, tries))
  return byRank(closes, tries.failed).slice(0, CLOSES_MAX)
}

/** Sorts stably. */
const byRank = (closes: Close[], failed: FailedCloses): Close[] =>
  closes.sort((a, b) => failed.rank(subjectKey(a)) - failed.rank(subjectKey(b)))

/**
 * Far below, insurance takes every position at the same ratio, so that all can be closed at once;
 * else the largest is closed first, or the next where that failed lately, and what comes of it is
 * waited for: it may be enough.
 */
function chooseCloses(risk: Risk, { backoff, failed }: Tries): Close[] {
  const open = risk.held
    .map((held) => ({ risk, held }))
    .filter((close) => !backoff.isBackedOff(subjectKey(close)))
  if (isFarBelow(risk.margin)) return open
  const isUnderway = risk.held.some((held) => backoff.isForBlock(subjectKey({ risk, held })))
  return isUnderway ? [] : byRank(open, failed).slice(0, 1)
}

/** Sends the closes in their order, each after the cancels of orders that it cannot name. */
async function carryOut(context: TaskContext, closes: readonly Close[], orders: OrdersBy) {
  const calls = closes.map((close) =>
    closeRequests(context, close, orders.get(subjectKey(close)) ?? []),
  )
  const outcomes = await context.sendAll('liquidations', calls.flat())
  let at = 0
  return closes.map((close, index): [Close, Outcome] => {
    at += calls[index]?.length ?? 0
    return [close, outcomes[at - 1] ?? { kind: 'abandoned' }]
  })
}

function closeRequests(
  context: TaskContext,
  { risk, held }: Close,
  orders: readonly number[],
): TxRequest[] {
  const { account } = risk
  const { number, name } = held.market
  const calls: TxRequest[] = []
  const gas = isFarBelow(risk.margin) ? {} : { gasMin: BOOK_CLOSE_GAS }
  const of = (
    functionName: 'cancelLiquidatable' | 'liquidate',
    some: readonly number[],
    what: string,
  ) => {
    const args = [account, number, some] as const
    const data = encodeFunctionData({ abi: perpsAbi, functionName, args })
    const more = functionName === 'liquidate' ? gas : {}
    calls.push({ to: context.deployment.perps, data, what, ...more })
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

type Ended = Readonly<{ outcome: Outcome; head: Header }>

function backOffAfter(tries: Tries, subject: string, { outcome, head }: Ended): void {
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

/** Returns what a call that was included did, by its logs: the first one only starts the clock. */
export function closeText(events: readonly string[] = []): string {
  const has = (topic: string | undefined) => topic !== undefined && events.includes(topic)
  if (has(ABSORBED)) return 'insurance took a position over'
  if (has(LIQUIDATED)) return 'an account was liquidated'
  return 'a liquidation goes on: nothing was closed yet'
}

function logOutcome({ log }: TaskContext, { risk, held }: Close, outcome: Outcome): void {
  const { account, margin } = risk
  const facts = { account, market: held.market.name, ratio: ratioText(margin) }
  if (outcome.kind === 'included')
    log.info({ ...facts, block: outcome.blockNumber }, closeText(outcome.events))
  else if (outcome.kind === 'refused' && outcome.reason.name === 'InsuranceExhausted')
    log.warn({ ...facts, reason: reasonText(outcome.reason) }, 'insurance cannot take the position')
}
