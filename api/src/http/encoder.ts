// Compresses bodies within a budget, small ones at once and large ones off the event loop. Answers
// are raw while the budget is spent.
import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  crc32,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib'
import type { Coding } from './accept-encoding.ts'

/** Up to this size compressing takes less than half a millisecond, so a thread does not pay. */
const SYNC_BYTES_MAX = 64 * 1024
/** Bytes that a host compresses per second for all clients: at 200 MB/s a sixth of a processor. */
export const COMPRESSED_BYTES_PER_SECOND_MAX = 32 * 1024 * 1024
/** Minimum cost of a body: a stream costs as much as this many bytes. */
const BODY_COST_BYTES_MIN = 4096
/** Maximum length of a tail: one uncompressed block of gzip and of br. */
const TAIL_BYTES_MAX = 0xffff

/**
 * `live`: changes with the chain, so that speed matters more than the last tenth of size (decision
 * 0044). `document`: constant while the process runs. `open`: like `live`, with a tail to follow.
 */
export type Compression = 'live' | 'document' | 'open'

export type EncodedBody = Buffer | Promise<Buffer> | undefined

const { BROTLI_OPERATION_FINISH, BROTLI_OPERATION_FLUSH, Z_FINISH, Z_SYNC_FLUSH } = constants

const brotliOptions = (quality: number, finishFlush: number, size: number): BrotliOptions => ({
  finishFlush,
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
})

const BR_QUALITY = { live: 1, open: 1, document: 9 } as const
const GZIP_LEVEL = { live: 1, open: 1, document: 9 } as const

const compressBr = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)
const compressGzip = promisify<Buffer, ZlibOptions, Buffer>(gzip)

export class Encoder {
  readonly #monotonicMs: () => number
  #leftBytes = COMPRESSED_BYTES_PER_SECOND_MAX
  #filledMs: number
  /** Bytes compressed so far. */
  bytes = 0
  /** Bodies sent raw because the budget was spent. */
  refused = 0

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs
    this.#filledMs = monotonicMs()
  }

  /** Returns the compressed bytes, or a promise of them; undefined without budget. */
  encode(body: Buffer, coding: Coding, compression: Compression): EncodedBody {
    if (!this.#take(Math.max(body.length, BODY_COST_BYTES_MIN))) return undefined
    const isOpen = compression === 'open'
    const isSmall = body.length <= SYNC_BYTES_MAX
    if (coding === 'br') {
      const finish = isOpen ? BROTLI_OPERATION_FLUSH : BROTLI_OPERATION_FINISH
      const options = brotliOptions(BR_QUALITY[compression], finish, body.length)
      return isSmall ? brotliCompressSync(body, options) : compressBr(body, options)
    }
    const finishFlush = isOpen ? Z_SYNC_FLUSH : Z_FINISH
    const options = { level: GZIP_LEVEL[compression], finishFlush }
    return isSmall ? gzipSync(body, options) : compressGzip(body, options)
  }

  /** A body larger than the budget of a second passes once the budget is full. */
  #take(costBytes: number): boolean {
    const nowMs = this.#monotonicMs()
    const gained = ((nowMs - this.#filledMs) / 1000) * COMPRESSED_BYTES_PER_SECOND_MAX
    this.#leftBytes = Math.min(COMPRESSED_BYTES_PER_SECOND_MAX, this.#leftBytes + gained)
    this.#filledMs = nowMs
    if (this.#leftBytes < Math.min(costBytes, COMPRESSED_BYTES_PER_SECOND_MAX)) {
      this.refused++
      return false
    }
    this.#leftBytes -= costBytes
    this.bytes += costBytes
    return true
  }
}

/** A stream that `encode` left open, with the length and checksum of its content. */
type OpenStream = Readonly<{ bytes: Buffer; coding: Coding; length: number; crc: number }>

/**
 * Ends a stream with `tail`, uncompressed, so that a change of the time costs a copy and not
 * another compression.
 */
export function closeStream(open: OpenStream, tail: Buffer): Buffer {
  if (tail.length === 0 || tail.length > TAIL_BYTES_MAX)
    throw new RangeError(`a tail has 1 to ${TAIL_BYTES_MAX} bytes, this has ${tail.length}`)
  return open.coding === 'br' ? closeBr(open, tail) : closeGzip(open, tail)
}

/** RFC 7932, section 9.2: an uncompressed meta-block of 16 length bits, then an empty last one. */
function closeBr(open: OpenStream, tail: Buffer): Buffer {
  const at = open.bytes.length
  const bytes = Buffer.allocUnsafe(at + 3 + tail.length + 1)
  open.bytes.copy(bytes)
  bytes.writeUIntLE(((tail.length - 1) << 3) | (1 << 19), at, 3)
  tail.copy(bytes, at + 3)
  bytes[bytes.length - 1] = 3
  return bytes
}

/** RFC 1951, section 3.2.4: a last block that is stored; RFC 1952: the checksum and the length. */
function closeGzip(open: OpenStream, tail: Buffer): Buffer {
  const at = open.bytes.length
  const bytes = Buffer.allocUnsafe(at + 5 + tail.length + 8)
  open.bytes.copy(bytes)
  bytes[at] = 1
  bytes.writeUInt16LE(tail.length, at + 1)
  bytes.writeUInt16LE(~tail.length & 0xffff, at + 3)
  tail.copy(bytes, at + 5)
  bytes.writeUInt32LE(crc32(tail, open.crc), bytes.length - 8)
  bytes.writeUInt32LE(open.length + tail.length, bytes.length - 4)
  return bytes
}
