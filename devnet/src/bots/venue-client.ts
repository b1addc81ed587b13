// Asks a venue over REST, as a bot does: with an API key, and each refusal as an error with its
// code.

/** The venue answered, and its answer is no. */
export class VenueRefusal extends Error {
  override name = 'VenueRefusal'
  readonly code: string
  /** How long to wait before asking again; undefined where waiting does not help. */
  readonly retryAfterMs: number | undefined

  constructor(code: string, message: string, retryAfterMs?: number) {
    super(`${code}: ${message}`)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** An API key and its secret. */
export type ApiKey = Readonly<{ key: string; secret: string }>

type Method = 'GET' | 'POST' | 'DELETE'

const ANSWERED_WITHIN_MS = 15_000

export class VenueClient {
  readonly apiUrl: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(apiUrl: string, apiKey?: ApiKey) {
    this.apiUrl = apiUrl
    this.#headers =
      apiKey === undefined ? {} : { 'api-key': apiKey.key, 'api-secret': apiKey.secret }
  }

  /** Returns the body of the answer; throws `VenueRefusal` when that is an error. */
  async ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.apiUrl + path, {
      method,
      headers: {
        ...this.#headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    })
    const answer = (await response.json()) as T & { error?: string; message?: string }
    if (response.ok) return answer
    const { error = String(response.status), message = '' } = answer
    throw new VenueRefusal(error, message, retryAfterMs(response))
  }
}

function retryAfterMs(response: Response): number | undefined {
  const seconds = response.headers.get('retry-after')
  return seconds === null ? undefined : Number(seconds) * 1_000
}
