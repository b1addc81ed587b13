// Asks one node over JSON-RPC on HTTP: a pool of connections, batches in which each call has a
// reply of its own, and bounds of time and size. Indexer, keeper, api and devnet make theirs of it.
import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as TlsAgent } from 'node:https'

export type RpcCall = Readonly<{ method: string; params: readonly unknown[] }>

export type RpcReply = Readonly<{
  result?: unknown
  error?: Readonly<{ code?: number; message?: string; data?: unknown }>
}>

/** Replies in the order of their calls, with the HTTP status whatever their content. */
type RpcReplies = Readonly<{ status: number; replies: readonly RpcReply[] }>

export type RpcErrorKind =
  | 'timeout'
  | 'unreachable'
  | 'http'
  | 'malformed'
  | 'refused'
  | 'tooLarge'
  | 'moved'
  | 'behind'

/**
 * A fault of a node or of the way to it. `refused`: the node answered with an error (`code`);
 * `tooLarge`: the answer passed its limit; `behind`: the node has not got that block yet; `moved`:
 * two answers are of two chains. The URL is never in the message: it may hold a key.
 */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly kind: RpcErrorKind
  readonly code: number | undefined

  constructor(
    kind: RpcErrorKind,
    message: string,
    options: { code?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.code = options.code
  }
}

type NodeOptions = Readonly<{
  url: string
  timeoutMs: number
  /** Bytes of an answer at most. */
  bytesMax?: number
  /** Connections at most; further requests wait, and their time runs. */
  socketsMax?: number
  /**
   * One call is sent as a list too: a refusal of it is then distinguished from one of the whole
   * request.
   */
  isListAlways?: boolean
}>

/** The measured best is 4 MB a response (docs/decisions); twice that means a range is too wide. */
export const RESPONSE_BYTES_MAX = 8 * 1024 * 1024
const SOCKETS_MAX = 64

/** Asks the node `calls` in one request. Throws `RpcError`. */
export type AskNode = (calls: readonly RpcCall[]) => Promise<RpcReplies>

/**
 * Returns what asks the node at a URL. `close` ends its idle connections, which hold up nothing.
 */
export function connectNode(options: NodeOptions): { ask: AskNode; close(): void } {
  const { url, timeoutMs, bytesMax = RESPONSE_BYTES_MAX, socketsMax = SOCKETS_MAX } = options
  const { isListAlways = false } = options
  const isTls = url.startsWith('https:')
  const agent = new (isTls ? TlsAgent : Agent)({ keepAlive: true, maxSockets: socketsMax })
  const target = { send: isTls ? requestHttps : requestHttp, url, agent, timeoutMs, bytesMax }
  return {
    ask: async (calls) => {
      const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
      const isList = isListAlways || calls.length > 1
      const body = JSON.stringify(isList ? requests : requests[0])
      return parseReplies(await post(target, body), calls.length, isList)
    },
    close: () => agent.destroy(),
  }
}

type HttpAnswer = Readonly<{ status: number; text: string }>
type NumberedReply = RpcReply & Readonly<{ id?: number }>

/** Returns one reply per call. Throws when the node refuses the batch as a whole. */
function parseReplies({ status, text }: HttpAnswer, count: number, isList: boolean): RpcReplies {
  const answered = parseJson(text, status)
  if (!Array.isArray(answered)) {
    if (!isList) return { status, replies: [answered] }
    if (answered.error === undefined) throw replyError(status, 'a batch with a list')
    const { code, message = 'no reason' } = answered.error
    const details = code === undefined ? {} : { code }
    throw new RpcError('refused', `a batch was refused: ${message}`, details)
  }
  const byId = new Map(answered.map((reply: NumberedReply) => [reply?.id, reply]))
  const replies = Array.from({ length: count }, (_, id) => {
    const reply = byId.get(id)
    if (reply === undefined) throw replyError(status, 'every call of a batch')
    return reply
  })
  return { status, replies }
}

function parseJson(text: string, status: number): NumberedReply | NumberedReply[] {
  try {
    return JSON.parse(text) ?? {}
  } catch (cause) {
    throw replyError(status, 'in JSON', cause)
  }
}

const replyError = (status: number, how: string, cause?: unknown) =>
  status >= 300
    ? new RpcError('http', `the node answered with status ${status}`, { code: status, cause })
    : new RpcError('malformed', `the node answers ${how}`, { cause })

type Target = Readonly<{
  send: typeof requestHttp
  url: string
  agent: Agent
  timeoutMs: number
  bytesMax: number
}>

function post(
  { send, url, agent, timeoutMs, bytesMax }: Target,
  body: string,
): Promise<HttpAnswer> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const request = send(url, { method: 'POST', agent, headers }, (response) => {
      readBody(response, bytesMax)
        .then(resolve, reject)
        .finally(() => clearTimeout(deadline))
    })
    const deadline = setTimeout(() => {
      reject(new RpcError('timeout', `no answer within ${timeoutMs} ms`))
      request.destroy()
    }, timeoutMs)
    request.on('error', (cause) => {
      clearTimeout(deadline)
      reject(new RpcError('unreachable', 'the node is unreachable', { cause }))
    })
    request.end(body)
  })
}

async function readBody(response: IncomingMessage, bytesMax: number): Promise<HttpAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bytesMax) {
        response.destroy()
        throw new RpcError('tooLarge', `an answer has at most ${bytesMax} bytes`)
      }
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof RpcError) throw cause
    throw new RpcError('unreachable', 'the connection broke off', { cause })
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }
}
