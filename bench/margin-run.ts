// Measures margins in a process of its own: many accounts, moving marks, and the accounts that are
// checked.
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
import { Chance } from '@openvenue/core/test/scenario/chance'
import { CROWD_ENGINE, Crowd } from '@openvenue/core/test/scenario/crowd'
import { MarginWatch } from '@openvenue/core/warnings'
import { rankWinners } from '@openvenue/keeper/ranking'
import { RiskWatch } from '@openvenue/keeper/risk-watch'
import { type Section, whole } from './table.ts'

const MARKETS = 200
const MARKS = 4_000
const MARKS_PER_SECOND = 10
/** Marks between two checks of the keeper: blocks of two seconds. */
const MARKS_PER_LOOK = 20
/** Step of a mark, in millionths of the mark. */
const STEP_MILLIONTHS = 500
/** Marks between settlements of all markets, a shortened hour. */
const MARKS_PER_HOUR = 1_000
const DUST = 100_000
const OLD_WAY_ACCOUNTS = 2_000

const accounts = Number(process.argv[2])
const isEven = process.argv[3] === 'even'
const chance = new Chance(13)
const rows: string[][] = []
const add = (...cells: string[]): void => void rows.push(cells)

/** CPU time of this thread in milliseconds, in steps of the system's clock. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Wall-clock durations, and their total CPU time. */
class Times {
  readonly wall: number[] = []
  cpu = 0

  of<T>(work: () => T): T {
    const [cpuStart, start] = [cpuMs(), performance.now()]
    const result = work()
    this.wall.push(performance.now() - start)
    this.cpu += cpuMs() - cpuStart
    return result
  }

  add(label: string, goal = ''): void {
    const sorted = this.wall.toSorted((a, b) => a - b)
    const spread = sorted.length === 1 ? [] : [0.5, 0.99, 1].map((part) => at(sorted, part))
    const cells = [ms(this.cpu / sorted.length), ...spread.map(ms), '', '', ''].slice(0, 4)
    add(label, ...cells, goal)
  }
}

const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0)
const heapMb = (): number => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}
const at = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
const once = <T>(work: () => T): readonly [Times, T] => {
  const times = new Times()
  return [times, times.of(work)]
}

const before = heapMb()
const crowd = new Crowd({ markets: MARKETS, accounts, seed: 1, isEven })
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

/** Applies a block to the indexer and the keeper; returns how many warnings change. */
function apply(changes: readonly Change[], times = new Times()): number {
  for (const follower of followers) follower(changes)
  const header = state.head as Header
  return times.of(() => watch.after({ header, changes })).turns.length
}

const watch = new MarginWatch(state)
const first = crowd.markets[0] as Market
const firstTimes = new Times()
apply(crowd.move(first, 0), firstTimes)
const watchMb = heapMb() - before - stateMb
const risks = new RiskWatch(view, CROWD_ENGINE)
const [risksTimes] = once(() => risks.risks())
const risksMb = heapMb() - before - stateMb - watchMb

add(`positions of ${whole(accounts)} accounts`, whole(state.records.position.size))
add('state, MB', whole(stateMb))
add('warnings: index, MB', whole(watchMb))
firstTimes.add('warnings: first look, at all, ms', 'below 10,000')
add('keeper: index, MB', whole(risksMb))
risksTimes.add('keeper: first look, at all, ms', 'below 10,000')

moveMarks()
if (!isEven) {
  jumps()
  park()
  oldWay()
}
const section: Section = {
  title: `Margins: ${MARKETS} markets, ${isEven ? 'all held by all' : 'most held by some'}, steps of 0.05 %`,
  columns: ['what', 'mean (CPU)', 'p50', 'p99', 'max', 'goal'],
  rows,
}
process.stdout.write(`${JSON.stringify(section)}\n`)

/** Moves marks at random, settles hours, and lets the keeper check each block. */
function moveMarks(): void {
  const [marks, looks, settlements] = [new Times(), new Times(), new Times()]
  const [lookedBefore, riskedBefore] = [watch.looks, risks.looks]
  for (let count = 1; count <= MARKS; count++) {
    const market = crowd.markets[chance.below(MARKETS)] as Market
    if (count % MARKS_PER_SECOND === 0) crowd.pass(1)
    apply(crowd.move(market, chance.happens(50) ? STEP_MILLIONTHS : -STEP_MILLIONTHS), marks)
    if (count % MARKS_PER_LOOK === 0) looks.of(() => risks.risks())
    if (count % MARKS_PER_HOUR !== 0) continue
    crowd.pass(3_600)
    for (const market of crowd.markets) apply(crowd.settle(market), settlements)
  }
  const applied = MARKS + settlements.wall.length
  marks.add('warnings: a mark, ms', 'below 20')
  settlements.add('warnings: an hour of a market settles, ms', 'below 20')
  looks.add('keeper: a look, ms', 'below 50')
  add('warnings: accounts looked at for each', ((watch.looks - lookedBefore) / applied).toFixed(1))
  const perLook = (risks.looks - riskedBefore) / looks.wall.length
  add('keeper: accounts looked at in a look', perLook.toFixed(1))
}

function holdersOfFirst(): number {
  let count = 0
  for (const { market } of state.records.position.values()) if (market === first.id) count++
  return count
}

function jumps(): void {
  const look = (label: string) => {
    const [times, atRisk] = once(() => risks.risks())
    times.add(`${label}: the keeper's look, finds ${whole(atRisk.length)}, ms`)
  }
  const jump = (label: string, changes: readonly Change[]) => {
    const times = new Times()
    const turned = apply(changes, times)
    times.add(`${label}: warnings, ${whole(turned)} turn, ms`)
    look(label)
  }
  jump(`a mark with ${whole(holdersOfFirst())} holders falls 10 %`, crowd.move(first, -100_000))
  const [winning, winners] = once(() => rankWinners(state, first, 1n))
  winning.add(`ranking the ${whole(winners.length)} winners of that market, ms`)
  const all = (millionths: number) =>
    crowd.markets.flatMap((market) => crowd.move(market, millionths))
  jump('all marks fall 10 %', all(-100_000))
  look('a moment later')
  jump('all marks rise again', all(111_111))
}

/** Parks dust accounts at the very edge, so that each step of the mark crosses all of them. */
function park(): void {
  const market = crowd.markets[MARKETS - 1] as Market
  for (const [who, equity] of [
    ['a warning', 31_250],
    ['liquidation', 25_000],
  ] as const) {
    const changes: Change[] = []
    for (let count = 0; count < DUST; count++)
      changes.push(...crowd.park(market, accounts + 10 + count, equity + 200))
    apply(changes)
    risks.risks()
    const [warned, looked] = [new Times(), new Times()]
    for (let swing = 0; swing < 20; swing++) {
      const step = swing % 2 === 0 ? -STEP_MILLIONTHS : STEP_MILLIONTHS
      apply(crowd.move(market, step), warned)
      looked.of(() => risks.risks())
    }
    warned.add(`${whole(DUST)} dust accounts at ${who}, to and fro: warnings, ms`)
    looked.add(`${whole(DUST)} dust accounts at ${who}, to and fro: keeper, ms`)
    apply(crowd.undo(changes))
    risks.risks()
  }
}

/** Measures a check of each holder across all markets, the previous implementation. */
function oldWay(): void {
  const some = [...state.accountPositions.keys()].slice(0, OLD_WAY_ACCOUNTS)
  const [{ cpu }] = once(() => some.filter((account) => scannedMargin(account)))
  const perAccount = cpu / OLD_WAY_ACCOUNTS
  add('the old way: an account, ms', perAccount.toFixed(3))
  add('the old way: a mark of the first market, ms', whole(perAccount * holdersOfFirst()))
  add('the old way: a look of the keeper, ms', whole(perAccount * accounts))
}

function scannedMargin(account: number): boolean {
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
