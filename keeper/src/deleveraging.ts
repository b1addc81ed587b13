// Deleverages positions that insurance cannot take over: those handed over by the liquidator, and
// insurance's own when its equity is below zero or a market has used up its share of insurance. The
// highest-ranked winner is nominated, replacing any lower-ranked nomination, and the close executes
// once the nomination has matured. A loss that no winner can absorb becomes a debt, which insurance
// covers when it can. Insurance closes its position on the book once the book offers the mark.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import type { Header } from '@openvenue/core/events'
import { max } from '@openvenue/core/integers'
import type { Market } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import type { Signal } from '@openvenue/runtime/signal'
import { encodeFunctionData } from 'viem'
import { Backoff } from './backoff.ts'
import { type HandoverKeys, ORDERS_PER_CALL_MAX } from './liquidations.ts'
import type { TxRequest } from './pending-tx.ts'
import { rankWinners, type Winner } from './ranking.ts'
import { reasonText } from './reason.ts'
import { heldBy, INSURANCE_ACCOUNT, listOrders, nextMargin, type ValuedPosition } from './risks.ts'
import type { Task } from './task.ts'
import type { TaskContext } from './task-context.ts'
import type { VenueView } from './venue-view.ts'

const LOOK_MS = 1_000
/** Maximum number of winners tried for one position in a round. The next round re-ranks them. */
export const WINNERS_MAX = 20
/** Interval of the search for debts, which scans all accounts. */
const DEBTS_EVERY_SECONDS = 60
/** Interval of the check of insurance positions: two calls for each market. */
const INSURANCE_EVERY_SECONDS = 10
/** Maximum number of debts that insurance is asked to cover in one round. */
const DEBTS_MAX = 16
/** One cent: smaller debts are not worth their gas. */
const DEBT_MIN = 10n ** 16n
/** Minimum age of a nomination before the contract executes it. */
export const NOMINATION_SECONDS = 10

/** Key of the backoff for clearing a flagged loss. */
const FLAG = 'flag'

type Loser = Readonly<{
  account: number
  holding: ValuedPosition
  orders: readonly number[]
  /** Its equity is below zero. */
  owes: boolean
}>
/** Time of the next attempt to close the loser. */
type RetryTime = Readonly<{ blockNumber: number } | { seconds: number }>

/** Returns the deleveraging task, which empties `handedOver`. */
export function deleveragingTask(
  context: TaskContext,
  view: Pick<VenueView, 'state'>,
  { trigger, handedOver }: Readonly<{ trigger: Signal; handedOver: HandoverKeys }>,
): Task {
  const backoff = new Backoff()
  let debtsSeconds = 0
  let insuranceSeconds = 0
  return {
    name: 'deleveraging',
    everyMs: LOOK_MS,
    trigger,
    round: async () => {
      const { state } = view
      if (state.head === undefined) return
      backoff.expire(state.head)
      const { seconds } = state.head
      const isDue = seconds >= insuranceSeconds
      const losers = findLosers(state, context.deployment.perps, { handedOver, isDue })
      handedOver.clear()
      for (const loser of losers) {
        const subject = `${loser.holding.market.id}|${loser.account}`
        if (backoff.isBackedOff(subject)) continue
        const next = await advance(context, {
          loser,
          winners: winnersFor(state, loser),
          head: state.head,
        })
        if ('seconds' in next) backoff.untilSeconds(subject, next.seconds)
        else backoff.untilBlock(subject, next.blockNumber)
      }
      await clearLoss(context, state, backoff)
      if (isDue) {
        insuranceSeconds = seconds + INSURANCE_EVERY_SECONDS
        await unwindAll(context, state)
      }
      if (seconds < debtsSeconds) return
      debtsSeconds = seconds + DEBTS_EVERY_SECONDS
      const debtors = findDebtors(state, context.deployment.perps)
      for (const account of debtors.payable)
        await context.send('deleveraging', coverRequest(context, account))
      if (debtors.largest !== undefined) await flagDebt(context, state, debtors.largest)
    },
  }
}

/** Only the contract knows how much insurance a market has used: it is asked when that is due. */
function findLosers(
  state: VenueState,
  engine: string,
  { handedOver, isDue }: Readonly<{ handedOver: HandoverKeys; isDue: boolean }>,
): Loser[] {
  const accounts = new Set([...handedOver].map((subject) => Number(subject.split('|')[1])))
  const owes = (account: number) => (nextMargin(state, engine, account)?.equity ?? 0n) < 0n
  if (isDue || owes(INSURANCE_ACCOUNT)) accounts.add(INSURANCE_ACCOUNT)
  if (accounts.size === 0) return []
  const orders = listOrders(state, accounts)
  return [...accounts].flatMap((account) =>
    heldBy(state, engine, account)
      .map((holding) => ({ holding, subject: `${holding.market.id}|${account}` }))
      .filter(({ subject }) => account === INSURANCE_ACCOUNT || handedOver.has(subject))
      .map(({ holding, subject }) => ({
        account,
        holding,
        owes: owes(account),
        orders: orders.get(subject) ?? [],
      })),
  )
}

/** Has insurance close its positions on the book. */
async function unwindAll(context: TaskContext, state: VenueState): Promise<void> {
  const { perps } = context.deployment
  for (const { market } of heldBy(state, perps, INSURANCE_ACCOUNT)) {
    const outcome = await context.send('deleveraging', {
      to: perps,
      data: encodeFunctionData({ abi: perpsAbi, functionName: 'unwind', args: [market.number] }),
      description: `unwinding of insurance in ${market.name}`,
    })
    if (outcome.kind !== 'included') continue
    const facts = { market: market.name, block: outcome.blockNumber }
    context.log.info(facts, 'insurance closed a position on the book')
  }
}

type Debtors = Readonly<{
  /** Debtors whose debt insurance can cover at least in part. */
  payable: readonly number[]
  /** The largest debtor, when its debt exceeds the insurance fund. */
  largest: number | undefined
}>

/** Returns accounts with a negative balance and no position: debts left after deleveraging. */
function findDebtors(state: VenueState, engine: string): Debtors {
  const insured = nextMargin(state, engine, INSURANCE_ACCOUNT)?.equity ?? 0n
  const payable: number[] = []
  // Compares all debts, so that small ones cannot hide a large one.
  let largest = { account: undefined as number | undefined, debt: max(insured, 0n) }
  for (const { engine: at, account, amount } of state.records.collateral.values()) {
    if (at !== engine || amount > -DEBT_MIN || heldBy(state, engine, account).length > 0) continue
    if (insured > 0n && payable.length < DEBTS_MAX) payable.push(account)
    if (-amount > largest.debt) largest = { account, debt: -amount }
  }
  return { payable, largest: largest.account }
}

const findFlagged = (state: VenueState, engine: string) =>
  [...state.records.market.values()].find(
    (market) => market.engine === engine && market.lossAccount !== null,
  )

/** Locks collateral in the engine while a debt exceeds the insurance fund. */
async function flagDebt(context: TaskContext, state: VenueState, account: number): Promise<void> {
  const { perps } = context.deployment
  if (findFlagged(state, perps) !== undefined) return
  const market = [...state.records.market.values()].find(
    ({ engine, isEnded }) => engine === perps && !isEnded,
  )
  if (market !== undefined) await sendFlag(context, account, market)
}

const winnersFor = (state: VenueState, { account, holding }: Loser): Winner[] =>
  rankWinners(state, holding.market, holding.position.lots)
    .filter((winner) => winner.account !== account)
    .slice(0, WINNERS_MAX)

type Deal = Readonly<{ loser: Loser; winners: readonly Winner[]; head: Header }>

/** Nominates the first winner who outranks the current nomination; if none does, executes it. */
async function advance(context: TaskContext, { loser, winners, head }: Deal): Promise<RetryTime> {
  const later = { blockNumber: head.number + 1 }
  for (const winner of winners) {
    const facts = { ...logFields(loser), winner: winner.account }
    const outcome = await context.send('deleveraging', nominateRequest(context, loser, winner))
    if (outcome.kind === 'included') {
      context.log.info({ ...facts, block: outcome.blockNumber }, 'a winner was nominated')
      return { seconds: head.seconds + NOMINATION_SECONDS }
    }
    // A winner may have closed at the last moment: the next one is tried.
    if (outcome.kind === 'reverted') continue
    if (outcome.kind !== 'refused') return later
    if (outcome.reason.name === 'NotBetterWinner') return carryOut(context, loser, later)
    if (outcome.reason.name === 'NotWinner') continue
    context.log.info({ ...facts, reason: reasonText(outcome.reason) }, 'not deleveraged')
    return later
  }
  return loser.owes ? flagLoss(context, loser, later) : later
}

/**
 * When no winner can absorb the loss, collateral stays locked until insurance is funded or an
 * account wins again. A nomination flags the loss, too.
 */
async function flagLoss(context: TaskContext, loser: Loser, later: RetryTime): Promise<RetryTime> {
  const { account, holding } = loser
  context.log.warn(logFields(loser), 'no account can be deleveraged against')
  if (holding.market.lossAccount === null) await sendFlag(context, account, holding.market)
  return later
}

async function sendFlag(context: TaskContext, account: number, market: Market): Promise<void> {
  const args = [account, market.number] as const
  const outcome = await context.send('deleveraging', {
    to: context.deployment.perps,
    data: encodeFunctionData({ abi: perpsAbi, functionName: 'flagLoss', args }),
    description: `flag of the loss of account ${account}, ${market.name}`,
  })
  if (outcome.kind !== 'included') return
  const facts = { loser: account, market: market.name, block: outcome.blockNumber }
  context.log.warn(facts, 'a loss was flagged')
}

/** Releases collateral once the flagged loss is covered: two calls, 10 s apart. */
async function clearLoss(context: TaskContext, state: VenueState, backoff: Backoff): Promise<void> {
  const { perps } = context.deployment
  const flagged = findFlagged(state, perps)
  if (flagged === undefined || state.head === undefined || backoff.isBackedOff(FLAG)) return
  const outcome = await context.send('deleveraging', {
    to: perps,
    data: encodeFunctionData({ abi: perpsAbi, functionName: 'clearLoss' }),
    description: `end of the loss of account ${flagged.lossAccount}, ${flagged.name}`,
  })
  if (outcome.kind === 'refused' && outcome.reason.name === 'ClearTooSoon')
    backoff.untilSeconds(FLAG, Number(outcome.reason.args[0]))
  else backoff.untilBlock(FLAG, state.head.number + 1)
}

/** Executes the close against the nominated winner if the nomination has matured. */
async function carryOut(context: TaskContext, loser: Loser, later: RetryTime): Promise<RetryTime> {
  const outcome = await context.send('deleveraging', deleverageRequest(context, loser))
  if (outcome.kind === 'included') {
    const { blockNumber } = outcome
    context.log.info({ ...logFields(loser), block: blockNumber }, 'a position was deleveraged')
    return { blockNumber }
  }
  if (outcome.kind === 'refused' && outcome.reason.name === 'NominationTooRecent')
    return { seconds: Number(outcome.reason.args[0]) }
  return later
}

const logFields = ({ account, holding }: Loser) => ({ loser: account, market: holding.market.name })

function nominateRequest(
  { deployment }: TaskContext,
  loser: Loser,
  { account }: Winner,
): TxRequest {
  const { market } = loser.holding
  const args = [loser.account, account, market.number] as const
  return {
    to: deployment.perps,
    data: encodeFunctionData({ abi: perpsAbi, functionName: 'nominate', args }),
    description: `nomination of ${account} for account ${loser.account}, ${market.name}`,
  }
}

function deleverageRequest({ deployment }: TaskContext, loser: Loser): TxRequest {
  const { market } = loser.holding
  const orders = loser.orders.slice(0, ORDERS_PER_CALL_MAX)
  const args = [loser.account, market.number, orders] as const
  return {
    to: deployment.perps,
    data: encodeFunctionData({ abi: perpsAbi, functionName: 'deleverage', args }),
    description: `deleverage of account ${loser.account}, ${market.name}`,
  }
}

function coverRequest({ deployment }: TaskContext, account: number): TxRequest {
  const data = encodeFunctionData({ abi: perpsAbi, functionName: 'coverDebt', args: [account] })
  return { to: deployment.perps, data, description: `debt of account ${account}` }
}
