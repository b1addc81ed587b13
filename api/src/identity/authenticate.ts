// Authenticates requests with a live key, by its secret or its signature. Interface 5.
import type { FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
import { isAddress } from '../http/address.ts'
import type { Host } from '../http/host-type.ts'
import { isOfAccount } from '../http/limits.ts'
import { isInNetworks } from '../http/networks.ts'
import { Refusal } from '../http/refusals.ts'
import { malformedAddress } from '../http/validation.ts'
import type { Caller } from './caller.ts'
import {
  type Credentials,
  headerNames,
  readCredentials,
  type SignedCredentials,
} from './credentials.ts'
import type { KeyChecks } from './key-checks.ts'
import { ipNotAllowed, requireScope, signedRefusal } from './key-scopes.ts'
import { readSignedBody, replaySignedBody } from './signed-body.ts'

/** The hook of routes that need a key. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Retry-After when the database cannot be queried about a key. */
const RETRY_MS = 1000

/**
 * Returns the hook of routes that need a key. Refuses with 401 without a valid one; then, if the
 * path has an `address`, with 400 when it is malformed and 403 when it is not the key's account.
 */
export function createAuthenticate(keys: KeyChecks, headerBrands: readonly string[]): Authenticate {
  const names = headerNames(headerBrands)
  const hook = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { limits } = request.server
    // Caches do not know our headers: they would serve the answer to other clients.
    reply.header('cache-control', 'no-store')
    const given = readCredentials(request.headers, names)
    // Guessing keys must not keep the database busy: after too many guesses only known keys pass.
    if (limits.isGuessing(request) && !keys.remembers(given?.key ?? ''))
      await limits.countGuess(request, reply)
    const caller = await callerBy(keys, given, { request, reply }).then((found) =>
      atAddress(found, limits.exactAddressOf(request.raw)),
    )
    if (caller instanceof Refusal) {
      // Refuses with 429 first: the limit of guesses bounds the lines as well.
      await limits.countGuess(request, reply)
      logFailedLogin(request, caller)
      throw caller
    }
    const { bucket } = request.routeOptions.config
    const key = caller.account
    await limits.count(request, reply, { bucket: isOfAccount(bucket) ? bucket : 'private', key })
    request.caller = { ...caller, isLegacy: given?.isLegacy === true }
    requireScope(caller, request.routeOptions.config.scope)
    checkAddress(request, caller)
  }
  authenticators.add(hook)
  return hook
}

/** Requests without a key are ignored. Keys are not logged: one may be a mistyped secret. */
function logFailedLogin(request: FastifyRequest, { code }: Refusal): void {
  if (code === 'AUTH_REQUIRED' || code === 'AUTH_UNAVAILABLE') return
  const address = request.server.limits.exactAddressOf(request.raw)
  request.log.warn({ code, address, route: request.routeOptions.url }, 'login failed')
}

const authenticators = new WeakSet<object>()

/** Makes every route with `authenticate` count by account, and describes that. */
export function markKeyedRoutes(host: Host): void {
  host.addHook('onRoute', (route: RouteOptions) => {
    const hooks = [route.onRequest ?? []].flat() as onRequestHookHandler[]
    if (!hooks.some((hook) => authenticators.has(hook))) return
    // A writing route that names no scope must not be open to read-only keys.
    const { scope = isReading(route.method) ? 'read' : 'trade' } = route.config ?? {}
    // Reads must never block a cancel.
    const bucket = scope === 'cancel' ? 'cancels' : 'private'
    route.config = { bucket, ...route.config, scope }
    route.schema = { ...route.schema, security: WAYS_TO_PROVE }
    route.preParsing = [...[route.preParsing ?? []].flat(), replaySignedBody]
  })
}

/** Combinations of headers, by their names in the description. */
const WAYS_TO_PROVE = [
  { key: [], secret: [] },
  { key: [], timestamp: [], signature: [] },
]

const isReading = (methods: RouteOptions['method']) =>
  [methods].flat().every((method) => CHANGING_NOTHING.has(method))

type RequestContext = Readonly<{ request: FastifyRequest; reply: FastifyReply }>

async function callerBy(
  keys: KeyChecks,
  given: Credentials | undefined,
  context: RequestContext,
): Promise<Caller | Refusal> {
  if (given === undefined) return new Refusal('AUTH_REQUIRED')
  const checked =
    'secret' in given ? keys.check(given.key, given.secret) : signer(keys, given, context)
  return checked.then(
    (caller) => caller ?? new Refusal('AUTH_INVALID'),
    (cause: unknown) =>
      cause instanceof Refusal
        ? cause
        : new Refusal('AUTH_UNAVAILABLE', { cause, retryAfterMs: RETRY_MS }),
  )
}

/** Returns the signer of the request. The query string may be signed or not. */
async function signer(
  keys: KeyChecks,
  given: SignedCredentials,
  { request, reply }: RequestContext,
): Promise<Caller | Refusal> {
  const { method, raw } = request
  const { url = '' } = raw
  const [path = ''] = url.split('?', 1)
  const callerOrFault = await keys.checkSigned({
    ...given,
    forms: path === url ? [`${method},${url}`] : [`${method},${path}`, `${method},${url}`],
    body: () => readSignedBody(request, reply),
    isOnce: !CHANGING_NOTHING.has(method),
  })
  return typeof callerOrFault === 'string' ? signedRefusal(callerOrFault) : callerOrFault
}

const CHANGING_NOTHING: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** A key used from a forbidden address is counted as a guess, like an unknown key. */
const atAddress = (caller: Caller | Refusal, address: string): Caller | Refusal =>
  caller instanceof Refusal || isInNetworks(address, caller.key.ipAddresses)
    ? caller
    : ipNotAllowed(address)

function checkAddress(request: FastifyRequest, { account }: Caller): void {
  const { address } = request.params as Readonly<Record<string, string | undefined>>
  if (address === undefined) return
  if (!isAddress(address)) {
    const details = [malformedAddress('address', address)]
    throw new Refusal('MALFORMED_ADDRESS', { details })
  }
  if (address.toLowerCase() !== account) throw new Refusal('FORBIDDEN_ACCOUNT')
}
