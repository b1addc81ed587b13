// Closes positions that insurance cannot carry against those of the winners: what the liquidator
// handed over, and insurance's own when it is below zero.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import type { VenueState } from '@openvenue/core/state'
import { encodeFunctionData } from 'viem'
import type { Bell } from './clock.ts'
import type { Desk } from './desk.ts'
import type { Duty } from './duty.ts'
import type { Call, Outcome } from './flight.ts'
import { type HandedOver, ORDERS_PER_CALL_MAX } from './liquidations.ts'
import { Pauses } from './pauses.ts'
import { type Winner, winnersOf } from './ranking.ts'
import { reasonText } from './reason.ts'
import { type Held, heldBy, INSURANCE_ACCOUNT, marginOf, ordersOf } from './risks.ts'
import type { VenueView } from './venue-view.ts'

const LOOK_MS = 1_000
/** Winners that one position is closed against in a round; the next round ranks anew. */
export const WINNERS_MAX = 20

/** The wallet of the keeper is not the engine's deleverager: its owner has to name it. */
export class NotDeleverager extends Error {
  override name = 'NotDeleverager'
}

type Loser = Readonly<{ account: number; held: Held; orders: readonly number[] }>

const magnitude = (x: bigint) => (x < 0n ? -x : x)
const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** Returns the duty; it empties `handedOver`. */
export function deleveragingDuty(
  desk: Desk,
  view: Pick<VenueView, 'state'>,
  { bell, handedOver }: Readonly<{ bell: Bell; handedOver: HandedOver }>,
): Duty {
  const pauses = new Pauses()
  return {
    name: 'deleveraging',
    everyMs: LOOK_MS,
    bell,
    round: async () => {
      const { state } = view
      if (state.head === undefined) return
      pauses.expire(state.head)
      const losers = losersOf(state, desk.deployment.perps, handedOver)
      handedOver.clear()
      for (const loser of losers) {
        const subject = `${loser.held.market.id}|${loser.account}`
        if (pauses.isPaused(subject)) continue
        const blockNumber = await closeAgainst(desk, loser, winnersFor(state, loser))
        pauses.untilBlock(subject, blockNumber ?? state.head.number + 1)
      }
    },
  }
}

function losersOf(state: VenueState, engine: string, handedOver: HandedOver): Loser[] {
  const accounts = new Set([...handedOver].map((subject) => Number(subject.split('|')[1])))
  const insurance = marginOf(state, engine, INSURANCE_ACCOUNT)
  const isBroke = insurance !== undefined && insurance.equity < 0n
  if (isBroke) accounts.add(INSURANCE_ACCOUNT)
  if (accounts.size === 0) return []
  const orders = ordersOf(state, accounts)
  return [...accounts].flatMap((account) =>
    heldBy(state, engine, account)
      .map((held) => ({ held, subject: `${held.market.id}|${account}` }))
      .filter(({ subject }) => account === INSURANCE_ACCOUNT || handedOver.has(subject))
      .map(({ held, subject }) => ({ account, held, orders: orders.get(subject) ?? [] })),
  )
}

const winnersFor = (state: VenueState, { account, held }: Loser): Winner[] =>
  winnersOf(state, held.market, held.position.lots)
    .filter((winner) => winner.account !== account)
    .slice(0, WINNERS_MAX)

/** What the contract says when the next winner may do, and when none will. */
const NEXT = ['NotWinner', 'MarginTooLow']

/**
 * Closes the loser's position against one winner after the other, until nothing is left or the
 * contract has had enough. Returns the block of the last close.
 */
async function closeAgainst(desk: Desk, loser: Loser, winners: readonly Winner[]) {
  let left = magnitude(loser.held.position.lots)
  let blockNumber: number | undefined
  if (winners.length === 0) desk.log.warn(factsOf(loser), 'nobody can be deleveraged against')
  for (const winner of winners) {
    if (left === 0n) break
    const lots = smaller(left, winner.lots)
    const outcome = await desk.send('deleveraging', callOf(desk, loser, { ...winner, lots }))
    const names = { ...factsOf(loser), winner: winner.account, lots: lots.toString() }
    if (outcome.kind === 'included') {
      left -= lots
      blockNumber = outcome.blockNumber
      desk.log.info({ ...names, block: blockNumber }, 'a position was deleveraged')
    } else if (isEnough(desk, names, outcome)) break
  }
  return blockNumber
}

/** Whether the rest of the winners need not be tried. */
function isEnough(desk: Desk, facts: object, outcome: Outcome): boolean {
  // A winner may have moved out of the way at the last moment: the next one is tried.
  if (outcome.kind === 'reverted') return false
  if (outcome.kind !== 'refused') return true
  const { name } = outcome.reason
  if (name === 'NotDeleverager')
    throw new NotDeleverager('the wallet of KEEPER_KEY is not the deleverager of the engine')
  desk.log.info({ ...facts, reason: reasonText(outcome.reason) }, 'not deleveraged')
  return !NEXT.includes(name)
}

const factsOf = ({ account, held }: Loser) => ({ loser: account, market: held.market.name })

function callOf({ deployment }: Desk, loser: Loser, { account, lots }: Winner): Call {
  const { market } = loser.held
  const orders = loser.orders.slice(0, ORDERS_PER_CALL_MAX)
  const args = [loser.account, account, market.number, lots, orders] as const
  return {
    to: deployment.perps,
    data: encodeFunctionData({ abi: perpsAbi, functionName: 'deleverage', args }),
    what: `deleverage of account ${loser.account} against ${account}, ${market.name}`,
  }
}
