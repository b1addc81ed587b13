// Formats the status of the venue: what answers, how far it lags, and what it promises.
import type { shapes } from 'openvenue'
import { showDecimal } from '../../../text/decimal-text.ts'
import { showLatency } from '../../../text/short-texts.ts'
import type { ConnectionState, Judgement, StatusLine, StatusView } from '../status-protocol.ts'
import * as text from '../text.ts'

/** Status data; undefined: not yet read, or no answer. */
export type StatusFacts = Readonly<{
  info: shapes.VenueInfo | undefined
  ready: shapes.Readiness | undefined
  relay: shapes.Relay | undefined
  ledger: shapes.RelayLedger['head'] | undefined
  connection: ConnectionState
  /** Age at which data counts as outdated, as text. */
  staleAfter: string
  pingMs: number | undefined
  /** The newest displayed block; its age by the venue's clock. */
  block: string
  blockAgeMs: number | undefined
  reorgs: number
}>

/** A usual lag behind the node, in blocks, that needs no warning. */
const LAG_USUAL = 2
const AGE_USUAL_MS = 5_000
const PING_USUAL_MS = 500
/** The keeper pushes index prices every second; an alert is raised after a minute. */
const PRICE_AGE_USUAL_MS = 15_000
const PRICE_AGE_MS_MAX = 60_000

/** Returns all lines of the status page. */
export const viewStatus = (facts: StatusFacts): StatusView => [
  { title: text.venue, lines: venueLines(facts) },
  { title: text.data, lines: dataLines(facts) },
  { title: text.keeper, lines: keeperLines(facts) },
  { title: text.thisPage, lines: pageLines(facts) },
  { title: text.orderRelay, lines: relayLines(facts) },
]

const line = (name: string, value: string, judgement: Judgement = 'none'): StatusLine => ({
  name,
  value,
  judgement,
})

function venueLines({ info, connection, ready }: StatusFacts): readonly StatusLine[] {
  if (info === undefined) return [line(text.network, text.unknown)]
  const { name, chain_id, trading } = info.network
  // The last reported state no longer holds without an API, but the socket may be cut while REST
  // works.
  const isDown = connection === 'down' && ready === undefined
  return [
    line(text.network, text.networkOnChain(name, chain_id)),
    isDown
      ? line(text.trading, text.noOrdersWithoutApi, 'bad')
      : line(text.trading, text.tradingNames[trading], trading === 'live' ? 'good' : 'warn'),
    line(text.version, info.version),
  ]
}

function dataLines({ ready, block, blockAgeMs }: StatusFacts): readonly StatusLine[] {
  const age = line(
    text.newestBlock,
    blockAgeMs === undefined ? text.unknown : text.blockAge(block, showSeconds(blockAgeMs)),
    judge(blockAgeMs, AGE_USUAL_MS),
  )
  if (ready === undefined) return [line(text.ready, text.noAnswer, 'bad'), age]
  const { redis, rpc, indexer } = ready.checks
  const isReady = ready.status === 'ready'
  const readyText = isReady ? text.isReady : text.isNotReady(ready.awaiting ?? '')
  return [
    line(text.ready, readyText, isReady ? 'good' : 'bad'),
    line(text.chainNode, checkText(rpc, headText(rpc.head)), rpc.ok ? 'good' : 'bad'),
    line(text.indexer, checkText(indexer, lagText(indexer.lag)), judgeIndexer(indexer)),
    line(text.cacheStore, checkText(redis, text.responds), redis.ok ? 'good' : 'bad'),
    age,
  ]
}

const checkText = ({ ok, error }: shapes.Check, state: string): string =>
  ok ? state : text.failsWith(error ?? text.noReason)

const headText = (head: number | undefined): string =>
  head === undefined ? text.responds : text.atBlock(showDecimal(String(head)))

function lagText(lag: shapes.IndexerCheck['lag']): string {
  if (lag === undefined || lag === 'unknown') return text.lagUnknown
  return text.blocksBehind(lag)
}

function judgeIndexer({ ok, lag }: shapes.IndexerCheck): Judgement {
  if (!ok) return 'bad'
  return typeof lag === 'number' && lag > LAG_USUAL ? 'warn' : 'good'
}

/** Judges the keeper by its index prices, on which liquidations depend. */
function keeperLines({ ready }: StatusFacts): readonly StatusLine[] {
  const name = text.indexPrices
  if (ready === undefined) return [line(name, text.unknown)]
  const { keeper } = ready
  if (keeper === undefined) return [line(name, text.noIndexPrices)]
  const { asset, index_price_age_ms: ageMs } = keeper
  if (ageMs === null) return [line(name, text.noPriceYet(asset), 'bad')]
  const age = showSeconds(ageMs)
  if (ageMs > PRICE_AGE_MS_MAX) return [line(name, text.pricesStopped(asset, age), 'bad')]
  if (ageMs > PRICE_AGE_USUAL_MS) return [line(name, text.pricesLate(asset, age), 'warn')]
  return [line(name, text.pricesUpdating(asset, age), 'good')]
}

const CONNECTION_JUDGEMENTS: Readonly<Record<ConnectionState, Judgement>> = {
  ...{ connecting: 'warn', resync: 'warn', open: 'good', stale: 'warn', lost: 'bad', down: 'bad' },
}

function pageLines(facts: StatusFacts): readonly StatusLine[] {
  const { connection, staleAfter, pingMs, reorgs } = facts
  const state =
    connection === 'stale' ? text.connectionStale(staleAfter) : text.connectionNames[connection]
  return [
    line(text.socket, state, CONNECTION_JUDGEMENTS[connection]),
    line(text.roundTrip, showLatency(pingMs) || text.unknown, judge(pingMs, PING_USUAL_MS)),
    line(text.reorgs, text.reorgsSeen(reorgs), reorgs > 0 ? 'warn' : 'good'),
  ]
}

function relayLines({ relay, ledger }: StatusFacts): readonly StatusLine[] {
  if (relay === undefined) return [line(text.relayer, text.unknown)]
  const { status, rules, lanes, receipt_key } = relay
  if (receipt_key === null) return [line(text.relayer, text.acceptsNoOrders, 'warn')]
  return [
    status?.is_live === true
      ? line(text.relayer, text.relayerRunning(showDecimal(String(status.block))), 'good')
      : line(text.relayer, text.relayerDown, 'bad'),
    line(text.promise, text.promiseOf(rules.promised_blocks)),
    line(text.queue, queueText(status), judge(status?.queue.blocks, rules.queue_blocks_max / 2)),
    ...lanes.map(laneLine),
    line(text.promiseLedger, ledgerText(ledger)),
    line(text.receiptsSignedBy, receipt_key),
  ]
}

const queueText = (status: shapes.Relay['status']): string =>
  status === null ? text.unknown : text.queueOf(status.queue.blocks, showSeconds(status.block_ms))

const laneLine = ({ name, is_funded, queued, sent }: shapes.RelayLane): StatusLine =>
  line(text.lane(name), text.laneState(is_funded, queued, sent), is_funded ? 'good' : 'bad')

function ledgerText(head: StatusFacts['ledger']): string {
  if (head === undefined) return text.unknown
  if (head === null) return text.ledgerEmpty
  const entry = showDecimal(String(head.seq))
  return text.ledgerHead(entry, head.signature !== null, head.hash.slice(0, 12))
}

const judge = (value: number | undefined, usual: number): Judgement => {
  if (value === undefined) return 'none'
  return value > usual ? 'warn' : 'good'
}

const showSeconds = (ms: number): string => `${(Math.max(ms, 0) / 1000).toFixed(1)} s`
