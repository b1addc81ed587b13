// A body with its encodings: raw, and each requested coding, compressed once.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { AcceptedCoding, Coding } from './accept-encoding.ts'
import { type Compression, closeStream, type EncodedBody, type Encoder } from './encoder.ts'

/** A smaller body is sent raw, since it fits into one packet either way. */
const COMPRESSED_BYTES_MIN = 1024

type RepresentationOptions = Readonly<{
  encoder: Encoder
  compression?: Compression
  onGrown?: () => void
}>

export class Representation {
  /** With compression `open`: all of the body but its tail. */
  readonly body: Buffer
  readonly #encoder: Encoder
  readonly #compression: Compression
  readonly #onGrown: (() => void) | undefined
  readonly #encoded = new Map<Coding, EncodedBody>()
  #etag: string | undefined
  #crc: number | undefined
  /** Bytes of the body and its encodings. */
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
   * Hash of the content, so that every node gives the same for the same body. Weak, since all
   * codings share it.
   */
  get etag(): string {
    this.#etag ??= `W/"${hash('sha1', this.body, 'base64url')}"`
    return this.#etag
  }

  /**
   * Returns the body in a coding, or a promise of it; undefined when it is sent raw. `tailBytes`
   * will follow.
   */
  encode({ coding, refusesRaw }: AcceptedCoding, tailBytes = 0): EncodedBody {
    if (coding === undefined) return undefined
    if (this.body.length + tailBytes <= COMPRESSED_BYTES_MIN && !refusesRaw) return undefined
    const cached = this.#encoded.get(coding)
    return cached ?? this.#keep(coding, this.#encoder.encode(this.body, coding, this.#compression))
  }

  /** Like `encode`, with `tail` after the body. */
  encodeWith(tail: Buffer, accepted: AcceptedCoding): EncodedBody {
    const open = this.encode(accepted, tail.length)
    const { coding } = accepted
    if (open === undefined || coding === undefined) return undefined
    this.#crc ??= crc32(this.body)
    const stream = { coding, crc: this.#crc, length: this.body.length }
    if (open instanceof Promise)
      return open.then((bytes) => closeStream({ ...stream, bytes }, tail))
    return closeStream({ ...stream, bytes: open }, tail)
  }

  #keep(coding: Coding, encoded: EncodedBody): EncodedBody {
    if (encoded === undefined) return undefined
    if (!(encoded instanceof Promise)) {
      this.#made(coding, encoded)
      return encoded
    }
    this.#encoded.set(coding, encoded)
    encoded.then(
      (bytes) => this.#made(coding, bytes),
      // Waiting requests get the error; the next one tries again.
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

/** Returns whether `If-None-Match` names the current body (RFC 9110, section 13.1.2). */
export const isUnchanged = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch.includes(etag.slice(2)) || ifNoneMatch.trim() === '*')
