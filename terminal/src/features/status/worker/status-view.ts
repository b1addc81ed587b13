// Formats the status of the venue: what answers, how far it lags, and what it promises.
import type { shapes } from 'openvenue'
import { showDecimal } from '../../../text/decimal-text.ts'
import { showLatency } from '../../../text/short-texts.ts'
import type { Connection, Judgement, StatusLine, StatusView } from '../status-protocol.ts'

/** Status data; undefined: not yet read, or no answer. */
export type StatusFacts = Readonly<{
  info: shapes.VenueInfo | undefined
  ready: shapes.Readiness | undefined
  relay: shapes.Relay | undefined
  ledger: shapes.RelayLedger['head'] | undefined
  connection: Connection
  /** Age at which data counts as outdated, as text. */
  staleAfter: string
  pingMs: number | undefined
  /** The newest displayed block; its age by the venue's clock. */
  block: string
  blockAgeMs: number | undefined
  reorgs: number
}>

const UNKNOWN = 'not known yet'
/** A usual lag behind the node, in blocks, that needs no warning. */
const LAG_USUAL = 2
const AGE_USUAL_MS = 5_000
const PING_USUAL_MS = 500
/** The keeper pushes index prices every second; an alert is raised after a minute. */
const PRICE_AGE_USUAL_MS = 15_000
const PRICE_AGE_MS_MAX = 60_000

/** Returns all lines of the status page. */
export const viewStatus = (facts: StatusFacts): StatusView => [
  { title: 'Venue', lines: venueLines(facts) },
  { title: 'Data', lines: dataLines(facts) },
  { title: 'Keeper', lines: keeperLines(facts) },
  { title: 'This page', lines: pageLines(facts) },
  { title: 'Order relay', lines: relayLines(facts) },
]

const line = (name: string, value: string, judgement: Judgement = 'none'): StatusLine => ({
  name,
  value,
  judgement,
})

const TRADING = {
  live: 'live',
  coming_soon: 'not live yet: new orders are refused',
  cancel_only: 'cancels only',
} as const

const AWAY = 'no new orders while the API does not respond'

function venueLines({ info, connection, ready }: StatusFacts): readonly StatusLine[] {
  if (info === undefined) return [line('Network', UNKNOWN)]
  const { name, chain_id, trading } = info.network
  // The last reported state no longer holds without an API, but the socket may be cut while REST
  // works.
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
    line('Chain node', checkText(rpc, headText(rpc.head)), rpc.ok ? 'good' : 'bad'),
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
  if (lag === undefined || lag === 'unknown') return 'answers; lag unknown'
  return lag === 1 ? '1 block behind' : `${lag} blocks behind`
}

function judgeIndexer({ ok, lag }: shapes.IndexerCheck): Judgement {
  if (!ok) return 'bad'
  return typeof lag === 'number' && lag > LAG_USUAL ? 'warn' : 'good'
}

/** Judges the keeper by its index prices, on which liquidations depend. */
function keeperLines({ ready }: StatusFacts): readonly StatusLine[] {
  const name = 'Index prices'
  if (ready === undefined) return [line(name, UNKNOWN)]
  const { keeper } = ready
  if (keeper === undefined) return [line(name, 'not used by any market')]
  const { asset, index_price_age_ms: ageMs } = keeper
  if (ageMs === null) return [line(name, `none yet for ${asset}`, 'bad')]
  const whose = `oldest (${asset}): ${showSeconds(ageMs)} old`
  if (ageMs > PRICE_AGE_MS_MAX) return [line(name, `${whose}; no push since`, 'bad')]
  if (ageMs > PRICE_AGE_USUAL_MS) return [line(name, `late: ${whose}`, 'warn')]
  return [line(name, `updating; ${whose}`, 'good')]
}

const CONNECTION = {
  connecting: ['connecting', 'warn'],
  resync: ['reconnected, catching up', 'warn'],
  open: ['open', 'good'],
  stale: ['open, but no data for', 'warn'],
  lost: ['lost, reconnecting', 'bad'],
  down: ['the API does not respond', 'bad'],
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
      ? line('Relayer', `running, at block ${showDecimal(String(status.block))}`, 'good')
      : line('Relayer', 'not responding: orders wait', 'bad'),
    line('Promise', promiseText(rules)),
    line('Queue', queueText(status), judge(status?.queue.blocks, rules.queue_blocks_max / 2)),
    ...lanes.map(laneLine),
    line('Promise ledger', ledgerText(ledger)),
    line('Receipts are signed by', receipt_key),
  ]
}

const promiseText = ({ promised_blocks: blocks }: shapes.RelayRules): string =>
  `an accepted order is on chain, or refused, expired or withdrawn, within ${blocks} blocks, ` +
  'plus full blocks of the queue ahead of it'

const queueText = (status: shapes.Relay['status']): string =>
  status === null
    ? UNKNOWN
    : `${status.queue.blocks} blocks; block time ${showSeconds(status.block_ms)}`

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
