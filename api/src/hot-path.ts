// Answers URLs that were routed and validated before straight from memory. Only `GET`s that a
// route remembered come here; everything else goes through Fastify.
import type { FastifyRequest } from 'fastify'
import type { Source } from './rest/route.ts'

/** Bounds of what is remembered: URLs, and bytes of their bodies when they were remembered. */
const HOT_URLS_MAX = 512
const HOT_BYTES_MAX = 64 * 1024 * 1024

type Hot = Readonly<{ source: Source; bytes: number }>

export class HotPath {
  readonly #byUrl = new Map<string, Hot>()
  #bytes = 0

  /** Remembers that `source` answers the URL of `request`. */
  remember(request: FastifyRequest, source: Source): void {
    const url = request.raw.url
    if (url === undefined || this.#byUrl.has(url)) return
    const bytes = source.read().length
    this.#byUrl.set(url, { source, bytes })
    this.#bytes += bytes
    for (const [oldest, { bytes }] of this.#byUrl) {
      if (this.#byUrl.size <= HOT_URLS_MAX && this.#bytes <= HOT_BYTES_MAX) return
      this.#byUrl.delete(oldest)
      this.#bytes -= bytes
    }
  }

  find(url: string): Source | undefined {
    return this.#byUrl.get(url)?.source
  }

  /** Forgets everything: what a URL means may have changed. */
  clear(): void {
    this.#byUrl.clear()
    this.#bytes = 0
  }
}
