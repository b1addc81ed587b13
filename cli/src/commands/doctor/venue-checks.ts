// Checks the venue through its public endpoints.
import type { Rest, shapes } from 'openvenue'
import { isPlainRemote } from '../../networks.ts'
import type { Session } from '../../session.ts'
import { type Finding, fail, look, ok, warn } from './finding.ts'

const NS_PER_MS = 1_000_000n
const SKEW_MS_WARN = 2_000
/** Signed requests with a larger skew are refused. */
const SKEW_MS_MAX = 30_000
const LAG_BLOCKS_WARN = 2
const READY_MS_MAX = 10_000

export async function venueChecks(session: Session): Promise<Finding[]> {
  const reached = await look('api', 'check the address and that the venue is running', () =>
    reach(session),
  )
  if (reached.status === 'fail') return [reached]
  const rest = await session.publicRest()
  const { url } = await session.place()
  return [
    reached,
    await look('clock', 'set the clock of this machine', () => clock(rest)),
    ...(await readiness(url)),
    await look('relayer', 'orders may be delayed: see GET /relay', () => relayer(rest)),
    await look('socket', 'check that proxies pass WebSockets', () => socket(session)),
  ]
}

async function reach(session: Session): Promise<Finding> {
  const { url, name } = await session.place()
  const { network, version } = await session.checkNetwork()
  const facts = `${url}: network ${name}, version ${version}, trading ${network.trading}`
  if (isPlainRemote(url)) return warn('api', facts, 'use https: keys can be read in transit')
  if (network.trading !== 'live') return warn('api', facts, 'new orders are not accepted now')
  return ok('api', facts)
}

/** Assumes that the server read its clock in the middle of the request. */
async function clock(rest: Rest): Promise<Finding> {
  const beforeMs = Date.now()
  const { time } = await rest.call('GET /time')
  const tookMs = Date.now() - beforeMs
  const middleMs = beforeMs + tookMs / 2
  const skewMs = Math.round(middleMs - Number(BigInt(time) / NS_PER_MS))
  const facts = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} the venue, round trip ${tookMs} ms`
  if (Math.abs(skewMs) > SKEW_MS_MAX)
    return fail('clock', facts, 'set the clock: signed requests and deadlines depend on it')
  if (Math.abs(skewMs) > SKEW_MS_WARN) return warn('clock', facts, 'set the clock of this machine')
  return ok('clock', facts)
}

/** Fetched directly: its body is the same at 200 and 503 and not a refusal. */
async function readiness(url: string): Promise<Finding[]> {
  try {
    const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(READY_MS_MAX) })
    const { status, checks } = (await response.json()) as shapes.Readiness
    const failing = Object.entries(checks).filter(([, { ok: isOk }]) => !isOk)
    const words = failing.map(([name, { error = 'failing' }]) => `${name} ${error}`).join(', ')
    const ready =
      status === 'ready'
        ? ok('ready', 'cache, chain and indexer respond')
        : fail('ready', words || status, 'wait or ask the operator')
    return [ready, lag(checks.indexer.lag)]
  } catch (error) {
    const facts = error instanceof Error ? error.message : 'no answer'
    return [fail('ready', facts, 'wait or ask the operator')]
  }
}

function lag(blocks: shapes.IndexerCheck['lag']): Finding {
  if (blocks === undefined || blocks === 'unknown')
    return warn('indexer', 'lag unknown', 'compare block numbers with a node of the chain')
  const facts = `${blocks} blocks behind the chain`
  return blocks > LAG_BLOCKS_WARN
    ? warn('indexer', facts, 'data is old: wait')
    : ok('indexer', facts)
}

async function relayer(rest: Rest): Promise<Finding> {
  const { receipt_key, status, lanes } = await rest.call('GET /relay')
  if (receipt_key === null)
    return fail('relayer', 'this node accepts no orders', 'use your wallet: see /orders/build')
  const broke = lanes.filter(({ is_funded }) => !is_funded).map(({ name }) => name)
  if (status?.is_live !== true)
    return fail('relayer', 'no recent status', 'orders are delayed: ask the operator')
  if (broke.length > 0)
    return warn(
      'relayer',
      `no funds: ${broke.join(', ')}`,
      'orders may be refused: ask the operator',
    )
  const { blocks } = status.queue
  return ok('relayer', `live, ${lanes.length} lanes, queue of ${blocks} blocks`)
}

async function socket(session: Session): Promise<Finding> {
  const connection = await session.socket({ isPrivate: false })
  try {
    const startMs = performance.now()
    await connection.ask('ping', undefined, session.host.signal)
    return ok('socket', `answers in ${Math.round(performance.now() - startMs)} ms`)
  } finally {
    connection.close()
  }
}
