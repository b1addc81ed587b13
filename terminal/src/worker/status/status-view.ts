// Writes how the venue is: what answers, how far behind, and what it promises.
import type { shapes } from 'openvenue'
import { showDecimal } from '../text/decimal-text.ts'
import type { Connection } from './connection-view.ts'
import { showLatency } from './short-texts.ts'

/** `none`: there is nothing to judge. Each is shown with a sign and a word, not by colour alone. */
export type Judgement = 'good' | 'warn' | 'bad' | 'none'
export type StatusLine = Readonly<{ name: string; value: string; judgement: Judgement }>
export type StatusGroup = Readonly<{ title: string; lines: readonly StatusLine[] }>
export type StatusView = readonly StatusGroup[]

/** What was read; undefined: not yet, or it did not answer. */
export type StatusFacts = Readonly<{
  info: shapes.VenueInfo | undefined
  ready: shapes.Readiness | undefined
  relay: shapes.Relay | undefined
  ledger: shapes.RelayLedger['head'] | undefined
  connection: Connection
  /** After so long without news what is shown is old, as text. */
  staleAfter: string
  pingMs: number | undefined
  /** Of the newest block that the venue shows; its age by the venue's clock. */
  block: string
  blockAgeMs: number | undefined
  reorgs: number
}>

const UNKNOWN = 'not known yet'
/** Blocks behind the node that are nothing to worry about. */
const LAG_USUAL = 2
const AGE_USUAL_MS = 5_000
const PING_USUAL_MS = 500
/** The keeper pushes index prices every second; an alert is raised after a minute. */
const PRICE_AGE_USUAL_MS = 15_000
const PRICE_AGE_MS_MAX = 60_000

/** Returns all that the page about the venue's state shows. */
export const viewStatus = (facts: StatusFacts): StatusView => [
  { title: 'Venue', lines: venueLines(facts) },
  { title: 'Data', lines: dataLines(facts) },
  { title: 'Keeper', lines: keeperLines(facts) },
  { title: 'This page', lines: pageLines(facts) },
  { title: 'Relay of signed orders', lines: relayLines(facts) },
]

const line = (name: string, value: string, judgement: Judgement = 'none'): StatusLine => ({
  name,
  value,
  judgement,
})

const TRADING = {
  live: 'live',
  coming_soon: 'not live yet: new orders are refused',
  cancel_only: 'orders can be cancelled alone',
} as const

const AWAY = 'no new orders while the API does not answer'

function venueLines({ info, connection, ready }: StatusFacts): readonly StatusLine[] {
  if (info === undefined) return [line('Network', UNKNOWN)]
  const { name, chain_id, trading } = info.network
  // What it said last holds no more: nobody else takes orders. The socket alone may be cut.
  const isAway = connection === 'down' && ready === undefined
  return [
    line('Network', `${name}, chain ${chain_id}`),
    isAway
      ? line('Trading', AWAY, 'bad')
      : line('Trading', TRADING[trading], trading === 'live' ? 'good' : 'warn'),
    line('Version', info.version),
  ]
}

function dataLines({ ready, block, blockAgeMs }: StatusFacts): readonly StatusLine[] {
  const age = line(
    'Newest block',
    blockAgeMs === undefined
      ? UNKNOWN
      : `${block === '' ? '' : `${block}, `}${showSeconds(blockAgeMs)} old`,
    judge(blockAgeMs, AGE_USUAL_MS),
  )
  if (ready === undefined) return [line('Ready', 'no answer', 'bad'), age]
  const { redis, rpc, indexer } = ready.checks
  const isReady = ready.status === 'ready'
  const awaited = ready.awaiting === undefined ? '' : `: waits for ${ready.awaiting}`
  return [
    line('Ready', isReady ? 'yes' : `no${awaited}`, isReady ? 'good' : 'bad'),
    line('Node of the chain', checkText(rpc, headText(rpc.head)), rpc.ok ? 'good' : 'bad'),
    line('Indexer', checkText(indexer, lagText(indexer.lag)), judgeIndexer(indexer)),
    line('Cache store', checkText(redis, 'answers'), redis.ok ? 'good' : 'bad'),
    age,
  ]
}

const checkText = ({ ok, error }: shapes.Check, text: string): string =>
  ok ? text : `fails: ${error ?? 'no reason given'}`

const headText = (head: number | undefined): string =>
  head === undefined ? 'answers' : `at block ${showDecimal(String(head))}`

function lagText(lag: shapes.IndexerCheck['lag']): string {
  if (lag === undefined || lag === 'unknown') return 'answers; its lag is not known'
  return lag === 1 ? '1 block behind' : `${lag} blocks behind`
}

function judgeIndexer({ ok, lag }: shapes.IndexerCheck): Judgement {
  if (!ok) return 'bad'
  return typeof lag === 'number' && lag > LAG_USUAL ? 'warn' : 'good'
}

/** What it does beside orders, liquidations above all, goes by the prices that it pushes. */
function keeperLines({ ready }: StatusFacts): readonly StatusLine[] {
  const name = 'Index prices'
  if (ready === undefined) return [line(name, UNKNOWN)]
  const { keeper } = ready
  if (keeper === undefined) return [line(name, 'no market here trades by them')]
  const { asset, index_price_age_ms: ageMs } = keeper
  if (ageMs === null) return [line(name, `none yet of ${asset}`, 'bad')]
  const whose = `the oldest, of ${asset}, is ${showSeconds(ageMs)} old`
  if (ageMs > PRICE_AGE_MS_MAX)
    return [line(name, `${whose}: the keeper has pushed nothing since`, 'bad')]
  if (ageMs > PRICE_AGE_USUAL_MS) return [line(name, `late: ${whose}`, 'warn')]
  return [line(name, `the keeper is at work; ${whose}`, 'good')]
}

const CONNECTION = {
  connecting: ['connecting', 'warn'],
  resync: ['connected again, catching up', 'warn'],
  open: ['open', 'good'],
  stale: ['open, but nothing new for', 'warn'],
  lost: ['lost, connecting again', 'bad'],
  down: ['the API does not answer', 'bad'],
} as const

function pageLines(facts: StatusFacts): readonly StatusLine[] {
  const { connection, staleAfter, pingMs, reorgs } = facts
  const [text, judgement] = CONNECTION[connection]
  return [
    line('Socket', connection === 'stale' ? `${text} ${staleAfter}` : text, judgement),
    line('Round trip', showLatency(pingMs) || UNKNOWN, judge(pingMs, PING_USUAL_MS)),
    line(
      'Reorganisations seen',
      `${reorgs} since the page was opened`,
      reorgs > 0 ? 'warn' : 'good',
    ),
  ]
}

function relayLines({ relay, ledger }: StatusFacts): readonly StatusLine[] {
  if (relay === undefined) return [line('Relayer', UNKNOWN)]
  const { status, rules, lanes, receipt_key } = relay
  if (receipt_key === null) return [line('Relayer', 'this node accepts no orders', 'warn')]
  return [
    status?.is_live === true
      ? line('Relayer', `at work, at block ${showDecimal(String(status.block))}`, 'good')
      : line('Relayer', 'says nothing: orders wait', 'bad'),
    line('Promise', promiseText(rules)),
    line('Queue', queueText(status), judge(status?.queue.blocks, rules.queue_blocks_max / 2)),
    ...lanes.map(laneLine),
    line('Ledger of promises', ledgerText(ledger)),
    line('Receipts are signed by', receipt_key),
  ]
}

const promiseText = ({ promised_blocks: blocks }: shapes.RelayRules): string =>
  `an accepted order is on the chain, or refused, expired or withdrawn, ${blocks} blocks later; ` +
  'later by what waits before it, in full blocks'

const queueText = (status: shapes.Relay['status']): string =>
  status === null
    ? UNKNOWN
    : `${status.queue.blocks} blocks; a block each ${showSeconds(status.block_ms)}`

const laneLine = ({ name, is_funded, queued, sent }: shapes.RelayLane): StatusLine =>
  line(
    `Lane ${name}`,
    `${is_funded ? 'funded' : 'cannot pay'}, ${queued} waiting, ${sent} sent`,
    is_funded ? 'good' : 'bad',
  )

function ledgerText(head: StatusFacts['ledger']): string {
  if (head === undefined) return UNKNOWN
  if (head === null) return 'empty'
  const signed = head.signature === null ? 'not signed' : 'signed'
  return `entry ${showDecimal(String(head.seq))}, ${signed}, hash ${head.hash.slice(0, 12)}…`
}

const judge = (value: number | undefined, usual: number): Judgement => {
  if (value === undefined) return 'none'
  return value > usual ? 'warn' : 'good'
}

const showSeconds = (ms: number): string => `${(Math.max(ms, 0) / 1000).toFixed(1)} s`
