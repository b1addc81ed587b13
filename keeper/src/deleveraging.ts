// Closes positions that insurance may not take against those of the winners: what the liquidator
// handed over, and insurance's own when it is below zero or a market has cost it its part. The
// winner who ranks first is nominated, in the place of anybody who ranks lower, and when that has
// stood, the close is carried out. What winners had not won is a debt, which insurance is asked to
// cover when it can. Insurance closes its own position on the book once the book offers the mark.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import type { Header } from '@openvenue/core/events'
import { max } from '@openvenue/core/integers'
import type { Market } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import type { Signal } from '@openvenue/store/signal'
import { encodeFunctionData } from 'viem'
import { Backoff } from './backoff.ts'
import { type HandedOver, ORDERS_PER_CALL_MAX } from './liquidations.ts'
import type { TxRequest } from './pending-tx.ts'
import { rankWinners, type Winner } from './ranking.ts'
import { reasonText } from './reason.ts'
import { type Held, heldBy, INSURANCE_ACCOUNT, listOrders, nextMargin } from './risks.ts'
import type { Task } from './task.ts'
import type { TaskContext } from './task-context.ts'
import type { VenueView } from './venue-view.ts'

const LOOK_MS = 1_000
/** Winners that are tried for one position in a round; the next round ranks anew. */
export const WINNERS_MAX = 20
/** Debts are looked for this often: it asks all accounts. */
const DEBTS_EVERY_SECONDS = 60
/** What insurance holds is looked at this often: two calls for each market. */
const INSURANCE_EVERY_SECONDS = 10
/** Debts that insurance is asked to cover in one look. */
const DEBTS_MAX = 16
/** A cent: less is not worth its gas. */
const DEBT_MIN = 10n ** 16n
/** So long the contract lets a nomination stand before it is carried out. */
export const NOMINATION_SECONDS = 10

/** Key of the backoff for clearing a flagged loss. */
const FLAG = 'flag'

type Loser = Readonly<{
  account: number
  held: Held
  orders: readonly number[]
  /** Its equity is below zero. */
  owes: boolean
}>
/** When a loser's close is looked at again: nothing is to be done before. */
type Next = Readonly<{ blockNumber: number } | { seconds: number }>

/** Returns the task; it empties `handedOver`. */
export function deleveragingTask(
  context: TaskContext,
  view: Pick<VenueView, 'state'>,
  { trigger, handedOver }: Readonly<{ trigger: Signal; handedOver: HandedOver }>,
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
        const subject = `${loser.held.market.id}|${loser.account}`
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

type Sought = Readonly<{ handedOver: HandedOver; isDue: boolean }>

/** Only the contract knows what a market has cost insurance, so it is asked when that is due. */
function findLosers(state: VenueState, engine: string, { handedOver, isDue }: Sought): Loser[] {
  const accounts = new Set([...handedOver].map((subject) => Number(subject.split('|')[1])))
  const owes = (account: number) => (nextMargin(state, engine, account)?.equity ?? 0n) < 0n
  if (isDue || owes(INSURANCE_ACCOUNT)) accounts.add(INSURANCE_ACCOUNT)
  if (accounts.size === 0) return []
  const orders = listOrders(state, accounts)
  return [...accounts].flatMap((account) =>
    heldBy(state, engine, account)
      .map((held) => ({ held, subject: `${held.market.id}|${account}` }))
      .filter(({ subject }) => account === INSURANCE_ACCOUNT || handedOver.has(subject))
      .map(({ held, subject }) => ({
        ...{ account, held, owes: owes(account) },
        orders: orders.get(subject) ?? [],
      })),
  )
}

/** Has insurance close on the book what it holds. */
async function unwindAll(context: TaskContext, state: VenueState): Promise<void> {
  const { perps } = context.deployment
  for (const { market } of heldBy(state, perps, INSURANCE_ACCOUNT)) {
    const outcome = await context.send('deleveraging', {
      to: perps,
      data: encodeFunctionData({ abi: perpsAbi, functionName: 'unwind', args: [market.number] }),
      what: `unwinding of insurance in ${market.name}`,
    })
    if (outcome.kind !== 'included') continue
    const facts = { market: market.name, block: outcome.blockNumber }
    context.log.info(facts, 'insurance has closed on the book')
  }
}

type Debtors = Readonly<{
  /** Whom insurance can pay for, in part at least. */
  payable: readonly number[]
  /** The one who owes most, when that is more than insurance has. */
  largest: number | undefined
}>

/** Returns who owes and holds nothing: debts that winners left. */
function findDebtors(state: VenueState, engine: string): Debtors {
  const insured = nextMargin(state, engine, INSURANCE_ACCOUNT)?.equity ?? 0n
  const payable: number[] = []
  // Of all debts: small ones must not hide a large one.
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

/** Keeps collateral in the engine while a debt is more than insurance has. */
async function flagDebt(context: TaskContext, state: VenueState, account: number): Promise<void> {
  const { perps } = context.deployment
  if (findFlagged(state, perps) !== undefined) return
  const market = [...state.records.market.values()].find(
    ({ engine, isEnded }) => engine === perps && !isEnded,
  )
  if (market !== undefined) await sendFlag(context, account, market)
}

const winnersFor = (state: VenueState, { account, held }: Loser): Winner[] =>
  rankWinners(state, held.market, held.position.lots)
    .filter((winner) => winner.account !== account)
    .slice(0, WINNERS_MAX)

type Deal = Readonly<{ loser: Loser; winners: readonly Winner[]; head: Header }>

/**
 * Nominates whoever ranks higher than who is nominated; where nobody does, closes against that one.
 */
async function advance(context: TaskContext, { loser, winners, head }: Deal): Promise<Next> {
  const later = { blockNumber: head.number + 1 }
  for (const winner of winners) {
    const facts = { ...logFields(loser), winner: winner.account }
    const outcome = await context.send('deleveraging', nominateRequest(context, loser, winner))
    if (outcome.kind === 'included') {
      context.log.info({ ...facts, block: outcome.blockNumber }, 'a winner was nominated')
      return { seconds: head.seconds + NOMINATION_SECONDS }
    }
    // A winner may have moved out of the way at the last moment: the next one is tried.
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
 * Where nobody has won what could be taken, collateral stays until insurance is paid in, or
 * somebody wins again. A nomination flags by itself.
 */
async function flagLoss(context: TaskContext, loser: Loser, later: Next): Promise<Next> {
  const { account, held } = loser
  context.log.warn(logFields(loser), 'nobody can be deleveraged against')
  if (held.market.lossAccount === null) await sendFlag(context, account, held.market)
  return later
}

async function sendFlag(context: TaskContext, account: number, market: Market): Promise<void> {
  const args = [account, market.number] as const
  const outcome = await context.send('deleveraging', {
    to: context.deployment.perps,
    data: encodeFunctionData({ abi: perpsAbi, functionName: 'flagLoss', args }),
    what: `flag of the loss of account ${account}, ${market.name}`,
  })
  if (outcome.kind !== 'included') return
  const facts = { loser: account, market: market.name, block: outcome.blockNumber }
  context.log.warn(facts, 'a loss was flagged')
}

/** Has collateral leave again once the flagged loss is covered: two calls, 10 s apart. */
async function clearLoss(context: TaskContext, state: VenueState, backoff: Backoff): Promise<void> {
  const { perps } = context.deployment
  const flagged = findFlagged(state, perps)
  if (flagged === undefined || state.head === undefined || backoff.isBackedOff(FLAG)) return
  const outcome = await context.send('deleveraging', {
    to: perps,
    data: encodeFunctionData({ abi: perpsAbi, functionName: 'clearLoss' }),
    what: `end of the loss of account ${flagged.lossAccount}, ${flagged.name}`,
  })
  if (outcome.kind === 'refused' && outcome.reason.name === 'ClearTooSoon')
    backoff.untilSeconds(FLAG, Number(outcome.reason.args[0]))
  else backoff.untilBlock(FLAG, state.head.number + 1)
}

/** Closes against who is nominated, if that has stood for long enough. */
async function carryOut(context: TaskContext, loser: Loser, later: Next): Promise<Next> {
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

const logFields = ({ account, held }: Loser) => ({ loser: account, market: held.market.name })

function nominateRequest(
  { deployment }: TaskContext,
  loser: Loser,
  { account }: Winner,
): TxRequest {
  const { market } = loser.held
  const args = [loser.account, account, market.number] as const
  return {
    to: deployment.perps,
    data: encodeFunctionData({ abi: perpsAbi, functionName: 'nominate', args }),
    what: `nomination of ${account} for account ${loser.account}, ${market.name}`,
  }
}

function deleverageRequest({ deployment }: TaskContext, loser: Loser): TxRequest {
  const { market } = loser.held
  const orders = loser.orders.slice(0, ORDERS_PER_CALL_MAX)
  const args = [loser.account, market.number, orders] as const
  return {
    to: deployment.perps,
    data: encodeFunctionData({ abi: perpsAbi, functionName: 'deleverage', args }),
    what: `deleverage of account ${loser.account}, ${market.name}`,
  }
}

function coverRequest({ deployment }: TaskContext, account: number): TxRequest {
  const data = encodeFunctionData({ abi: perpsAbi, functionName: 'coverDebt', args: [account] })
  return { to: deployment.perps, data, what: `debt of account ${account}` }
}
