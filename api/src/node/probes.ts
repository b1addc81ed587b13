// Checks whether the three dependencies answer. Errors are fixed words, never a text that could
// contain an address or a password.
import type { IndexerAnswer, Probes, ReadinessCheck } from '../rest/readiness.ts'

/** Timeout of a dependency, ms. */
const PROBE_MS_MAX = 1000
/** No probe's answer is longer. */
const ANSWER_BYTES_MAX = 64 * 1024

type ProbeOptions = Readonly<{
  /** Throws when the cache store does not answer. */
  pingCache: () => Promise<void>
  rpcUrls: readonly string[]
  /** Base URLs of the indexers, one of which leads. */
  indexerUrls: readonly string[]
  timeoutMs?: number
}>

/** Returns probes over HTTP. None of them ever rejects. */
export function createProbes(options: ProbeOptions): Probes {
  const { pingCache, rpcUrls, indexerUrls, timeoutMs = PROBE_MS_MAX } = options
  const ask = (url: string) =>
    checked<IndexerAnswer>(timeoutMs, (signal) => askIndexer(url, signal), { ok: true })
  return {
    redis: () => checked(timeoutMs, () => pingCache().then(() => ({})), { ok: true }),
    rpc: () =>
      checked(timeoutMs, (signal) => askRpcs(rpcUrls, { signal, timeoutMs }), { ok: true }),
    indexer: async () => pickBest(await Promise.all(indexerUrls.map(ask))),
  }
}

/** A failure with a fixed word, and further known members. */
class Failure extends Error {
  readonly word: string
  readonly facts: object
  constructor(word: string, facts: object = {}) {
    super(word)
    this.word = word
    this.facts = facts
  }
}

async function checked<T extends ReadinessCheck>(
  timeoutMs: number,
  ask: (signal: AbortSignal) => Promise<object>,
  fine: T,
): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    return { ...fine, ...(await Promise.race([ask(signal), rejected(signal)])) }
  } catch (error) {
    const facts = error instanceof Failure ? error.facts : {}
    return { ...fine, ...facts, ok: false, error: failureWord(error, signal) }
  }
}

const rejected = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

function failureWord(error: unknown, signal: AbortSignal): string {
  if (error instanceof Failure) return error.word
  return signal.aborted ? 'timeout' : 'unreachable'
}

const BLOCK_NUMBER = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'

/** Asks all at once: the chain's head is the highest of their heads. */
async function askRpcs(
  urls: readonly string[],
  { signal, timeoutMs }: Readonly<{ signal: AbortSignal; timeoutMs: number }>,
): Promise<{ head: number }> {
  // A frozen node must not use up the time of all.
  const soon = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs / 2)])
  const ask = (url: string) => askRpc(url, urls.length === 1 ? signal : soon)
  const results = await Promise.allSettled(urls.map(ask))
  const heads = results.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value.head] : [],
  )
  if (heads.length > 0) return { head: Math.max(...heads) }
  throw results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))[0]
}

async function askRpc(url: string, signal: AbortSignal): Promise<{ head: number }> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: BLOCK_NUMBER, signal })
  const answer = await readJson(response)
  if (!response.ok) throw new Failure(`http_${response.status}`)
  const result = member(answer, 'result')
  if (typeof result !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(result))
    throw new Failure('no_head')
  return { head: Number(result) }
}

/** The indexer's own readiness compares its last block with the head of the chain. */
async function askIndexer(
  url: string,
  signal: AbortSignal,
): Promise<{ lag: number | 'unknown'; head?: number }> {
  const response = await fetch(new URL('/ready', url), { signal })
  const answer = await readJson(response)
  if (response.status === 404) return { lag: 'unknown' }
  const lag = wholeMember(answer, 'lag')
  const head = wholeMember(answer, 'head')
  const progress = {
    ...(lag === undefined ? {} : { lag }),
    ...(head === undefined ? {} : { head }),
  }
  if (!response.ok) throw new Failure(`http_${response.status}`, progress)
  return { lag: 'unknown', ...progress }
}

/** The ready indexer counts, else the nearest one that answers. */
const pickBest = (answers: readonly IndexerAnswer[]): IndexerAnswer =>
  answers.toSorted((one, other) => rank(one) - rank(other))[0] ?? {
    ok: false,
    error: 'unreachable',
  }

/** Lower is better. */
function rank({ ok, lag }: IndexerAnswer): number {
  if (ok) return typeof lag === 'number' ? 0 : 1
  return typeof lag === 'number' ? 2 + lag : Number.POSITIVE_INFINITY
}

function wholeMember(answer: unknown, name: string): number | undefined {
  const value = member(answer, name)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

const member = (answer: unknown, name: string): unknown =>
  typeof answer === 'object' && answer !== null
    ? (answer as Record<string, unknown>)[name]
    : undefined

/** Returns the body as JSON; undefined when it is invalid or too long. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text.length > ANSWER_BYTES_MAX) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // A dependency that answers with another body has still answered.
    return undefined
  }
}
