// The servers that a PostgreSQL URL names. Like libpq, and unlike the driver, several are allowed:
// postgres://user@a:5432,b:5432/venue?target_session_attrs=read-write

export const SESSION_ATTRS = [
  'any',
  'read-write',
  'read-only',
  'primary',
  'standby',
  'prefer-standby',
] as const
export type SessionAttrs = (typeof SESSION_ATTRS)[number]

/** A server of a URL. */
export type DbServer = Readonly<{
  /** For the driver: the URL with this server only. */
  url: string
  /** Host and port, for messages. */
  name: string
  attrs: Exclude<SessionAttrs, 'prefer-standby'>
}>

/** Columns that `judgeServer` needs. */
export const SERVER_STATE = `pg_is_in_recovery()::text AS standby,
  current_setting('transaction_read_only') AS read_only`
type ServerState = Readonly<{ standby: unknown; read_only: unknown }>

/** Timeout of a connection, after which a sole server counts as down. */
const CONNECT_MS_MAX = 3000
/** The same where another server can be tried. */
const PEER_CONNECT_MS_MAX = 2000
/** A server that failed is tried after the others for this long. */
const AVOIDED_MS = 60_000

/** Thrown by servers that do not have the role asked for. */
export class WrongRole extends Error {
  override name = 'WrongRole'
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)((?:\/[^?#@]*)?)(?:\?([^#@]*))?$/
const ATTRS = 'target_session_attrs'

/**
 * Splits a URL. Throws with the rule that it breaks; the message has no part of it, since a part
 * that is not encoded may be of the password.
 */
function parseUrl(url: string) {
  const [, login = '', hostList = '', path = '', query = ''] = PARTS.exec(url) ?? []
  if (login === '')
    throw new Error('expected a URL of postgres: or postgresql:, percent-encoded where necessary')
  const params = query.split('&').filter((param) => param !== '')
  const isOf = (name: string) => (param: string) => param.startsWith(`${name}=`)
  const hosts = hostList.split(',')
  const isHost = (host: string) => host !== '' && URL.parse(`postgres://${host}`) !== null
  if (hosts.length > 1 && (params.some(isOf('host')) || params.some(isOf('port'))))
    throw new Error('expected several hosts only before the name of the database')
  if (hostList !== '' && !hosts.every(isHost))
    throw new Error('expected hosts with commas between them, each with a port or without')
  const given = params.find(isOf(ATTRS))?.slice(ATTRS.length + 1)
  const attrs = SESSION_ATTRS.find((word) => word === given)
  if (given !== undefined && attrs === undefined)
    throw new Error(`expected ${ATTRS} to be one of ${SESSION_ATTRS.join(', ')}`)
  const rest = params.filter((param) => !isOf(ATTRS)(param)).join('&')
  const urls = hosts.map((host) => `${login}${host}${path}${rest === '' ? '' : `?${rest}`}`)
  return { hosts, urls, attrs }
}

/**
 * Checks the URL of a database that is written, or of a replica that is only read. Throws with the
 * rule that it breaks.
 */
export function checkDatabaseUrl(url: string, isWritten: boolean): void {
  const { attrs = 'any' } = parseUrl(url)
  if (isWritten && !['any', 'read-write', 'primary'].includes(attrs))
    throw new Error(`expected ${ATTRS} to be read-write, since services write`)
}

/** The servers of a URL and their last failures, shared by the connections of a process. */
export class Servers {
  readonly #servers: readonly DbServer[]
  readonly #failures = new Map<DbServer, Readonly<{ atMs: number; reason: string }>>()
  #last: DbServer | undefined
  readonly connectMsMax: number

  /** `several` is the role of several servers if the URL does not ask for one. */
  constructor(url: string, several: 'any' | 'read-write') {
    const { hosts, urls, attrs = 'any' } = parseUrl(url)
    const role = attrs === 'any' && hosts.length > 1 ? several : attrs
    const withRole = (attr: DbServer['attrs']) =>
      urls.map((each, index) => ({ url: each, name: hosts[index] ?? '', attrs: attr }))
    this.#servers =
      role === 'prefer-standby' ? [...withRole('standby'), ...withRole('any')] : withRole(role)
    this.connectMsMax = this.#servers.length > 1 ? PEER_CONNECT_MS_MAX : CONNECT_MS_MAX
  }

  /** Returns the server to try next: one that failed lately comes after the others. */
  next(): DbServer {
    const nowMs = performance.now()
    const failedMs = (server: DbServer) => {
      const { atMs } = this.#failures.get(server) ?? { atMs: Number.NEGATIVE_INFINITY }
      return nowMs - atMs < AVOIDED_MS ? atMs : Number.NEGATIVE_INFINITY
    }
    const known = this.#servers.filter((server) => server === this.#last)
    const [first = this.#servers[0] as DbServer, ...others] = [...known, ...this.#servers]
    return others.reduce((best, one) => (failedMs(one) < failedMs(best) ? one : best), first)
  }

  /**
   * Calls `open` with one server after another until it succeeds. Throws an error with the reason
   * of each, or the error of the sole server.
   */
  async attempt<T>(open: (server: DbServer) => Promise<T>): Promise<T> {
    const startMs = performance.now()
    for (;;) {
      const server = this.next()
      try {
        const result = await open(server)
        this.served(server)
        return result
      } catch (error) {
        this.failed(server, error)
        this.rethrowIfAllFailed(error, startMs)
      }
    }
  }

  /** Records that a server was fit. */
  served(server: DbServer): void {
    this.#failures.delete(server)
    // A server of any role may be a second choice: the first choice is tried again.
    if (server.attrs !== 'any') this.#last = server
  }

  /** Records a failure. */
  failed(server: DbServer, error: unknown): void {
    this.#failures.set(server, { atMs: performance.now(), reason: reasonOf(error) })
  }

  /** Throws the last error if every server has failed since `startMs`, with the reason of each. */
  rethrowIfAllFailed(error: unknown, startMs: number): void {
    const failures = this.#servers.map((each) => this.#failures.get(each))
    if (!failures.every((failure) => (failure?.atMs ?? Number.NEGATIVE_INFINITY) >= startMs)) return
    if (this.#servers.length === 1) throw error
    const reasons = new Map(
      this.#servers.map((each, index) => [each.name, failures[index]?.reason]),
    )
    const text = [...reasons].map(([name, reason]) => `${name} (${reason})`).join(', ')
    throw new Error(`no server can be used: ${text}`, { cause: error })
  }
}

/** Throws `WrongRole` unless a server in that state is fit for its connections. */
export function judgeServer({ attrs }: DbServer, { standby, read_only }: ServerState): void {
  const isStandby = standby === 'true'
  const isReadOnly = isStandby || read_only === 'on'
  if (isStandby && (attrs === 'primary' || attrs === 'read-write'))
    throw new WrongRole('is a standby')
  if (!isStandby && attrs === 'standby') throw new WrongRole('is not a standby')
  if (isReadOnly && attrs === 'read-write') throw new WrongRole('is read only')
  if (!isReadOnly && attrs === 'read-only') throw new WrongRole('is not read only')
}

/** Node reports failures of several addresses of one name together, without a message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
