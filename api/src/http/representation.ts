// Holds a body as it may be sent: raw, and in each coding that somebody asked for, made once.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Accepted, Coding } from './accept-encoding.ts'
import { type Compression, closeStream, type Encoded, type Encoder } from './encoder.ts'

/** A smaller body is sent raw: it fits into one packet either way. */
const COMPRESSED_BYTES_MIN = 1024

export type RepresentationOptions = Readonly<{
  encoder: Encoder
  compression?: Compression
  onGrown?: () => void
}>

export class Representation {
  /** With compression `open` all of the body but its tail. */
  readonly body: Buffer
  readonly #encoder: Encoder
  readonly #compression: Compression
  readonly #onGrown: (() => void) | undefined
  readonly #encoded = new Map<Coding, Encoded>()
  #etag: string | undefined
  #crc: number | undefined
  /** Bytes held: of the body and its codings. */
  bytes: number

  /** `onGrown` is called when `bytes` has grown. */
  constructor(body: Buffer, { encoder, compression = 'live', onGrown }: RepresentationOptions) {
    this.body = body
    this.bytes = body.length
    this.#encoder = encoder
    this.#compression = compression
    this.#onGrown = onGrown
  }

  /**
   * Of the content, so that every node gives the same for the same body. It is weak: one for all
   * codings.
   */
  get etag(): string {
    this.#etag ??= `W/"${hash('sha1', this.body, 'base64url')}"`
    return this.#etag
  }

  /**
   * Returns the body in a coding, or when it will be there; undefined when it is to go out raw.
   * `tailBytes` are to follow.
   */
  encode({ coding, refusesRaw }: Accepted, tailBytes = 0): Encoded {
    if (coding === undefined) return undefined
    if (this.body.length + tailBytes <= COMPRESSED_BYTES_MIN && !refusesRaw) return undefined
    const known = this.#encoded.get(coding)
    return known ?? this.#keep(coding, this.#encoder.encode(this.body, coding, this.#compression))
  }

  /** As `encode`, with `tail` behind the body. */
  encodeWith(tail: Buffer, accepted: Accepted): Encoded {
    const open = this.encode(accepted, tail.length)
    const { coding } = accepted
    if (open === undefined || coding === undefined) return undefined
    this.#crc ??= crc32(this.body)
    const stream = { coding, crc: this.#crc, length: this.body.length }
    if (open instanceof Promise)
      return open.then((bytes) => closeStream({ ...stream, bytes }, tail))
    return closeStream({ ...stream, bytes: open }, tail)
  }

  #keep(coding: Coding, encoded: Encoded): Encoded {
    if (encoded === undefined) return undefined
    if (!(encoded instanceof Promise)) {
      this.#made(coding, encoded)
      return encoded
    }
    this.#encoded.set(coding, encoded)
    encoded.then(
      (bytes) => this.#made(coding, bytes),
      // Whoever waits hears of it; the next one tries again.
      () => this.#encoded.delete(coding),
    )
    return encoded
  }

  #made(coding: Coding, encoded: Buffer): void {
    this.#encoded.set(coding, encoded)
    this.bytes += encoded.length
    this.#onGrown?.()
  }
}

/** Whether `If-None-Match` names the body that a client would get (RFC 9110, section 13.1.2). */
export const isUnchanged = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch.includes(etag.slice(2)) || ifNoneMatch.trim() === '*')
