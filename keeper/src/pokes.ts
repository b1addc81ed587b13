// Keeps marks and funding current: pokes each perpetual market every minute, and settles each hour
// right after it has ended.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { readViews } from '@openvenue/runtime/views'
import type { Abi } from 'viem'
import { encodeFunctionData } from 'viem'
import { type Head, readHead } from './chain-snapshot.ts'
import type { TxRequest } from './pending-tx.ts'
import type { Task } from './task.ts'
import type { TaskContext } from './task-context.ts'

/** Poll interval of the clock of markets. */
const POKES_MS = 1_000
/** Minimum time between two pokes of a market in the engine. */
const POKE_SECONDS = 60
const HOUR_SECONDS = 3_600
/** Maximum number of hours that one call settles. */
const SETTLED_HOURS_MAX = 24
/** Temporary refusals: another caller was faster, or the book has just changed and lacks depth. */
const PASSING: readonly string[] = ['PokeTooSoon', 'BookChanged']
/** Maximum number of calls in one round: 30 days of missed hours of one market. */
const CALLS_MAX = 30

type Clockwork = Readonly<{
  carry: { time: number }
  activity: { pokedAt: number }
  isStale: boolean
}>

/** The work due in a market: hours to settle, a poke, or nothing. */
type DueWork = Readonly<{ settlements: number; isPokeDue: boolean }>

/**
 * Returns the work due. Without a fresh index a poke would only settle hours. `settledSeconds` is 0
 * while the market has had no price: none of its hours has begun.
 */
export function computeDue(
  at: Readonly<{ settledSeconds: number; pokedSeconds: number; isStale: boolean }>,
  nowSeconds: number,
): DueWork {
  const ended = Math.max(0, Math.floor((nowSeconds - at.settledSeconds) / HOUR_SECONDS))
  const missed = at.settledSeconds === 0 ? 0 : ended
  const mayPoke = nowSeconds - at.pokedSeconds >= POKE_SECONDS && !at.isStale
  // A poke settles one day of hours, too.
  const settlements = Math.ceil(missed / SETTLED_HOURS_MAX) - (mayPoke && missed > 0 ? 1 : 0)
  return { settlements: Math.min(settlements, CALLS_MAX), isPokeDue: mayPoke }
}

/** Returns the task that pokes `markets()`, the ids of the perpetual markets. */
export function pokesTask(context: TaskContext, markets: () => readonly number[]): Task {
  /** Chain second at which each market is checked next, by its id. */
  const nextSeconds = new Map<number, number>()
  return {
    name: 'pokes',
    everyMs: POKES_MS,
    round: async () => {
      const head = await readHead(context.node)
      const due = markets().filter((market) => (nextSeconds.get(market) ?? 0) <= head.seconds)
      if (due.length === 0) return
      const clockworks = await readClockworks(context, due)
      const rounds = await Promise.allSettled(
        due.map(async (market, index) => {
          const clockwork = clockworks[index]
          if (clockwork === undefined) return
          const due = computeDue(readTimes(clockwork), head.seconds)
          if (await carryOut(context, market, due)) return
          nextSeconds.set(market, nextLook(clockwork, head))
        }),
      )
      for (const round of rounds) if (round.status === 'rejected') throw round.reason
    },
  }
}

const readTimes = ({ carry, activity, isStale }: Clockwork) => ({
  settledSeconds: Number(carry.time),
  pokedSeconds: Number(activity.pokedAt),
  isStale,
})

/**
 * Returns when to check a market again: its next poke or the end of its hour, since a stale index
 * may become fresh again.
 */
export function nextLook(
  { activity, isStale }: Pick<Clockwork, 'activity' | 'isStale'>,
  { seconds }: Pick<Head, 'seconds'>,
): number {
  const hourEnds = seconds - (seconds % HOUR_SECONDS) + HOUR_SECONDS
  return isStale ? seconds + 1 : Math.min(Number(activity.pokedAt) + POKE_SECONDS, hourEnds)
}

/** Returns whether a call was sent, so that the market is checked again at once. */
async function carryOut(context: TaskContext, market: number, due: DueWork): Promise<boolean> {
  const { settlements, isPokeDue } = due
  const calls: TxRequest[] = Array.from({ length: settlements }, () =>
    pokeRequest(context, 'settleHours', market),
  )
  // Sequential: the second call is simulated on the result of the first.
  for (const call of calls) await context.send('pokes', call)
  if (isPokeDue) {
    const outcome = await context.send('pokes', pokeRequest(context, 'poke', market))
    // One market that waits must not delay the others.
    if (outcome.kind === 'refused' && !PASSING.includes(outcome.reason.name))
      throw new Error(`market ${market} refuses a poke: ${outcome.reason.name}`)
  }
  return settlements > 0 || isPokeDue
}

const pokeRequest = (
  context: TaskContext,
  functionName: 'poke' | 'settleHours',
  market: number,
): TxRequest => ({
  to: context.deployment.perps,
  data: encodeFunctionData({ abi: perpsAbi, functionName, args: [market] }),
  description: functionName === 'poke' ? `poke of market ${market}` : `hours of market ${market}`,
})

async function readClockworks(
  context: TaskContext,
  markets: readonly number[],
): Promise<Clockwork[]> {
  const view = (functionName: string, market: number) => ({
    to: context.deployment.perps,
    abi: perpsAbi as Abi,
    functionName,
    args: [market],
  })
  const values = await readViews(
    context.node,
    markets.flatMap((market) => [view('fundingOf', market), view('quoteOf', market)]),
  )
  return markets.map((_, index) => {
    const [carry, activity] = values[2 * index] as [Clockwork['carry'], Clockwork['activity']]
    const { stale } = values[2 * index + 1] as { stale: boolean }
    return { carry, activity, isStale: stale }
  })
}
