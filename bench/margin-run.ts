// In a process of its own: a crowd of accounts, marks that move, and the accounts that are asked.
import type { Change } from '@openvenue/core/changes'
import type { Header } from '@openvenue/core/events'
import { fundingIndexAt } from '@openvenue/core/funding'
import {
  fundingDue,
  initialMarginUp,
  maintenanceMarginUp,
  markPerLotDown,
  unrealised,
} from '@openvenue/core/margin'
import type { Market } from '@openvenue/core/records'
import { Chance } from '@openvenue/core/story/chance'
import { CROWD_ENGINE, Crowd } from '@openvenue/core/story/crowd'
import { MarginWatch } from '@openvenue/core/warnings'
import { winnersOf } from '@openvenue/keeper/ranking'
import { RiskWatch } from '@openvenue/keeper/risk-watch'
import { type Section, whole } from './table.ts'

const MARKETS = 200
const MARKS = 4_000
const MARKS_PER_SECOND = 10
/** Marks between two looks of the keeper: blocks of two seconds. */
const MARKS_PER_LOOK = 20
/** Of the mark, a step. */
const STEP_MILLIONTHS = 500
/** Marks from one settlement of all markets to the next: an hour is made short. */
const MARKS_PER_HOUR = 1_000
const DUST = 100_000
const OLD_WAY_ACCOUNTS = 500

const accounts = Number(process.argv[2])
const chance = new Chance(13)
const rows: string[][] = []
const add = (...cells: string[]): void => void rows.push(cells)

/** Milliseconds of processor time of this thread: what others do on the machine is not in them. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
const timed = <T>(work: () => T): readonly [number, T] => {
  const start = cpuMs()
  const result = work()
  return [cpuMs() - start, result]
}
const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0)
const heapMb = (): number => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}
const at = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

function addSpread(what: string, times: readonly number[], goal: string): void {
  const sorted = times.toSorted((a, b) => a - b)
  add(what, ...[0.5, 0.99, 1].map((part) => ms(at(sorted, part))), goal)
}

const before = heapMb()
const crowd = new Crowd({ markets: MARKETS, accounts, seed: 1 })
const { state } = crowd
const stateMb = heapMb() - before
const followers = new Set<(changes: readonly Change[]) => void>()
const view = {
  state,
  onFold: (follower: (changes: readonly Change[]) => void) => {
    followers.add(follower)
    return () => void followers.delete(follower)
  },
}

/** The indexer's part of a block: what the warnings say to it. The keeper hears of it as well. */
function tell(changes: readonly Change[]): readonly [number, number] {
  for (const follower of followers) follower(changes)
  const header = state.head as Header
  const [took, { turns }] = timed(() => watch.after({ header, changes }))
  return [took, turns.length]
}

const watch = new MarginWatch(state)
const first = crowd.markets[0] as Market
const [watchBuild] = tell(crowd.move(first, 0))
const watchMb = heapMb() - before - stateMb
const risks = new RiskWatch(view, CROWD_ENGINE)
const [risksBuild] = timed(() => risks.risks())
const risksMb = heapMb() - before - stateMb - watchMb

add('positions', whole(state.records.position.size), '', '', '')
add('accounts', whole(accounts), '', '', '')
add('state, MB', whole(stateMb), '', '', '')
add('warnings: index, MB', whole(watchMb), '', '', '')
add('warnings: first look, ms', whole(watchBuild), '', '', 'below 10,000')
add('keeper: index, MB', whole(risksMb), '', '', '')
add('keeper: first look, ms', whole(risksBuild), '', '', 'below 10,000')

walk()
jumps()
park()
oldWay()
const section: Section = {
  title: `Margins: ${MARKETS} markets, steps of 0.05 %, processor time (p50, p99, max)`,
  columns: ['what', 'p50', 'p99', 'max', 'goal'],
  rows,
}
process.stdout.write(`${JSON.stringify(section)}\n`)

/** Marks walk by chance, hours settle, and the keeper looks at each block. */
function walk(): void {
  const [marks, looks, settlements]: number[][] = [[], [], []]
  const [lookedBefore, riskedBefore] = [watch.looks, risks.looks]
  for (let count = 1; count <= MARKS; count++) {
    const market = crowd.markets[chance.below(MARKETS)] as Market
    if (count % MARKS_PER_SECOND === 0) crowd.pass(1)
    const step = chance.happens(50) ? STEP_MILLIONTHS : -STEP_MILLIONTHS
    marks?.push(tell(crowd.move(market, step))[0])
    if (count % MARKS_PER_LOOK === 0) looks?.push(timed(() => risks.risks())[0])
    if (count % MARKS_PER_HOUR !== 0) continue
    crowd.pass(3_600)
    for (const one of crowd.markets) settlements?.push(tell(crowd.settle(one))[0])
  }
  addSpread('warnings: a mark, ms', marks ?? [], 'below 20')
  addSpread('warnings: a settled hour of a market, ms', settlements ?? [], 'below 20')
  addSpread('keeper: a look, ms', looks ?? [], 'below 50')
  const perMark = (watch.looks - lookedBefore) / MARKS
  add('warnings: accounts looked at for a mark', perMark.toFixed(1), '', '', '')
  const perLook = (risks.looks - riskedBefore) / (looks?.length ?? 1)
  add('keeper: accounts looked at in a look', perLook.toFixed(1), '', '', '')
}

function holdersOfFirst(): number {
  let count = 0
  for (const { market } of state.records.position.values()) if (market === first.id) count++
  return count
}

function jumps(): void {
  const holders = holdersOfFirst()
  const [took, turned] = tell(crowd.move(first, -100_000))
  add(`one mark falls 10 %: warnings, ${whole(turned)} of ${whole(holders)} turn, ms`, ms(took))
  const [look, found] = timed(() => risks.risks())
  add(`then the keeper's look, ${whole(found.length)} at risk, ms`, ms(look))
  const [winning, winners] = timed(() => winnersOf(state, first, 1n))
  add(`ranking ${whole(winners.length)} winners of that market, ms`, ms(winning))
  const changes = crowd.markets.flatMap((market) => crowd.move(market, -100_000))
  const [all, allTurned] = tell(changes)
  add(`all marks fall 10 %: warnings, ${whole(allTurned)} turn, ms`, ms(all))
  const [second, many] = timed(() => risks.risks())
  add(`then the keeper's look, ${whole(many.length)} at risk, ms`, ms(second))
  const [third] = timed(() => risks.risks())
  add('and the next one, nothing moved, ms', ms(third))
  tell(crowd.markets.flatMap((market) => crowd.move(market, 111_111)))
  const [healed, left] = timed(() => risks.risks())
  add(`all rise again: the keeper's look, ${whole(left.length)} at risk, ms`, ms(healed))
}

/** Dust at the very edge: each step of the mark is meant to cross all of it. */
function park(): void {
  const market = crowd.markets[MARKETS - 1] as Market
  for (const [who, equity] of [
    ['warning', 31_250],
    ['maintenance margin', 25_000],
  ] as const) {
    const from = accounts + 10
    const changes: Change[] = []
    for (let count = 0; count < DUST; count++)
      changes.push(...crowd.park(market, from + count, equity + 200))
    tell(changes)
    risks.risks()
    const [warned, looked]: number[][] = [[], []]
    for (let swing = 0; swing < 10; swing++) {
      const step = swing % 2 === 0 ? -STEP_MILLIONTHS : STEP_MILLIONTHS
      warned?.push(tell(crowd.move(market, step))[0])
      looked?.push(timed(() => risks.risks())[0])
    }
    addSpread(`${whole(DUST)} dust accounts at their ${who}: warnings, ms`, warned ?? [], '')
    addSpread(`${whole(DUST)} dust accounts at their ${who}: keeper, ms`, looked ?? [], '')
    tell(crowd.undo(changes))
    risks.risks()
  }
}

/** What it cost to look at each holder through all markets, as it was done before. */
function oldWay(): void {
  const some = [...state.accountPositions.keys()].slice(0, OLD_WAY_ACCOUNTS)
  const [took] = timed(() => some.filter((account) => walkedMargin(account)))
  const perAccount = took / OLD_WAY_ACCOUNTS
  add('the old way: an account, ms', perAccount.toFixed(3), '', '', '')
  const [mark, look] = [perAccount * holdersOfFirst(), perAccount * accounts]
  add('the old way: a mark of the first market, ms', whole(mark), '', '', 'reckoned')
  add('the old way: a look of the keeper, ms', whole(look), '', '', 'reckoned')
}

function walkedMargin(account: number): boolean {
  const seconds = state.head?.seconds ?? 0
  let equity = state.records.collateral.get(`${CROWD_ENGINE}|${account}`)?.amount ?? 0n
  let [maintenance, initial] = [0n, 0n]
  for (const market of state.records.market.values()) {
    const position = state.records.position.get(`${market.id}|${account}`)
    if (position === undefined) continue
    const mark = state.records.mark.get(market.id)
    const funding = state.records.funding.get(market.id)
    if (mark === undefined || funding === undefined) return false
    const perLot = markPerLotDown(market, mark.price)
    equity += unrealised(position, perLot) - fundingDue(position, fundingIndexAt(funding, seconds))
    initial += initialMarginUp(market, position, perLot)
    maintenance += maintenanceMarginUp(market, position, perLot)
  }
  return equity < maintenance && initial > 0n
}
